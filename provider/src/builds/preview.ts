import type { Environment } from "../client";
import { environmentTitle } from "../client/error-text";
import { contradictionText, declaredState, isBroughtUp } from "../environment/declared-state";
import { lookAtEnvironment, lookAtVariables } from "../environment/preview";
import { RefusedError } from "../framework/partial-failure";
import type { PlannedResource, PreviewContext } from "../framework/preview";
import { hasUnknown } from "../framework/planned-outputs";
import { isUnknown, type Properties } from "../framework/properties";
import { canBuild, type Declaration, isDeclaredAnew, triggersRebuild } from "./needed-build";
import { type Branches, changeFor, refuseUnknownRepositories, startAdvice, whyNotRunning } from "./projects";
import { missingText, missingVariables } from "./required-variables";
import { stored, unfinishedBuild } from "./state";

/** What is declared, as far as a preview knows it. */
type Planned = PlannedResource<{ readonly [Key in keyof Declaration]?: Declaration[Key] | undefined }>;

/**
 * What an `up` would stumble over, as warnings: an environment that cannot build what is due, and variables that the build requires
 * and that are missing. One GET of the environment for all resources of a preview, and one of its variables when some are
 * required; none when no repository is new and no build is due.
 * @throws MissingError when the environment is gone, RefusedError when it lacks a repository
 */
export async function previewBranches(ctx: PreviewContext, planned: Planned): Promise<readonly string[]> {
  const { environmentId = "", branches = {}, whenStopped = "fail" } = planned.inputs;
  if (!mayBeDue(planned)) return [];
  const environment = await lookAtEnvironment(ctx, environmentId);
  // What a deleted one has is not specified; it may have its repositories once it is revived.
  if (!environment.deleted) refuseUnknownRepositories(environment, branches);
  const isNew = isDue(planned, environment);
  const contradiction = isNew && whenStopped === "fail" ? besideStop(ctx, planned, environment) : [];
  const isBuilt = canBuild({ whenStopped }, environment) || isBroughtUp(ctx, environmentId);
  const isAsleep = whyNotRunning(environment) !== undefined && !isBroughtUp(ctx, environmentId);
  const hasUnfinished = planned.state !== undefined && unfinishedBuild(planned.state) !== undefined;
  if (contradiction.length > 0) return contradiction;
  return [
    ...(isAsleep && (isNew || (isBuilt && hasUnfinished)) ? [sleepingText(ctx, environment, whenStopped)] : []),
    ...(isBuilt && (isNew || hasUnfinished) ? await warnOfMissing(ctx, planned, environment) : []),
  ];
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
  const branches = knownBranches(inputs.branches);
  if (isTriggered(inputs, pending, state)) return true;
  // An unfinished build of them is looked at: without an environment that runs, it waits.
  return changeFor(environment, branches) !== undefined && isDeclaredAnew({ ...inputs, branches }, state);
}

/**
 * Why the program cannot stop the environment while a build is due. An EnvironmentState that is shown later says it itself.
 * @throws RefusedError when the build is due for certain
 */
function besideStop(ctx: PreviewContext, planned: Planned, environment: Environment): readonly string[] {
  const { inputs, pending } = planned;
  const isCertain =
    changeFor(environment, knownBranches(inputs.branches)) !== undefined ||
    (!pending.has("rebuildOn") && !hasUnknown(inputs.rebuildOn));
  const state = declaredState(ctx.environment(environment.id));
  state.dueBuild = isCertain ? "certain" : "likely";
  if (state.wanted !== "stopped") return [];
  const text = contradictionText(ctx, environment.id);
  if (isCertain) throw new RefusedError(text);
  return [text];
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

/** What the `up` does about a build that is due. */
function sleepingText(ctx: PreviewContext, environment: Environment, whenStopped: Declaration["whenStopped"]): string {
  const flag = whyNotRunning(environment);
  const what = `environment ${environmentTitle(environment)} is ${flag}, and a build is due: \`pulumi up\``;
  if (flag !== "deleted" && whenStopped === "wake") return `${what} starts the environment.`;
  if (flag !== "deleted" && whenStopped === "skip")
    return `${what} does not request it. It is owed until the environment runs again.`;
  const isDeclared = declaredState(ctx.environment(environment.id)).wanted === "running";
  return `${what} fails unless the environment is started before, ${startAdvice(environment, isDeclared)}.`;
}

/** Required variables that neither the environment nor the program has, as far as the engine has shown. */
async function warnOfMissing(
  ctx: PreviewContext,
  { inputs: { environmentId = "", requires = [] } }: Planned,
  environment: Environment,
): Promise<readonly string[]> {
  const { variables } = ctx.environment(environmentId);
  const required = requires.filter((name) => !isUnknown(name) && !variables.isWanted(name));
  if (required.length === 0) return [];
  const found = await lookAtVariables(ctx, environmentId);
  if (found === "deleted") return [];
  const missing = missingVariables(found, required);
  if (missing.names.length === 0) return [];
  const outcome = missing.isCertain ? ": `pulumi up` fails unless they are added before." : ".";
  return [`${missingText(environment, missing)}${outcome}`];
}
