import type { Properties } from "../../provider/src/core/properties";
import type { Declared } from "../support/mini-engine";

/** An output of another resource of the program, as an input. */
export interface OutputOf {
  readonly $output: readonly [name: string, property: string];
}

/** A program: resources by name; inputs may hold `OutputOf` at any depth. */
export type SimulatedProgram = Readonly<Record<string, Declared>>;

/** Which owner of variables an edit is about: one of two sets, or an EnvVar of its own for the name. */
export type Owner = "s" | "t" | "single";

interface Scoped {
  /** Which of the environments, counted from 0. */
  readonly environment: number;
  readonly services: readonly string[];
  readonly overwrite: boolean;
  /** The Pulumi name changes with it. */
  readonly renamed: boolean;
  readonly ignore: readonly string[];
}

/** An EnvVarSet to be. */
export interface SetModel extends Scoped {
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly prune: boolean;
  readonly triggers: number;
}

/** An EnvVar to be. */
export interface SingleModel extends Scoped {
  readonly value: string;
  readonly hidden: boolean;
}

/** An EnvironmentBranches to be. */
export interface BranchesModel {
  readonly environment: number;
  readonly renamed: boolean;
  readonly branches: Readonly<Record<string, string>>;
  readonly rebuilds: boolean;
  readonly waits: boolean;
  readonly restores: boolean;
}

/** What an EnvironmentState wants. */
export type Power = "running" | "stopped";

/** What a program declares, in the form that edits change. */
export interface ProgramModel {
  readonly s?: SetModel | undefined;
  readonly t?: SetModel | undefined;
  readonly singles: ReadonlyMap<string, SingleModel>;
  readonly branches?: BranchesModel | undefined;
  /** Of the first environment. */
  readonly power?: Power | undefined;
}

/** One change of a program by its author. */
export type Edit =
  | {
      readonly edit: "declare";
      readonly in: Owner;
      readonly name: string;
      readonly value: string;
      readonly hidden: boolean;
    }
  /** Moves a variable as it is. */
  | { readonly edit: "give"; readonly name: string; readonly to: Owner }
  | { readonly edit: "drop"; readonly name: string }
  | { readonly edit: "services"; readonly of: Owner; readonly services: readonly string[] }
  | { readonly edit: "remove" | "rename" | "overwrite" | "prune" | "trigger"; readonly of: "s" | "t" | "branches" }
  | { readonly edit: "move"; readonly of: "s" | "t" | "branches"; readonly to: number }
  | { readonly edit: "ignore"; readonly of: "s" | "t"; readonly paths: readonly string[] }
  | { readonly edit: "branch"; readonly repo: string; readonly branch: string }
  | { readonly edit: "rebuilds" | "waits" | "restores" }
  | { readonly edit: "power"; readonly power: Power | undefined };

export const emptyProgram: ProgramModel = { singles: new Map() };

const emptySet: SetModel = {
  environment: 0,
  services: [],
  overwrite: false,
  renamed: false,
  ignore: [],
  variables: {},
  secrets: {},
  prune: false,
  triggers: 0,
};
const emptyBranches: BranchesModel = {
  environment: 0,
  renamed: false,
  branches: {},
  rebuilds: true,
  waits: true,
  restores: false,
};

