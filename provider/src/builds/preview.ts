import type { Environment } from "../client";
import { isBroughtUp, lookAtEnvironment } from "../environment/preview";
import type { PlannedResource, PreviewContext } from "../framework/preview";
import { hasUnknown } from "../framework/planned-outputs";
import { isUnknown, type Properties } from "../framework/properties";
import { canBuild, type Declaration, isFor, triggersRebuild } from "./needed-build";
import { type Branches, changeFor, refuseUnknownRepositories, title, whyNotRunning } from "./projects";
import { stored, unfinishedBuild } from "./state";

/** What is declared, as far as a preview knows it. */
type Planned = PlannedResource<{ readonly [Key in keyof Declaration]?: Declaration[Key] | undefined }>;

/**
 * What an `up` would stumble over, as warnings: an environment that cannot build what is due. One GET of the environment for
 * all resources of a preview; none when no repository is new and no build is due.
 * @throws MissingError when the environment is gone, RefusedError when it lacks a repository
 */
export async function previewBranches(ctx: PreviewContext, planned: Planned): Promise<readonly string[]> {
  const { environmentId = "", branches = {} } = planned.inputs;
  if (!mayBeDue(planned)) return [];
  const environment = await lookAtEnvironment(ctx, environmentId);
  // What a deleted one has is not specified; it may have its repositories once it is revived.
  if (!environment.deleted) refuseUnknownRepositories(environment, branches);
  return isDue(planned, environment) && !isBroughtUp(ctx, environmentId) ? warnOfSleeping(planned, environment) : [];
}

/** Whether a build may be due, as far as state tells. */
function mayBeDue({ inputs, pending, state }: Planned): boolean {
  if (state === undefined || pending.has("branches")) return true;
  const { branches: known = {} } = stored(state);
  const { branches = {} } = inputs;
  const isChanged = Object.entries(branches).some(([repository, branch]) => known[repository] !== branch);
  return isChanged || isTriggered(inputs, pending, state) || unfinishedBuild(state) !== undefined;
}

/** Whether a build will be due with the environment as it is. */
function isDue({ inputs, pending, state }: Planned, environment: Environment): boolean {
  const wanted = knownBranches(inputs.branches);
  if (isTriggered(inputs, pending, state)) return true;
  const unfinished = state && unfinishedBuild(state);
  // That one is looked at: without an environment that runs, it waits.
  if (unfinished !== undefined && isFor(unfinished, wanted)) return false;
  return changeFor(environment, wanted) !== undefined;
}

/** Whether `rebuildOn` asks for a build; what is not known yet comes from something that changes. */
function isTriggered(
  { rebuildOn }: Planned["inputs"],
  pending: ReadonlySet<string>,
  state: Properties | undefined,
): boolean {
  return pending.has("rebuildOn") || hasUnknown(rebuildOn) || triggersRebuild({ rebuildOn }, state);
}

function knownBranches(branches: Branches = {}): Branches {
  return Object.fromEntries(Object.entries(branches).filter(([, branch]) => !isUnknown(branch)));
}

function warnOfSleeping({ inputs: { whenStopped = "fail" } }: Planned, environment: Environment): readonly string[] {
  const flag = whyNotRunning(environment);
  const isOwed = whenStopped === "skip" && flag !== "deleted";
  if (flag === undefined || isOwed || canBuild({ whenStopped }, environment)) return [];
  const advice = flag === "deleted" ? "" : ', or set `whenStopped` to "skip" or "wake"';
  return [
    `environment ${title(environment)} is ${flag}, and a build is due: \`pulumi up\` fails unless the environment is started ` +
      `before, with an EnvironmentState whose state is "running" or in the dashboard${advice}.`,
  ];
}
