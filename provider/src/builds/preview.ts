import type { Environment } from "../client";
import { environmentTitle } from "../client/error-text";
import { declaredState, isBroughtUp, noteDueBuild } from "../environment/declared-state";
import { lookAtEnvironment, lookAtVariables } from "../environment/preview";
import type { PlannedResource, PreviewContext } from "../framework/preview";
import { hasUnknown, isUnknown } from "../framework/properties";
import {
  type Due,
  dueBuild,
  isDeclaredAnew,
  type PlannedDeclaration,
  type Situation,
  situationOf,
  triggersRebuild,
} from "./due-build";
import { refuseUnknownRepositories, startAdvice, whyNotRunning } from "./projects";
import { missingVariables } from "./required-variables";
import { stored, unfinishedOf } from "./state";

/** What is declared, as far as a preview knows it. */
type Planned = PlannedResource<PlannedDeclaration>;

/** The flags of an environment that the program starts. */
const RUNNING = { stopped: false, retired: false, deleted: false };

/** What an `up` decides only after it has read more. */
const OPEN: readonly Due[] = ["readBuilds", "readRunning"];

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
  const isStarted = isBroughtUp(ctx, environmentId);
  const situation = plannedSituation(planned, isStarted ? { ...environment, ...RUNNING } : environment);
  const due = dueBuild(situation);
  if (due === "nothing" || due === "join" || due === "keep") return [];
  if (whenStopped === "fail" && isDeclaredAnew(situation)) {
    const isCertain = situation.differs || (!isTriggerUnknown(planned) && !OPEN.includes(due));
    const contradiction = noteDueBuild(ctx, environmentId, isCertain ? "certain" : "likely");
    if (contradiction !== undefined) return [contradiction];
  }
  return [
    ...(whyNotRunning(situation.environment) === undefined ? [] : [sleepingText(ctx, situation, due)]),
    ...(due === "refuse" || due === "owe" ? [] : await warnOfMissing(ctx, planned, environment)),
  ];
}

/** Whether a build may be due, as far as state tells. */
function mayBeDue({ inputs, unknowns, state }: Planned): boolean {
  if (state === undefined || unknowns.has("branches")) return true;
  const { branches: storedBranches = {}, pending } = stored(state);
  const { branches = {} } = inputs;
  const isChanged = Object.entries(branches).some(([repository, branch]) => storedBranches[repository] !== branch);
  return isChanged || isTriggered({ inputs, unknowns, state }) || unfinishedOf(pending) !== undefined;
}

/** What decides, as far as a preview knows it: branches that are not known yet differ from nothing. */
function plannedSituation(planned: Planned, environment: Environment): Situation {
  const { inputs, state } = planned;
  const branches = Object.fromEntries(Object.entries(inputs.branches ?? {}).filter(([, branch]) => !isUnknown(branch)));
  const { pending } = stored(state ?? {});
  return { ...situationOf({ ...inputs, branches }, state, pending, environment), isTriggered: isTriggered(planned) };
}

/** Whether `rebuildOn` asks for a build; what is not known yet comes from something that changes. */
function isTriggered(planned: Planned): boolean {
  return isTriggerUnknown(planned) || triggersRebuild(planned.inputs, planned.state);
}

function isTriggerUnknown({ inputs, unknowns }: Planned): boolean {
  return unknowns.has("rebuildOn") || hasUnknown(inputs.rebuildOn);
}

/** What the `up` does about a build that is due, or may be, in an environment that sleeps. */
function sleepingText(ctx: PreviewContext, { environment }: Situation, due: Due): string {
  const isDue = OPEN.includes(due) ? "may be due" : "is due";
  const what = `environment ${environmentTitle(environment)} is ${whyNotRunning(environment)}, and a build ${isDue}: \`pulumi up\``;
  if (due === "owe") return `${what} does not request it. It is owed until the environment runs again.`;
  if (due !== "refuse") return `${what} starts the environment.`;
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
  const listed = await lookAtVariables(ctx, environmentId);
  if (listed === "deleted") return [];
  const missing = missingVariables(environment, listed, required);
  if (missing === undefined) return [];
  return [`${missing.text}${missing.isCertain ? ": `pulumi up` fails unless they are added before." : "."}`];
}
