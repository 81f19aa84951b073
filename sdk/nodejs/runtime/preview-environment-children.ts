import * as pulumi from "@pulumi/pulumi";
import { EnvVarSet } from "../generated/env-var-set";
import { EnvironmentBranches, type EnvironmentBranchesArgs } from "../generated/environment-branches";
import { EnvironmentState } from "../generated/environment-state";
import { getEnvironmentOutput } from "../generated/get-environment";
import { getEnvironmentsOutput } from "../generated/get-environments";
import type { PreviewEnvironmentArgs } from "../generated/preview-environment";
import { dynamicHost } from "./host";

/** What components are made of. Those of `pulumi-previewenv/native` of the same of the other host. */
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
    .toSorted(([name1], [name2]) => (name1 < name2 ? -1 : 1))
    .map(
      ([set, setArgs]) =>
        new parts.EnvVarSet(`${name}-${set}`, { ...setArgs, environmentId, ...mark }, waitingFor(children, started)),
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
