import * as pulumi from "@pulumi/pulumi";
import { EnvVarSet } from "../generated/env-var-set";
import { EnvironmentBranches, type EnvironmentBranchesArgs } from "../generated/environment-branches";
import { EnvironmentState } from "../generated/environment-state";
import { getEnvironmentOutput } from "../generated/get-environment";
import { getEnvironmentsOutput } from "../generated/get-environments";
import type { PreviewEnvironmentArgs } from "../generated/preview-environment";
import type { InputKinds } from "../../../provider/src/framework/missing-value-text";
import { dynamicHost } from "./host";
import { checkPlainArgs, type Given, isPlainMap } from "./inputs";

/** What components are made of; those of `pulumi-previewenv/native` of the same of the other host. */
export const dynamicParts = {
  host: dynamicHost,
  EnvVarSet,
  EnvironmentBranches,
  EnvironmentState,
  getEnvironmentOutput,
  getEnvironmentsOutput,
};

/** Classes and functions of one host. */
export type Parts = typeof dynamicParts;

/** Of what resources are made, where, and after what. */
export interface Position {
  readonly parts: Parts;
  readonly parent: pulumi.Resource;
  readonly dependsOn: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/** The children of one environment: their place, and how their names begin. */
interface Children extends Position {
  readonly name: string;
  readonly environmentId: pulumi.Input<string>;
  /** Whether the program has the environment from a list: then `onUnlisted` says what happens when the list lacks it. */
  readonly isListed: boolean;
}

/** What decides about builds: kept as it was while the environment is stopped. */
const building = [
  "branches",
  "rebuildOn",
  "waitForBuild",
] as const satisfies readonly (keyof EnvironmentBranchesArgs)[];

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
  children: Children,
  args: Omit<PreviewEnvironmentArgs, "environment">,
): EnvironmentBranches | undefined {
  const { parts, name, environmentId, isListed } = children;
  const { variableSets = {}, state, branches, rebuildOn, requires, onUnlisted = "keep" } = args;
  // The provider then asks for the environment before it deletes anything.
  const mark = isListed && onUnlisted === "keep" ? { __listed: true } : {};
  const withState = (wanted: typeof state, before: readonly pulumi.Resource[]): readonly EnvironmentState[] =>
    state === undefined || state !== wanted
      ? []
      : [new parts.EnvironmentState(`${name}-state`, { environmentId, state }, waitingFor(children, before))];

  const started = withState("running", []);
  const sets = Object.entries(variableSets)
    // Sorted by name: an entry that moves within the program is no reason to build.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([set, given]) =>
        new parts.EnvVarSet(`${name}-${set}`, { ...given, environmentId, ...mark }, waitingFor(children, started)),
    );
  const stopped = withState("stopped", sets);
  if (branches === undefined && sets.length === 0 && rebuildOn === undefined) return undefined;
  const { waitForBuild, buildTimeoutSeconds, onDestroy, whenStopped } = args;
  const revisions = sets.map(({ revision }) => revision);
  const builds =
    state === "stopped"
      ? { rebuildOn: [], waitForBuild: false }
      : { ...(branches && { branches }), rebuildOn: [...revisions, ...(rebuildOn ?? [])], waitForBuild };
  return new parts.EnvironmentBranches(
    `${name}-branches`,
    { environmentId, ...builds, buildTimeoutSeconds, onDestroy, whenStopped, ...(requires && { requires }), ...mark },
    {
      ...waitingFor(children, [...started, ...sets, ...stopped]),
      ...(state === "stopped" && { ignoreChanges: [...building] }),
    },
  );
}

/** Refuses names that nothing reads: a misspelled one would have no effect and cause no error. @throws pulumi.RunError */
export function refuseOtherNames(label: string, args: Given, names: readonly string[], within = ""): void {
  const other = Object.keys(args).find((name) => !names.includes(name));
  if (other !== undefined)
    throw new pulumi.RunError(
      `${label}: there is no property ${JSON.stringify(within + other)}. There are: ${names.join(", ")}.`,
    );
}

/** Which arguments of a component may be missing, and in which way; the same of what is within them. */
export interface ComponentKinds {
  readonly args: InputKinds;
  readonly variableSets: InputKinds;
}

/**
 * Refuses arguments about one environment that would have no effect, and Outputs where the value decides which children there are.
 * @throws pulumi.RunError
 */
export function checkChildArgs(label: string, args: Given, kinds: ComponentKinds): void {
  const refuse = (text: string): never => {
    throw new pulumi.RunError(`${label}: ${text}`);
  };
  const { variableSets, rebuildOn, state, whenStopped, onUnlisted } = args;
  // What is within the sets has kinds of its own.
  checkPlainArgs(
    label,
    isPlainMap(variableSets) ? { ...args, variableSets: withoutContents(variableSets) } : args,
    kinds.args,
  );
  if (state !== undefined && state !== "running" && state !== "stopped")
    refuse(
      'state must be "running" or "stopped", as plain text: it decides the order of the steps, so it cannot be an Output.',
    );
  if (state === "stopped" && whenStopped === "wake")
    refuse('whenStopped "wake" would start the environment that state "stopped" stops: leave one of them out.');
  if (onUnlisted !== undefined && onUnlisted !== "keep" && onUnlisted !== "delete")
    refuse('onUnlisted must be "keep" or "delete", as plain text.');
  if (rebuildOn !== undefined && !Array.isArray(rebuildOn))
    refuse("rebuildOn must be a list. Its items may be Outputs.");
  if (variableSets === undefined) return;
  if (!isPlainMap(variableSets))
    return refuse("variableSets must be a plain object of sets by name. The properties of a set may be Outputs.");
  for (const [set, given] of Object.entries(variableSets)) {
    if (!isPlainMap(given)) return refuse(`variableSets.${set} must be a plain object. Its properties may be Outputs.`);
    checkPlainArgs(label, given, kinds.variableSets, `variableSets.${set}.`);
  }
}

function withoutContents(map: Given): Given {
  return Object.fromEntries(Object.entries(map).map(([name, one]) => [name, isPlainMap(one) ? {} : one]));
}