/** The program after an edit. An edit of something that is not there changes nothing. */
export function edited(program: ProgramModel, change: Edit): ProgramModel {
  switch (change.edit) {
    case "declare":
      return declare(without(program, change.name), change);
    case "give": {
      const found = declared(program, change.name);
      if (found === undefined) return program;
      return declare(without(program, change.name), { edit: "declare", in: change.to, name: change.name, ...found });
    }
    case "drop":
      return without(program, change.name);
    case "services":
      return scoped(program, change.of, change.services);
    case "branch": {
      const branches = program.branches ?? emptyBranches;
      return {
        ...program,
        branches: { ...branches, branches: { ...branches.branches, [change.repo]: change.branch } },
      };
    }
    case "power":
      return { ...program, power: change.power };
    case "rebuilds":
    case "waits":
    case "restores":
      return program.branches === undefined
        ? program
        : { ...program, branches: { ...program.branches, [change.edit]: !program.branches[change.edit] } };
    case "move":
      return change.of === "branches"
        ? { ...program, branches: program.branches && { ...program.branches, environment: change.to } }
        : onSet(program, change.of, (set) => ({ ...set, environment: change.to }));
    case "ignore":
      return onSet(program, change.of, (set) => ({ ...set, ignore: change.paths }));
    case "remove":
    case "rename":
    case "overwrite":
    case "prune":
    case "trigger":
      break;
  }
  return toggled(program, change.edit, change.of);
}

function toggled(
  program: ProgramModel,
  edit: "remove" | "rename" | "overwrite" | "prune" | "trigger",
  of: "s" | "t" | "branches",
): ProgramModel {
  if (edit === "remove") return { ...program, [of]: undefined };
  if (of === "branches") {
    const { branches } = program;
    if (branches === undefined || edit !== "rename") return program;
    return { ...program, branches: { ...branches, renamed: !branches.renamed } };
  }
  return onSet(program, of, (set) => {
    if (edit === "rename") return { ...set, renamed: !set.renamed };
    if (edit === "overwrite") return { ...set, overwrite: !set.overwrite };
    return edit === "prune" ? { ...set, prune: !set.prune } : { ...set, triggers: set.triggers + 1 };
  });
}

function onSet(program: ProgramModel, of: "s" | "t", change: (set: SetModel) => SetModel): ProgramModel {
  const set = program[of];
  return set === undefined ? program : { ...program, [of]: change(set) };
}

function scoped(program: ProgramModel, of: Owner, services: readonly string[]): ProgramModel {
  if (of !== "single") return onSet(program, of, (set) => ({ ...set, services }));
  const singles = [...program.singles].map(([name, single]) => [name, { ...single, services }] as const);
  return { ...program, singles: new Map(singles) };
}

function declare(program: ProgramModel, { in: owner, name, value, hidden }: Edit & { edit: "declare" }): ProgramModel {
  if (owner === "single") {
    const single = { environment: 0, services: [], overwrite: false, renamed: false, ignore: [], value, hidden };
    return { ...program, singles: new Map([...program.singles, [name, single]]) };
  }
  const set = program[owner] ?? emptySet;
  const map = hidden ? "secrets" : "variables";
  return { ...program, [owner]: { ...set, [map]: { ...set[map], [name]: value } } };
}

function declared(
  program: ProgramModel,
  name: string,
): { readonly value: string; readonly hidden: boolean } | undefined {
  for (const set of [program.s, program.t]) {
    const [variable, secret] = [set?.variables, set?.secrets].map((map) =>
      map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined,
    );
    if (variable !== undefined) return { value: variable, hidden: false };
    if (secret !== undefined) return { value: secret, hidden: true };
  }
  const { value, hidden } = program.singles.get(name) ?? {};
  return value === undefined || hidden === undefined ? undefined : { value, hidden };
}

/** A name belongs to one resource: the classes of the SDK refuse anything else. */
function without(program: ProgramModel, name: string): ProgramModel {
  const strip = (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(map).filter(([key]) => key !== name));
  const bare = (set: SetModel | undefined) =>
    set && { ...set, variables: strip(set.variables), secrets: strip(set.secrets) };
  const singles = new Map([...program.singles].filter(([key]) => key !== name));
  return { ...program, s: bare(program.s), t: bare(program.t), singles };
}

/** The Pulumi name of a resource of the model. */
export function nameOf(key: string, { renamed }: { readonly renamed: boolean }): string {
  return renamed ? `${key}-renamed` : key;
}

