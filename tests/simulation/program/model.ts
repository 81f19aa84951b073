import type { Declared } from "../../support/engine-steps";

/** An output of another resource of the program, as an input. */
export interface OutputOf {
  readonly $output: readonly [name: string, property: string];
}

/** A program: resources by name. Inputs may hold `OutputOf` at any depth. */
export type SimulatedProgram = Readonly<Record<string, Declared>>;

/** Which owner of variables an edit is about: one of two sets, or an EnvVar of its own for the name. */
export type Owner = "s" | "t" | "single";

/** What a Provider of its own may serve: an owner of variables, the branches, or what is declared for each environment. */
export type Served = Owner | "branches" | "previews";

/** The Pulumi name of that Provider. */
const SECOND = "second";

/** A variable to be. */
export interface Declaration {
  readonly value: string;
  readonly hidden: boolean;
}

export interface SetModel {
  /** Which of the environments, counted from 0. */
  readonly environment: number;
  readonly services: readonly string[];
  readonly overwrite: boolean;
  /** The Pulumi name changes with it. */
  readonly renamed: boolean;
  readonly ignore: readonly string[];
  readonly variables: ReadonlyMap<string, Declaration>;
  /** Services of single variables. Of names that the set does not declare they mean nothing. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly prune: boolean;
  readonly triggers: number;
  /** Resource options: `deleteBeforeReplace`, `import`. */
  readonly deletesFirst: boolean;
  readonly imports: boolean;
}

/** An EnvVar to be, in the first environment. */
export interface SingleModel extends Declaration {
  readonly services: readonly string[];
}

/** What all EnvVars of a program have in common. */
export interface SinglesModel {
  /** Resource option `deleteBeforeReplace`. */
  readonly deletesFirst: boolean;
  /** Their Pulumi names change with it. */
  readonly renamed: boolean;
  /** Resource option `import`. */
  readonly imports: boolean;
}

export interface BranchesModel {
  readonly environment: number;
  readonly renamed: boolean;
  readonly branches: Readonly<Record<string, string>>;
  readonly rebuilds: boolean;
  /** Whether it is rebuilt for a set that somebody else manages, and the program only looks at. */
  readonly looks: boolean;
  readonly waits: boolean;
  readonly restores: boolean;
  readonly whenStopped: WhenStopped;
  /** Names of variables without which it does not build. */
  readonly requires: readonly string[];
}

export const emptyBranches: BranchesModel = {
  environment: 0,
  renamed: false,
  branches: {},
  rebuilds: true,
  looks: false,
  waits: true,
  restores: false,
  whenStopped: "fail",
  requires: [],
};

/** What a build that is due means for an environment that sleeps. */
export type WhenStopped = "fail" | "skip" | "wake";

/** What a program declares for each environment that the service lists: a set, and branches that are built with it. */
export interface PreviewsModel {
  /** Of the values. */
  readonly index: number;
  readonly builds: boolean;
}

export type Power = "running" | "stopped";

/** What a program gives to the resources that it only looks at: nothing, or what reads like the inputs of a declared one. */
export type Given = "nothing" | "state";

/** What a program declares, in the form that edits change. */
export interface ProgramModel {
  readonly s?: SetModel | undefined;
  readonly t?: SetModel | undefined;
  readonly singles: ReadonlyMap<string, SingleModel>;
  readonly allSingles: SinglesModel;
  readonly branches?: BranchesModel | undefined;
  readonly previews?: PreviewsModel | undefined;
  /** It looks at all that the first environment has, and at one variable by itself. */
  readonly gets?: Given | undefined;
  /** Environments that the service lists as the program runs, counted from 0. */
  readonly listed: readonly number[];
  /** Of the first environment. */
  readonly power?: Power | undefined;
  /** What a second Provider serves, in a process of its own. */
  readonly apart: ReadonlySet<Served>;
}

export const emptyProgram: ProgramModel = {
  singles: new Map(),
  allSingles: { deletesFirst: false, renamed: false, imports: false },
  listed: [],
  apart: new Set(),
};

/** The Pulumi name of a resource of the model. */
export function nameOf(key: string, { renamed }: { readonly renamed: boolean }): string {
  return renamed ? `${key}-renamed` : key;
}

/** The Pulumi name of the EnvVar of a variable. */
export function singleName({ allSingles }: ProgramModel, variable: string): string {
  return nameOf(`e-${variable}`, allSingles);
}

/** The Provider that serves something. `undefined` is the default one. */
export function providerOf({ apart }: ProgramModel, served: Served): string | undefined {
  return apart.has(served) ? SECOND : undefined;
}

/** Whether `ignoreChanges` may keep what a set had before: what is declared is not what is sent then. */
export function ignoresChanges(model: ProgramModel, owner: string): boolean {
  return (["s", "t"] as const).some((key) => {
    const set = model[key];
    return set !== undefined && nameOf(key, set) === owner && set.ignore.length > 0;
  });
}
