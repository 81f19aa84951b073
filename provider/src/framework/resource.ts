import * as z from "zod";
import { displayableName } from "../client/error-text";
import { type Checked, type CheckFailure, describeFailure, parseInputs } from "./check";
import type { Context } from "./context";
import { type Diff, diffInputs, type PropertyChange, toDiff } from "./diff";
import type { RunEnvironments, EnvironmentSession } from "../run/environment-session";
import {
  type CheckedResource,
  environmentSessionOf,
  isImported,
  noteCheck,
  noteHeld,
  noteImported,
  noteOwned,
  withStoredEnvironmentId,
} from "./noted-names";
import { defaultsOf, factsOf, withoutDefaults } from "./fields";
import { diffListMark, isListed, LISTED_KEY, listMarkOf } from "./list-mark";
import { LAST_SETTINGS_ADVICE, RefusedError, withTokenAdvice } from "./errors";
import { type PlannedResource, type PreviewContext, warningIfUnreachable } from "./preview-looks";
import { isUnknown, pick, type Properties, StoredState, UNKNOWN, withoutNil } from "./properties";
import type { Exclusive, ResourceFacts } from "./resource-facts";

/** Inputs as far as a preview knows them. */
export type Known<I extends z.ZodObject> = { readonly [K in keyof z.output<I>]?: z.output<I>[K] | undefined };

/** How a resource file declares one resource type. Everything else (schema, SDK class, reference) comes from this. */
export interface ResourceSpec<I extends z.ZodObject, S extends z.ZodObject> {
  /** Name of the type: `EnvVarSet` is `previewenv:index:EnvVarSet`. */
  readonly type: string;
  readonly description: string;
  /** What a program may write. Field rules and defaults stand here. No transforms, they have no JSON schema. */
  readonly inputs: I;
  /** What state keeps: every input as it is on the service, and what the service computed. */
  readonly state: S;
  /** The shape of stored state of every version so far. Properties may be absent. A property of another shape makes every
   * operation an error. Left out: that of `state`. */
  readonly stored?: StoredState<z.ZodObject>;
  /** What no second resource of the program may declare of the same environment. */
  readonly exclusive?: Exclusive;
  /** Names of variables that a state owns in its environment. Left out: none. */
  owned?(state: Properties): readonly string[];

  /**
   * Brings inputs to one form, so that equal things compare equal, and checks rules across fields and about names. What a preview
   * does not know is absent, and listed in `unknowns`.
   */
  check?(
    inputs: Known<I>,
    unknowns: ReadonlySet<string>,
  ): { readonly inputs: Known<I>; readonly failures: readonly CheckFailure[] };
  /** Left out: the differences between inputs and state. It sends no request. */
  diff?(state: Properties, news: Properties, session?: EnvironmentSession): readonly PropertyChange[];
  /** Creates the resource, or updates the one that `old` is the state of. An update keeps the id, whichever is returned. */
  write(ctx: Context, inputs: z.output<I>, old?: Properties): Promise<Written>;
  /**
   * What exists now, or `undefined` when it is gone. `old` is state as it was stored, maybe by an older version. `last` are the inputs
   * of the last `up`, where the host has them. Left out: state stays as it is.
   */
  read?(ctx: Context, id: string, old: Properties, last?: Properties): Promise<Read | undefined>;
  /** Left out: there is nothing to delete on the service, and no state is read for it. */
  delete?(ctx: Context, id: string, old: Properties): Promise<void>;
  /**
   * Whether a delete leaves on the service what it is about. Asked of a resource with the list mark. Left out: components
   * do not declare this type for the environments of a list.
   */
  staysUnlisted?(ctx: Context, id: string): Promise<boolean>;