/** What the model says as a program for the engine. */
export function toProgram(model: ProgramModel, environmentIds: readonly string[]): SimulatedProgram {
  const environmentId = (index: number): string => environmentIds[index] ?? "";
  const program: Record<string, Declared> = {};
  for (const key of ["s", "t"] as const) {
    const set = model[key];
    if (set === undefined) continue;
    const inputs = { environmentId: environmentId(set.environment), ...setInputs(set, mayPrune(model, set)) };
    program[nameOf(key, set)] = { type: "EnvVarSet", inputs, ignoreChanges: set.ignore };
  }
  for (const [name, single] of model.singles) {
    const { value, hidden, services, overwrite, environment } = single;
    const inputs = {
      environmentId: environmentId(environment),
      name,
      value,
      hidden,
      services,
      ...conflicts(overwrite),
    };
    program[nameOf(`e-${name}`, single)] = { type: "EnvVar", inputs };
  }
  const { branches } = model;
  if (branches !== undefined && Object.keys(branches.branches).length > 0)
    program[nameOf("b", branches)] = {
      type: "EnvironmentBranches",
      inputs: { environmentId: environmentId(branches.environment), ...branchesInputs(model, branches) },
    };
  const power = wantedPower(model);
  if (power !== undefined)
    program["p"] = { type: "EnvironmentState", inputs: { environmentId: environmentId(0), state: power } };
  return program;
}

/** A program that wants an environment stopped, and branches of it built, is refused: it is taken to want it running. */
export function wantedPower({ power, branches }: ProgramModel): Power | undefined {
  return power === "stopped" && branches !== undefined ? "running" : power;
}

function setInputs({ variables, secrets, services, overwrite, triggers }: SetModel, prune: boolean): Properties {
  return {
    variables,
    secrets,
    services,
    ...conflicts(overwrite),
    ...(prune && { prune: true, keep: ["KEPT_*"] }),
    ...(triggers > 0 && { triggers: { count: String(triggers) } }),
  };
}

function conflicts(overwrite: boolean): Properties {
  return overwrite ? { onConflict: "overwrite" } : {};
}

function branchesInputs(
  model: ProgramModel,
  { branches, rebuilds, waits, restores, environment }: BranchesModel,
): Properties {
  const sets = (["s", "t"] as const).flatMap((key) => {
    const set = model[key];
    return set?.environment === environment ? [{ $output: [nameOf(key, set), "revision"] } satisfies OutputOf] : [];
  });
  return {
    branches,
    ...(rebuilds && sets.length > 0 && { rebuildOn: sets }),
    ...(!waits && { waitForBuild: false }),
    ...(restores && { onDestroy: "restore" }),
  };
}

/** Pruning beside any other variable resource of the environment is refused by the classes of the SDK. */
export function mayPrune(model: ProgramModel, set: SetModel): boolean {
  const owners = [model.s, model.t, ...model.singles.values()].filter((one) => one?.environment === set.environment);
  return set.prune && owners.length === 1;
}

/** A variable as the service is to hold it. */
export interface Wanted {
  readonly value: string;
  readonly hidden: boolean;
  readonly services: readonly string[];
  /** Key of the resource that declares it: its Pulumi name. */
  readonly owner: string;
  readonly overwrite: boolean;
}

/** What a program declares in one environment, by name. */
export function wantedVariables(model: ProgramModel, environment: number): ReadonlyMap<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const key of ["s", "t"] as const) {
    const set = model[key];
    if (set?.environment !== environment) continue;
    const { services, overwrite } = set;
    const entry = (hidden: boolean, name: string, value: string) =>
      wanted.set(name, { value, hidden, services, owner: nameOf(key, set), overwrite });
    for (const [name, value] of Object.entries(set.variables)) entry(false, name, value);
    for (const [name, value] of Object.entries(set.secrets)) entry(true, name, value);
  }
  for (const [name, single] of model.singles)
    if (single.environment === environment) wanted.set(name, { ...single, owner: nameOf(`e-${name}`, single) });
  return wanted;
}
