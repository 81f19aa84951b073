import type { Properties } from "../../../provider/src/framework/properties";
import type { Declared } from "../../support/engine-steps";
import {
  type BranchesModel,
  type Declaration,
  nameOf,
  type OutputOf,
  type Power,
  type ProgramModel,
  providerOf,
  type SetModel,
  type SimulatedProgram,
  singleName,
} from "./model";
import { SHARED } from "../service";
import { branchesOf, hasPreview, previewNames, previewVariables } from "./wanted";

/** What the component PreviewEnvironments gives to its children. */
const LISTED = { __listed: true };
/** The Pulumi name of the EnvironmentState. */
export const POWER = "p";
/** The Pulumi name of the set that the program only looks at. */
const LOOKED_AT = "looked-at";

/** What the model says as a program for the engine. */
export function toProgram(model: ProgramModel, environmentIds: readonly string[]): SimulatedProgram {
  const environmentId = (index: number): string => environmentIds[index] ?? "";
  const program: Record<string, Declared> = { ...lookedAt(model, environmentId(0)) };
  for (const key of ["s", "t"] as const) {
    const set = model[key];
    if (set === undefined) continue;
    const inputs = { environmentId: environmentId(set.environment), ...setInputs(set, mayPrune(model, set)) };
    program[nameOf(key, set)] = {
      type: "EnvVarSet",
      inputs,
      provider: providerOf(model, key),
      ignoreChanges: set.ignore,
      ...(set.deletesFirst && { deletesFirst: true }),
      ...(set.imports && { import: environmentId(set.environment) }),
    };
  }
  for (const [name, single] of model.singles)
    program[singleName(model, name)] = {
      type: "EnvVar",
      inputs: { environmentId: environmentId(0), name, ...single },
      provider: providerOf(model, "single"),
      ...(model.allSingles.deletesFirst && { deletesFirst: true }),
      ...(model.allSingles.imports && { import: `${environmentId(0)}/${name}` }),
    };
  const { branches } = model;
  const power = wantedPower(model);
  if (power !== undefined)
    program[POWER] = { type: "EnvironmentState", inputs: { environmentId: environmentId(0), state: power } };
  if (branches?.looks === true)
    program[LOOKED_AT] = { type: "EnvVarSet", inputs: {}, lookUp: `${environmentId(0)}?names=${SHARED}` };
  if (branches !== undefined && Object.keys(branches.branches).length > 0)
    program[nameOf("b", branches)] = {
      type: "EnvironmentBranches",
      inputs: { environmentId: environmentId(branches.environment), ...branchesInputs(model, branches) },
      provider: providerOf(model, "branches"),
      ...(power !== undefined && branches.environment === 0 && { dependsOn: [POWER] }),
    };
  for (const index of model.listed) {
    const declared = previewVariables(model, index);
    if (declared.size > 0)
      program[previewNames(index).set] = {
        type: "EnvVarSet",
        inputs: { environmentId: environmentId(index), ...mapsOf(declared), ...LISTED },
        provider: providerOf(model, "previews"),
      };
    const deployed = branchesOf(model, index);
    if (deployed?.isPreview !== true) continue;
    const inputs = {
      environmentId: environmentId(index),
      branches: deployed.branches.branches,
      ...LISTED,
      rebuildOn: [{ $output: [previewNames(index).set, "revision"] } satisfies OutputOf],
    };
    program[deployed.name] = { type: "EnvironmentBranches", inputs, provider: providerOf(model, "previews") };
  }
  return program;
}

/** What it only looks at. Each look at hidden variables shows no value. */
function lookedAt({ gets }: ProgramModel, environmentId: string): SimulatedProgram {
  if (gets === undefined) return {};
  const given = gets === "nothing" ? undefined : { environmentId, onConflict: "fail" };
  return {
    got: { type: "EnvVarSet", inputs: { ...given }, lookUp: environmentId },
    "got-one": {
      type: "EnvVar",
      inputs: given === undefined ? {} : { ...given, name: SHARED, value: "any", hidden: true },
      lookUp: `${environmentId}/${SHARED}`,
    },
  };
}

/** The program without the option `import` where the host has none. */
export function imported(program: SimulatedProgram, host: string): SimulatedProgram {
  if (host !== "dynamic") return program;
  return Object.fromEntries(Object.entries(program).map(([name, { import: _id, ...one }]) => [name, one]));
}

/** The program with a limit of time for each create and update. */
export function limited(program: SimulatedProgram, seconds: number | undefined): SimulatedProgram {
  if (seconds === undefined) return program;
  const customTimeouts = { create: seconds, update: seconds };
  return Object.fromEntries(Object.entries(program).map(([name, one]) => [name, { ...one, customTimeouts }]));
}

function mapsOf(declared: ReadonlyMap<string, Declaration>): Properties {
  const map = (hidden: boolean): Properties =>
    Object.fromEntries([...declared].flatMap(([name, one]) => (one.hidden === hidden ? [[name, one.value]] : [])));
  return { variables: map(false), secrets: map(true) };
}

/** A program that stops an environment before branches of it are to be built cannot end: it is taken to want it running. */
export function wantedPower({ power, branches }: ProgramModel): Power | undefined {
  return power === "stopped" && branches !== undefined ? "running" : power;
}

function setInputs({ variables, services, scopes, overwrite, triggers }: SetModel, prune: boolean): Properties {
  const declared = [...scopes].filter(([name]) => variables.has(name));
  return {
    ...mapsOf(variables),
    services,
    ...(declared.length > 0 && { scopes: Object.fromEntries(declared) }),
    ...(overwrite && { onConflict: "overwrite" }),
    ...(prune && { prune: true, keep: ["KEPT_*", "E"] }),
    ...(triggers > 0 && { triggers: { count: String(triggers) } }),
  };
}

function branchesInputs(
  model: ProgramModel,
  { branches, rebuilds, looks, waits, restores, whenStopped, requires, environment }: BranchesModel,
): Properties {
  const looked = looks ? [{ $output: [LOOKED_AT, "revision"] } satisfies OutputOf] : [];
  const sets = (["s", "t"] as const).flatMap((key) => {
    const set = model[key];
    return set?.environment === environment ? [{ $output: [nameOf(key, set), "revision"] } satisfies OutputOf] : [];
  });
  return {
    branches,
    ...(rebuilds && sets.length + looked.length > 0 && { rebuildOn: [...sets, ...looked] }),
    ...(!waits && { waitForBuild: false }),
    ...(restores && { onDestroy: "restore" }),
    ...(whenStopped !== "fail" && { whenStopped }),
    ...(requires.length > 0 && { requires }),
  };
}

/** Pruning beside any other variable resource of the environment is refused by the classes of the SDK. */
export function mayPrune(model: ProgramModel, set: SetModel): boolean {
  const sets = [model.s, model.t].filter((one) => one?.environment === set.environment);
  const hasSingles = set.environment === 0 && model.singles.size > 0;
  const isShared = hasPreview(model, set.environment);
  return set.prune && sets.length === 1 && !hasSingles && !isShared;
}
