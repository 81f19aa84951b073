/** An argument: JSON, or one of the markers below at any depth. */
export type Argument =
  | string
  | number
  | boolean
  | null
  /** An output of an earlier resource of the program: its name, and the property. */
  | { readonly $output: readonly [string, string] }
  | { readonly $secret: Argument }
  /** An Output of something that is known. */
  | { readonly $later: Argument }
  | readonly Argument[]
  | { readonly [name: string]: Argument };

/** One resource of a program. */
export interface ResourceEntry {
  readonly type:
    | "EnvVarSet"
    | "EnvVar"
    | "EnvironmentBranches"
    | "EnvironmentState"
    | "EnvironmentAction"
    | "SnapshotLoad"
    | "PreviewEnvironment"
    /** `each` is an object: arguments by the name of an environment, `*` for all others, `{ $throw: text }` for an error. */
    | "PreviewEnvironments";
  readonly name: string;
  readonly args: { readonly [name: string]: Argument };
  /** Pulumi's resource options as JSON. `provider` names an entry of `providers`, `dependsOn` and `deletedWith` earlier resources, `hooks` the
   * times at which a line goes into hooks.log, `sets` the arguments that a transform sets. With `takesOver`, the children of a component were
   * resources of their own before, without its name. */
  readonly options?: {
    readonly provider?: string;
    readonly dependsOn?: readonly string[];
    readonly deletedWith?: string;
    readonly hooks?: readonly string[];
    readonly sets?: ResourceEntry["args"];
    readonly [name: string]: Argument | undefined;
  };
}

/** What fixtures/program/index.js makes, in this order. */
export interface Program {
  readonly providers?: readonly { readonly name: string; readonly args: { readonly [name: string]: Argument } }[];
  readonly resources: readonly ResourceEntry[];
  readonly outputs?: { readonly [name: string]: Argument };
}

/** A program of one EnvVarSet named `vars`. */
export function oneSet(args: ResourceEntry["args"], options: ResourceEntry["options"] = {}): Program {
  return { resources: [set("vars", args, options)] };
}

export function set(name: string, args: ResourceEntry["args"], options: ResourceEntry["options"] = {}): ResourceEntry {
  return { type: "EnvVarSet", name, args, options };
}

export function branches(
  name: string,
  args: ResourceEntry["args"],
  options: ResourceEntry["options"] = {},
): ResourceEntry {
  return { type: "EnvironmentBranches", name, args, options };
}
