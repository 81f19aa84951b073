import type * as z from "zod";
import type { Claims } from "./claims";
import { type Checked, type CheckFailure, parseInputs } from "./check";
import type { Context } from "./context";
import { type Diff, diffInputs, toDiff } from "./diff";
import { isUnknown, pick, type Properties } from "./properties";

type Key<S extends z.ZodObject> = Extract<keyof S["shape"], string>;

/** Inputs as far as a preview knows them. */
export type Known<I extends z.ZodObject> = { readonly [K in keyof z.output<I>]?: z.output<I>[K] | undefined };

/** How a resource file declares one resource type. Everything else (schema, SDK class, reference) comes from this. */
export interface ResourceSpec<I extends z.ZodObject, S extends z.ZodObject> {
  /** Name of the type: `EnvVarSet` is `previewenv:index:EnvVarSet`. */
  readonly type: string;
  readonly description: string;
  /** What a program may write. Field rules and defaults stand here; no transforms, they have no JSON schema. */
  readonly inputs: I;
  /** What state keeps: every input as it is on the service, and what the service computed. */
  readonly state: S;
  /** Inputs that are always secret; the entries of a map one by one. */
  readonly secrets?: readonly Key<I>[];
  /** An input that takes the secrecy away when it is literally `false`. */
  readonly secretUnlessFalse?: Key<I>;
  readonly replaceOnChanges: readonly Key<I>[];
  /** Outputs that are bookkeeping: left out of diffs and of the reference. */
  readonly internals?: readonly Key<S>[];

  /** Brings inputs to one form, so that equal things compare equal. What a preview does not know is absent. */
  normalize?(inputs: Known<I>): Known<I>;
  /** Rules across fields and about names. What a preview does not know is absent, and listed in `pending`. */
  rules?(inputs: Known<I>, pending: ReadonlySet<string>): readonly CheckFailure[];
  /** What a resource with this state has for itself within its environment: no other resource's delete takes it away. */
  holds?(state: Properties): Held;
  /** Left out when a comparison of inputs with state says it all. Must be pure: no request. */
  diff?(state: Properties, news: Properties): Diff;
  create(ctx: Context, inputs: z.output<I>): Promise<Created>;
  /** What exists now, or `undefined` when it is gone. `old` is state as it was stored, maybe by an older version. */
  read(ctx: Context, id: string, old: Properties): Promise<Properties | undefined>;
  update(ctx: Context, id: string, inputs: z.output<I>, old: Properties): Promise<Properties>;
  delete(ctx: Context, id: string, old: Properties): Promise<void>;
}

/** What a resource has for itself. */
export interface Held {
  readonly scope: string;
  readonly names: readonly string[];
  /** The input that shows a name in a diff. */
  path(name: string): readonly string[];
  /** Whether inputs still declare a name. */
  isDeclared(news: Properties, name: string): boolean;
}

/** A resource that was made: its id, and its whole state. */
export interface Created {
  readonly id: string;
  readonly state: Properties;
}

/** What was found on the service: state, and the inputs that would make it. */
export interface Observed {
  readonly state: Properties;
  readonly inputs: Properties;
}

/** A resource as a host serves it: plain property bags in, plain property bags out. */
export interface Resource {
  readonly type: string;
  readonly description: string;
  readonly inputs: z.ZodObject;
  readonly state: z.ZodObject;
  readonly secrets: readonly string[];
  readonly secretUnlessFalse: string | undefined;
  readonly replaceOnChanges: readonly string[];
  readonly internals: readonly string[];

  /** `claims` notes what the program declares. */
  check(news: Properties, claims?: Claims): Checked;
  /** `claims` notes what a resource has and keeps. */
  diff(state: Properties, news: Properties, claims?: Claims): Diff;
  create(ctx: Context, news: Properties): Promise<Created>;
  read(ctx: Context, id: string, old: Properties): Promise<Observed | undefined>;
  update(ctx: Context, id: string, news: Properties, old: Properties): Promise<Properties>;
  delete(ctx: Context, id: string, old: Properties): Promise<void>;
}

/** Turns a typed declaration into a resource; parsing is what makes the step from bags to types safe. */
export function defineResource<I extends z.ZodObject, S extends z.ZodObject>(spec: ResourceSpec<I, S>): Resource {
  const { type, description, inputs, state, replaceOnChanges, secrets = [], internals = [] } = spec;
  const names = Object.keys(inputs.shape);
  const partial = inputs.partial();
  const isKnown = (bag: unknown): bag is Known<I> => partial.safeParse(bag).success;

  return {
    type,
    description,
    inputs,
    state,
    secrets,
    secretUnlessFalse: spec.secretUnlessFalse,
    replaceOnChanges,
    internals,

    check(news, claims) {
      const parsed = parseInputs(inputs, news);
      if (parsed.failures.length > 0) return parsed;
      const pending = new Set(Object.keys(parsed.inputs).filter((name) => isUnknown(parsed.inputs[name])));
      const known = pick(
        parsed.inputs,
        names.filter((name) => !pending.has(name)),
      );
      if (!isKnown(known)) return parsed;
      const failures = spec.rules?.(known, pending) ?? [];
      const normal = spec.normalize?.(known) ?? known;
      const checked = { ...pick(normal, names), ...pick(parsed.inputs, [...pending]) };
      claims?.declare(checked);
      return { inputs: checked, failures };
    },

    diff(old, news, claims) {
      const found = spec.diff?.(old, news) ?? diffInputs(old, news, names, replaceOnChanges);
      // A replacement is another resource: what the old one has goes, unless the new one takes it over.
      if (found.replaces.length > 0 || spec.holds === undefined || !claims?.isDeclared(news)) return found;
      const held = spec.holds(old);
      // The engine diffs one resource while it updates another: what that update took away has to be written again.
      const kept = held.names.filter((name) => held.isDeclared(news, name));
      const lost = kept.filter((name) => claims.isRemoved(held.scope, name));
      claims.add(
        held.scope,
        kept.filter((name) => !claims.isRemoved(held.scope, name)),
      );
      if (lost.length === 0 || found.changes.length > 0) return found;
      return toDiff(
        lost.map((name) => ({ path: held.path(name), kind: "update" })),
        replaceOnChanges,
        true,
      );
    },

    create: (ctx, news) => spec.create(ctx, parse(news)),
    update: (ctx, id, news, old) => spec.update(ctx, id, parse(news), old),
    delete: (ctx, id, old) => spec.delete(ctx, id, old),

    async read(ctx, id, old) {
      const found = await spec.read(ctx, id, old);
      return found && { state: found, inputs: pick(found, names) };
    },
  };

  function parse(news: Properties): z.output<I> {
    return inputs.parse(pick(news, names));
  }
}
