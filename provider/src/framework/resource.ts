import * as z from "zod";
import type { EnvironmentInRun } from "../run/environment-in-run";
import type { CheckFailure } from "./input-checks";
import type { Context } from "./context";
import { diffInputs, type PropertyChange } from "./diff";
import { RefusedError } from "./resource-errors";
import { defaultsOf, factsOf } from "./fields";
import type { PlannedResource } from "./preview-looks";
import { type Properties, StateShape } from "./properties";
import type { Exclusive, OutputFacts, ResourceFacts } from "./resource-facts";

/** Inputs as far as a preview knows them. */
export type Known<I extends z.ZodObject> = { readonly [K in keyof z.output<I>]?: z.output<I>[K] | undefined };

/** How a resource file declares one resource type. Everything else (schema, SDK class, reference) comes from this. */
export interface ResourceSpec<I extends z.ZodObject, S extends z.ZodObject> {
  /** Name of the type: `EnvVarSet` is `previewenv:index:EnvVarSet`. */
  readonly type: string;
  readonly description: string;
  /** The inputs that a program may write. Field rules and defaults stand here. No transforms, they have no JSON schema. */
  readonly inputs: I;
  /** The properties that state keeps: every input as it is on the service, and all that the service computed. */
  readonly state: S;
  /** The shape of stored state of every version so far. Properties may be absent. A property of another shape makes every
   * operation an error. Left out: that of `state`. */
  readonly stateShape?: StateShape<z.ZodObject>;
  /** Names of the properties that every stored state of every version has. Left out: `environmentId` alone. State without one of them is
   * damaged. */
  readonly alwaysStored?: readonly string[];
  /** The things that no second resource of the program may declare of the same environment. */
  readonly exclusive?: Exclusive;
  /** Names of variables that a state owns in its environment. Left out: none. */
  owned?(state: Properties): readonly string[];

  /**
   * Brings inputs to one form, so that equal things compare equal, and checks rules across fields and about names. An input that a preview
   * does not know is absent, and listed in `unknowns`.
   */
  check?(
    inputs: Known<I>,
    unknowns: ReadonlySet<string>,
  ): { readonly inputs: Known<I>; readonly failures: readonly CheckFailure[] };
  /** Left out: the differences between inputs and state. It sends no request. */
  diff?(state: Properties, news: Properties, inRun?: EnvironmentInRun): readonly PropertyChange[];
  /** Brings the service to what is declared. Without `old`, the resource is created: else `old` is its state. */
  apply(ctx: Context, inputs: z.output<I>, old?: Properties): Promise<LiveResource>;
  /**
   * The resource as it exists now, or `undefined` when it is gone. `old` is state as it was stored, maybe by an older version. `last` are the inputs
   * of the last `up`, where the host has them.
   */
  read(ctx: Context, id: string, old: Properties, last?: Properties): Promise<LiveResource | undefined>;
  /** Left out: there is nothing to delete on the service, and no state is read for it. */
  delete?(ctx: Context, id: string, old: Properties): Promise<void>;

  /** Form of the id for an import, for people: `<environmentId>/<NAME>`. Left out: it cannot be imported. */
  readonly importFormat?: string;
  /** What an import finds, or why the type cannot be imported, in sentences. */
  readonly importDescription: string;
  /**
   * The thing that exists for an id of the form above, as a resource that declares exactly that. Inputs that equal their defaults may be left out.
   * @throws RefusedError for an id of another form
   */
  import?(ctx: Context, id: string): Promise<LiveResource | undefined>;
  /** What a `get` finds that was given these inputs beside the id. Left out: `read` if inputs were given, else `import`. */
  lookUp?(ctx: Context, id: string, given: Properties): Promise<LiveResource | undefined>;
  /** Computed outputs that are certain before an update, or, without `old`, before a create. A key with the value
   * `undefined` says that the output will certainly not be there. Must be pure. */
  plannedOutputs?(news: Properties, old?: Properties, inRun?: EnvironmentInRun): Properties;
  /**
   * Looks at the service before something is created or gets new names, and returns a warning for everything the `up` might stumble
   * over. Nothing is written. Nothing is asked when nothing is new, and resources share their reads. It may be called
   * again for the same resource, when the engine has shown more of the program.
   * @throws RefusedError for what makes the `up` fail for certain.
   */
  previewCheck(ctx: Context, planned: PlannedResource<Known<I>>): Promise<readonly string[]>;
}

/** A resource that exists: as it was written, read or found. Exactly this state is kept. */
export interface LiveResource {
  /** The id in state: not always the one that a program gave. */
  readonly id: string;
  readonly state: Properties;
  /** The inputs that would make it. Left out: those of the state. */
  readonly inputs?: Properties;
  /** Why the last write is not finished, without values. Left out or empty when it is. The host shows it, and the next `up` finishes it. */
  readonly unfinishedReasons?: readonly string[];
  /** For the person who imports it. A `get` does not say it. */
  readonly warnings?: readonly string[];
}

type Declaration = ResourceSpec<z.ZodObject, z.ZodObject>;

/** A declaration with its defaults filled in. `engine-calls.ts` says what each call of the engine does with it. */
export interface Resource
  extends Required<Omit<Declaration, "delete" | "exclusive" | "importFormat">>, ResourceFacts, OutputFacts {
  readonly importFormat?: string;
  delete?(ctx: Context, id: string, old: Properties): Promise<void>;
  readonly replaceOnChanges: readonly string[];
  readonly inputNames: readonly string[];
  /** Names of the outputs that are no inputs. */
  readonly computed: readonly string[];
  /** The inputs that have a default, with it. */
  readonly defaults: Properties;
}

/** Turns a typed declaration into a resource. Parsing is what makes the step from bags to types safe. */
export function defineResource<I extends z.ZodObject, S extends z.ZodObject>(spec: ResourceSpec<I, S>): Resource {
  const declaration: Declaration = spec;
  const { type, inputs, state, importDescription } = spec;
  const inputNames = Object.keys(inputs.shape);
  const resource: Resource = {
    ...factsOf(inputs, state),
    inputNames,
    computed: Object.keys(state.shape).filter((name) => !inputNames.includes(name)),
    defaults: defaultsOf(inputs),
    stateShape: new StateShape(type, z.looseObject(state.partial().shape)),
    alwaysStored: ["environmentId"],
    owned: () => [],
    check: (given) => ({ inputs: given, failures: [] }),
    diff: (old, news) => diffInputs(old, news, inputNames),
    import: () =>
      Promise.reject(new RefusedError(`${type} cannot be imported, nor looked at with \`get\`. ${importDescription}`)),
    lookUp: (ctx, id, given) =>
      Object.keys(given).length > 0 ? resource.read(ctx, id, given) : resource.import(ctx, id),
    plannedOutputs: () => ({}),
    ...declaration,
  };
  return resource;
}
