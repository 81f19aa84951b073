import type { Environment } from "../client";
import { environmentTitle } from "../client/error-text";
import { declaredState, noteDueBuildOrRefuse, asStartedByProgram } from "../environment/declared-state";
import { environmentForPreview, variablesForPreview } from "../environment/preview-reads";
import type { PlannedResource, PreviewContext } from "../framework/preview-looks";
import { hasUnknown, isUnknown } from "../framework/properties";
import { dependsOnBuilds, dependsOnRunning, type Due, dueBuild, isDeclaredAnew, buildFacts } from "./due-build";
import type { KnownInput } from "./inputs";
import { changeFor, refuseUnknownRepositories, startAdvice, whyNotRunning } from "./projects";
import { missingVariables } from "./required-variables";
import { parseState } from "./state";

/**
 * What an `up` would stumble over, as warnings: an environment that cannot build what is due, and variables that the build requires
 * and that are missing. One GET of the environment for all resources of a preview, and one of its variables when some are
 * required. None when no repository is new and no build is due.
 * @throws MissingError when the environment is gone, RefusedError when it lacks a repository
 */
export async function branchWarnings(
  ctx: PreviewContext,
  { inputs, unknowns, state }: PlannedResource<KnownInput>,
): Promise<readonly string[]> {
  const { environmentId = "", branches: declared = {}, whenStopped = "fail", requires = [] } = inputs;
  const known = buildFacts(inputs, state, parseState(state ?? {}).pending);
  // What is not known yet comes from something that changes. But branches that are not known yet differ from nothing.
  const isTriggerUnknown = unknowns.has("rebuildOn") || hasUnknown(inputs.rebuildOn);
  const branches = Object.fromEntries(Object.entries(declared).filter(([, branch]) => !isUnknown(branch)));
  const facts = { ...known, branches, isTriggered: known.isTriggered || isTriggerUnknown };
  const isNew = facts.isCreate || facts.isRedeclared || facts.isTriggered || unknowns.has("branches");
  if (!isNew && facts.awaited === undefined) return [];
  const shown = await environmentForPreview(ctx, environmentId);
  refuseUnknownRepositories(shown, Object.keys(declared));
  const environment = asStartedByProgram(ctx, shown);
  const situation = { ...facts, environment };
  const due = dueBuild(situation);
  if (due === "nothing" || due === "join" || due === "keep") return [];
  // What an `up` decides only after it has read more.
  const isUndecided = dependsOnBuilds(situation) || dependsOnRunning(situation);
  const isCertain = changeFor(environment, branches) !== undefined || !(isTriggerUnknown || isUndecided);
  if (whenStopped === "fail" && isDeclaredAnew(situation)) {
    const refusal = noteDueBuildOrRefuse(ctx, environmentId, isCertain ? "certain" : "likely");
    if (refusal !== undefined) return [refusal];
  }
  return [
    ...(whyNotRunning(environment) === undefined ? [] : [sleepingText(ctx, environment, due, isUndecided)]),
    ...(due === "refuse" || due === "owe" ? [] : await warnOfMissing(ctx, shown, requires)),
  ];
}

/** What the `up` does about a build that is due, or may be, in an environment that sleeps. */
function sleepingText(ctx: PreviewContext, environment: Environment, due: Due, isUndecided: boolean): string {
  const isDue = isUndecided ? "may be due" : "is due";
  const what = `environment ${environmentTitle(environment)} is ${whyNotRunning(environment)}, and a build ${isDue}: \`pulumi up\``;
  if (due === "owe") return `${what} does not request it. It is owed until the environment runs again.`;
  if (due !== "refuse") return `${what} starts the environment.`;
  const isDeclared = declaredState(ctx.environment(environment.id)).desired === "running";
  return `${what} fails unless the environment is started before, ${startAdvice(environment, isDeclared)}.`;
}

/** Required variables that neither the environment nor the program has, as far as the engine has shown. */
async function warnOfMissing(
  ctx: PreviewContext,
  environment: Environment,
  requires: readonly string[],
): Promise<readonly string[]> {
  const { names } = ctx.environment(environment.id);
  const required = requires.filter((name) => !isUnknown(name) && !names.isDeclared(name));
  if (required.length === 0) return [];
  const answer = await variablesForPreview(ctx, environment.id);
  if (answer === "deleted") return [];
  const missing = missingVariables(environment, answer, required);
  if (missing === undefined) return [];
  return [`${missing.text}${missing.isCertain ? ": `pulumi up` fails unless they are added before." : "."}`];
}