  /** Form of the id for an import, for people: `<environmentId>/<NAME>`. Left out: it cannot be imported. */
  readonly importFormat?: string;
  /** What an import finds, or why there is none, in sentences. */
  readonly importDescription?: string;
  /** What exists for an id of the form above, as state of a resource that declares exactly that. Inputs that equal
   * their defaults may be left out. It prints nothing: the warnings are for an import, and not for a `get`. */
  import?(ctx: Context, id: string): Promise<Found | undefined>;
  /** What a `get` finds that was given these inputs beside the id. Left out: with inputs what `read` makes of them, else what `import` finds. */
  lookUp?(ctx: Context, id: string, given: Properties): Promise<LookedUp | undefined>;
  /** Computed outputs that are certain before an update, or, without `old`, before a create. A key with the value
   * `undefined` says that the output will certainly not be there. Must be pure. */
  plannedOutputs?(news: Properties, old?: Properties, session?: EnvironmentSession): Properties;
  /**
   * What a look at the service shows of what is about to be created or gets new names, as warnings: whatever the `up` may stumble
   * over. Nothing is asked when nothing is new, and resources share their reads. It may be called
   * again for the same resource, when the engine has shown more of the program.
   * @throws RefusedError or MissingError for what makes the `up` fail for certain.
   */
  previewCheck?(ctx: PreviewContext, planned: PlannedResource<Known<I>>): Promise<readonly string[]>;
}

/** The outcome of a write: exactly this state is kept. */
export interface Written {
  /** The id in state. */
  readonly id: string;
  readonly state: Properties;
  /** Why the write is not finished, without values. Left out or empty when it is. The host shows it, and the next `up` finishes it. */
  readonly unfinishedReasons?: readonly string[];
}

/** What an import has found, and what a person should know of it. */
export interface Found {
  /** The id in state. */
  readonly id: string;
  readonly state: Properties;
  readonly warnings?: readonly string[];
}

/** What a `get` has found. `id`: the id in state, where that is not the given one. */
type LookedUp = Pick<Found, "state"> & { readonly id?: string };

/** What the service has of a resource, as a refresh puts it into state. */
export interface Read {
  readonly state: Properties;
  /** Left out: those of the state. */
  readonly inputs?: Properties;
  /** Why the last write is not finished, without values. Left out or empty when it is. */
  readonly unfinishedReasons?: readonly string[];
}

/** A resource that exists on the service: its state, and the inputs that would make it. */
export interface Existing extends Required<Read> {
  /** The id in state: not always the one that was given. */
  readonly id: string;
}

/** A resource as a host calls it: plain properties in, plain properties out. */
export interface Resource
  extends ResourceFacts, Pick<ResourceSpec<z.ZodObject, z.ZodObject>, "type" | "description" | "inputs" | "state"> {
  readonly replaceOnChanges: readonly string[];
  /** Form of the id for an import, for people. `undefined` when resources of this type cannot be imported. */
  readonly importFormat: string | undefined;
  /** What an import finds, or why there is none, in sentences. */
  readonly importDescription: string;

  /** Also notes in the run what the program declares. */
  check(news: Properties, run?: RunEnvironments, checked?: CheckedResource): Checked;
  /** Also notes in the run what the resource has and keeps. */
  diff(state: Properties, news: Properties, run?: RunEnvironments): Diff;
  create(ctx: Context, news: Properties): Promise<Written>;
  /** `inputs` are those of the last `up`, for hosts that have them: they tell what an unfinished create did not write. */
  read(ctx: Context, id: string, old: Properties, inputs?: Properties): Promise<Existing | undefined>;
  update(ctx: Context, id: string, news: Properties, old: Properties): Promise<Written>;
  delete(ctx: Context, id: string, old: Properties): Promise<void>;
  /**
   * Finds what exists, for an import. `undefined` when it does not exist. The inputs are those that a program needs:
   * what equals its default is left out. Hidden values are placeholders. One warning names them.
   * @throws RefusedError for an id that does not have the form `importFormat`, and for a type that cannot be imported.
   */
  import(ctx: Context, id: string): Promise<Existing | undefined>;
  /** Whether a read with this state, and these inputs where the host has them, is a `get`, which looks at a resource for the first time. */
  isLookUp(old: Properties, inputs?: Properties): boolean;
  /** Finds what a `get` looks at. Its state has no defaults: Check fills them in, and it checks only what a program declares. */
  lookUp(ctx: Context, id: string, given: Properties): Promise<Existing | undefined>;
  /** What an update, or, without `old`, a create, will answer as far as it is certain, and UNKNOWN for the other
   * outputs. `news` are checked inputs. No request is made. What other resources of this `run` took away is written again. */
  plannedOutputs(news: Properties, old?: Properties, run?: RunEnvironments): Properties;
  /** Warnings of a look at the service before an update, or, without `old`, before a create. None with `previewChecks: false`.
   * @throws what makes the `up` fail for certain. */
  previewCheck(ctx: PreviewContext, news: Properties, old?: Properties): Promise<readonly string[]>;
}

