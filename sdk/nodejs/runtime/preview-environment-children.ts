import * as pulumi from "@pulumi/pulumi";
import type { EnvVarSet } from "../generated/env-var-set";
import type { EnvironmentBranches, EnvironmentBranchesArgs } from "../generated/environment-branches";
import type { EnvironmentState } from "../generated/environment-state";
import type { Host } from "./host";
import { checkPlainArgs, type Given, isPlainMap } from "./inputs";
import type { PreviewEnvironmentArgs } from "../generated/preview-environment";
import { previewEnvironmentArgs, previewEnvironmentKinds } from "../generated/component-args";

/** What to declare for one environment. */
export type ChildArgs = Omit<PreviewEnvironmentArgs, "environment">;

/** What an environment is declared with: the classes of one host. */
export interface ChildClasses {
  readonly host: Host;
  readonly EnvVarSet: typeof EnvVarSet;
  readonly EnvironmentBranches: typeof EnvironmentBranches;
  readonly EnvironmentState: typeof EnvironmentState;
}

/** Where resources are declared, and after what. */
interface Position {
  readonly parent: pulumi.Resource;
  readonly dependsOn: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/** The children of one environment: their place, and how their names begin. */
export interface Children extends Position {
  readonly name: string;
  readonly environmentId: pulumi.Input<string>;
  /** Whether they come from a list, and stay on the service when it does not have their environment any more. Default false. */
  readonly isKept?: boolean;
}

/** What tells the provider that a list gave the environment: it asks for the environment before it deletes anything. */
const LISTED = { __listed: true };

const childArgs: readonly string[] = previewEnvironmentArgs.filter((name) => name !== "environment");

/** What decides about builds: kept as it was while the environment is stopped. */
const building: readonly (keyof EnvironmentBranchesArgs)[] = ["branches", "rebuildOn", "waitForBuild"];

/** Options of a child or a look that also waits for other children. */
export function waitingFor(
  { parent, dependsOn }: Position,
  others: readonly pulumi.Resource[],
): pulumi.InvokeOutputOptions & pulumi.CustomResourceOptions {
  const merged = pulumi.mergeOptions({ dependsOn }, { dependsOn: [...others] });
  return { parent, dependsOn: merged.dependsOn ?? [] };
}

/**
 * Declares one environment: its state, its variables, then its branches with one build at most. Returns what deploys, when
 * there is anything to deploy.
 */
export function declareChildren(
  classes: ChildClasses,
  children: Children,
  args: ChildArgs,
): EnvironmentBranches | undefined {
  const { name, environmentId, isKept = false } = children;
  const mark = isKept ? LISTED : {};
  const withState = (
    state: PreviewEnvironmentArgs["state"],
    before: readonly pulumi.Resource[],
  ): readonly EnvironmentState[] =>
    state === undefined || state !== args.state
      ? []
      : [new classes.EnvironmentState(`${name}-state`, { environmentId, state }, waitingFor(children, before))];

  const started = withState("running", []);
  const sets = Object.entries(args.variableSets ?? {})
    // Sorted by name: an entry that moves within the program is no reason to build.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([set, given]) =>
        new classes.EnvVarSet(`${name}-${set}`, { ...given, environmentId, ...mark }, waitingFor(children, started)),
    );
  const stopped = withState("stopped", sets);
  if (args.branches === undefined && sets.length === 0 && args.rebuildOn === undefined) return undefined;
  const { buildTimeoutSeconds, onDestroy, whenStopped, requires } = args;
  const given = { ...buildsOf(args, sets), ...(requires !== undefined && { requires }) };
  return new classes.EnvironmentBranches(
    `${name}-branches`,
    { environmentId, ...given, buildTimeoutSeconds, onDestroy, whenStopped, ...mark },
    {
      ...waitingFor(children, [...started, ...sets, ...stopped]),
      ...(args.state === "stopped" && { ignoreChanges: [...building] }),
    },
  );
}

function buildsOf(
  { state, branches, rebuildOn = [], waitForBuild }: ChildArgs,
  sets: readonly EnvVarSet[],
): Pick<EnvironmentBranchesArgs, "branches" | "rebuildOn" | "waitForBuild"> {
  if (state === "stopped") return { rebuildOn: [], waitForBuild: false };
  const revisions = sets.map(({ revision }) => revision);
  return { ...(branches !== undefined && { branches }), rebuildOn: [...revisions, ...rebuildOn], waitForBuild };
}

/**
 * Refuses arguments that would have no effect, and Outputs where the value decides which children there are. `known` are
 * the names of the arguments: a misspelled one would have no effect and cause no error.
 * @throws pulumi.RunError
 */
export function checkChildArgs(label: string, args: Given, known: readonly string[] = childArgs): void {
  const refuse = (text: string): never => {
    throw new pulumi.RunError(`${label}: ${text}`);
  };
  const unknown = Object.keys(args).find((property) => !known.includes(property));
  if (unknown !== undefined) refuse(`there is no property ${JSON.stringify(unknown)}. There are: ${known.join(", ")}.`);
  const { environment, variableSets, rebuildOn, state, whenStopped } = args;
  // What is within these two has kinds of its own.
  const outer = {
    ...args,
    ...(isPlainMap(environment) && { environment: {} }),
    ...(isPlainMap(variableSets) && { variableSets: withoutContents(variableSets) }),
  };
  checkPlainArgs(label, outer, previewEnvironmentKinds.args);
  if (state !== undefined && state !== "running" && state !== "stopped")
    refuse(
      'state must be "running" or "stopped", as plain text: it decides the order of the steps, so it cannot be an Output.',
    );
  if (state === "stopped" && whenStopped === "wake")
    refuse('whenStopped "wake" would start the environment that state "stopped" stops: leave one of them out.');
  if (rebuildOn !== undefined && !Array.isArray(rebuildOn))
    refuse("rebuildOn must be a list; its items may be Outputs.");
  if (variableSets === undefined) return;
  if (!isPlainMap(variableSets))
    return refuse("variableSets must be a plain object of sets by name; the properties of a set may be Outputs.");
  for (const [set, given] of Object.entries(variableSets)) {
    if (!isPlainMap(given)) return refuse(`variableSets.${set} must be a plain object; its properties may be Outputs.`);
    checkPlainArgs(label, given, previewEnvironmentKinds.variableSets, `variableSets.${set}.`);
  }
}

function withoutContents(map: Given): Given {
  return Object.fromEntries(Object.entries(map).map(([name, one]) => [name, isPlainMap(one) ? {} : one]));
}