/** Turns a typed declaration into a resource. Parsing is what makes the step from bags to types safe. */
export function defineResource<I extends z.ZodObject, S extends z.ZodObject>(spec: ResourceSpec<I, S>): Resource {
  const { type, description, inputs, state, importFormat, importDescription = "", exclusive } = spec;
  const facts = factsOf(inputs, state);
  const names = Object.keys(inputs.shape);
  const computed = Object.keys(state.shape).filter((name) => !names.includes(name));
  const defaults = defaultsOf(inputs);
  const ownedBy = (old: Properties): readonly string[] => spec.owned?.(old) ?? [];
  const stored = spec.stored ?? new StoredState(type, z.looseObject(state.partial().shape));
  const partial = inputs.partial();
  const isKnown = (bag: unknown): bag is Known<I> => partial.safeParse(bag).success;

  return {
    type,
    description,
    inputs,
    state,
    ...facts,
    exclusive,
    importFormat,
    importDescription,

    check,

    diff(old, news, run) {
      const diff = toDiff([...changesOf(old, news, run), ...diffListMark(old, news)], facts.replaceOnChanges);
      const owned = ownedBy(old);
      noteOwned(owned, old, run);
      // What is replaced goes: its replacement has nothing yet.
      if (diff.replaces.length === 0) noteHeld(exclusive, owned, news, run);
      return diff;
    },

    create: write,
    async update(ctx, id, news, old) {
      stored.read(old);
      if (diffListMark(old, news).length > 0 && changesOf(old, news, ctx).length === 0) {
        const { [LISTED_KEY]: _mark, ...rest } = old;
        return { id, state: { ...rest, ...listMarkOf(news) } };
      }
      return { ...(await write(ctx, news, old)), id };
    },
    async delete(ctx, id, old) {
      // What an import of this run has only looked at is nobody's yet.
      if (spec.delete === undefined || isImported(old, ctx)) return;
      if (isListed(old) && (await spec.staysUnlisted?.(ctx, id)) === true) return;
      stored.read(old);
      return withTokenAdvice(ctx.client, spec.delete(ctx, id, old), ` ${LAST_SETTINGS_ADVICE}`);
    },

    async read(ctx, id, old, last) {
      stored.read(old);
      noteOwned(ownedBy(old), old, ctx);
      ctx.noteRefresh();
      const reading = spec.read?.(ctx, id, old, last) ?? Promise.resolve<Read>({ state: old });
      const read = await withTokenAdvice(ctx.client, reading, ` ${LAST_SETTINGS_ADVICE}`);
      if (read === undefined) return undefined;
      const { state: now, inputs: shown = now, unfinishedReasons = [] } = read;
      const mark = listMarkOf(old);
      return { id, state: { ...now, ...mark }, inputs: { ...pick(shown, names), ...mark }, unfinishedReasons };
    },

    async import(ctx, id) {
      const found = await find(ctx, id);
      if (found === undefined) return undefined;
      const existing = toExisting(found.id, found.state);
      const { inputs: whole, failures } = check(existing.inputs);
      if (failures.length > 0)
        throw new RefusedError(
          `cannot import ${displayableName(id)}, because no program can declare it: ${failures.map(describeFailure).join("; ")}.`,
        );
      for (const warning of found.warnings ?? []) ctx.log.warn(warning);
      const imported = {
        ...existing,
        state: { ...whole, ...existing.state },
        inputs: withoutDefaults(whole, defaults),
      };
      noteImported(imported.state, ctx);
      return imported;
    },

    // A state that a write or an import has left has computed outputs. The inputs that the engine keeps have none.
    isLookUp: (old, last = {}) =>
      computed.length > 0 &&
      (computed.every((name) => old[name] === undefined) || computed.some((name) => last[name] !== undefined)),

    async lookUp(ctx, id, given) {
      const found = await (spec.lookUp?.(ctx, id, given) ?? lookUp(ctx, id, given));
      return found && toExisting(found.id ?? id, found.state);
    },

    plannedOutputs(news, old, run) {
      if (old !== undefined) stored.read(old);
      const certain = spec.plannedOutputs?.(news, old, environmentSessionOf(old ?? news, run)) ?? {};
      const unknown = Object.fromEntries(computed.map((name) => [name, UNKNOWN]));
      return withoutNil({ ...pick(news, names), ...unknown, ...certain, ...listMarkOf(news) });
    },

    async previewCheck(ctx, news, old) {
      if (!ctx.previewChecks || spec.previewCheck === undefined || environmentSessionOf(news, ctx) === undefined)
        return [];
      if (old !== undefined) stored.read(old);
      const { known, unknowns } = split(news);
      if (!isKnown(known)) return [];
      const planned = { inputs: known, unknowns, state: old };
      return warningIfUnreachable(ctx, async () => (await spec.previewCheck?.(ctx, planned)) ?? []);
    },
  };

  /** The differences between state and inputs, without the list mark. */
  function changesOf(old: Properties, news: Properties, run: RunEnvironments | undefined): readonly PropertyChange[] {
    stored.read(old);
    // State of a version that did not have an input yet has its default: that is no change.
    const whole = { ...defaults, ...withoutNil(old) };
    const wanted = withStoredEnvironmentId(old, news);
    return spec.diff?.(whole, wanted, environmentSessionOf(news, run)) ?? diffInputs(whole, wanted, names);
  }

  async function write(ctx: Context, news: Properties, old?: Properties): Promise<Written> {
    const written = await withTokenAdvice(ctx.client, spec.write(ctx, inputs.parse(pick(news, names)), old));
    return { ...written, state: { ...written.state, ...listMarkOf(news) } };
  }

  async function find(ctx: Context, id: string): Promise<Found | undefined> {
    if (spec.import === undefined) throw new RefusedError(`${type} cannot be imported. ${importDescription}`);
    return spec.import(ctx, id);
  }

  function lookUp(ctx: Context, id: string, given: Properties): Promise<LookedUp | undefined> {
    const isGiven = Object.keys(given).length > 0;
    return (isGiven && spec.read?.(ctx, id, given)) || find(ctx, id);
  }

  function toExisting(id: string, found: Properties): Existing {
    return { id, state: withoutNil(found), inputs: pick(found, names), unfinishedReasons: [] };
  }

  function check(given: Properties, run?: RunEnvironments, resource: CheckedResource = { isNew: false }): Checked {
    const { [LISTED_KEY]: _mark, ...news } = given;
    const parsed = parseInputs(inputs, news, `a property of ${type}`);
    const { known, unknowns } = split(parsed.inputs);
    if (parsed.failures.length > 0 || !isKnown(known)) return parsed;
    const session = environmentSessionOf(parsed.inputs, run);
    if (session !== undefined) session.isListed ||= isListed(given);
    const { inputs: normal, failures } = spec.check?.(known, unknowns) ?? { inputs: known, failures: [] };
    const checked = { ...pick(normal, names), ...pick(parsed.inputs, [...unknowns]), ...listMarkOf(given) };
    if (failures.length === 0) noteCheck(exclusive, checked, resource, run);
    return { inputs: checked, failures };
  }

  /** Inputs that are known, and the names of the others. */
  function split(bag: Properties): { readonly known: Properties; readonly unknowns: ReadonlySet<string> } {
    const unknowns = new Set(names.filter((name) => isUnknown(bag[name])));
    const certain = names.filter((name) => !unknowns.has(name));
    return { known: pick(bag, certain), unknowns };
  }
}
