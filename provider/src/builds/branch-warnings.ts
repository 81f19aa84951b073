import type { Environment } from "../client/environments";
import { environmentTitle } from "../client/error-text";
import { buildsSince } from "../environment/build-history";
import { environmentForPreview, variablesForPreview } from "../environment/preview-reads";
import type { Context } from "../framework/context";
import type { PlannedResource } from "../framework/preview-looks";
import { hasUnknown, isUnknown } from "../framework/properties";
import { buildFacts, type Due, isAskedFor, newestSuccess, whatIsDue } from "./due-build";
import { newestFailedTexts, withNewestBuild } from "./unknown-builds";
import type { KnownInput } from "./branches-inputs";
import { startAdvice, stoppingFlagOf } from "./not-running";
import { refuseUndeclarable } from "./projects";
import { missingVariables } from "./required-variables";
import { parseState } from "./state";

/**
 * Warnings of what is in the way of an `up`: an environment that cannot build what is due, and variables that the build requires
 * and that are missing. All resources of a preview share one GET of the environment, and one of its variables when some are required. Its
 * builds are read since a pending one was asked for, and the newest when nothing else may be due. Nothing is read unless branches or `rebuildOn`
 * changed or may have, or a build is pending.
 * @throws RefusedError when the environment is gone, lacks a declared repository, or has two of one name
 */
export async function branchWarnings(
  ctx: Context,
  { inputs, unknowns, state }: PlannedResource<KnownInput>,
): Promise<readonly string[]> {
  const { environmentId = "", branches: declared = {}, requires = [] } = inputs;
  const known = buildFacts(inputs, state);
  // An unknown value in `rebuildOn` comes from something that changes, so it counts as changed. Unknown branches count as no difference.
  const isTriggerUnknown = unknowns.has("rebuildOn") || hasUnknown(inputs.rebuildOn);
  const branches = Object.fromEntries(Object.entries(declared).filter(([, branch]) => !isUnknown(branch)));
  const facts = { ...known, branches, isTriggered: known.isTriggered || isTriggerUnknown };
  const isNew = facts.isDeclaredAnew || facts.isTriggered || unknowns.has("branches");
  const { pending, build } = parseState(state ?? {});
  if (!isNew && pending === undefined) return [];
  const environment = await environmentForPreview(ctx, environmentId);
  refuseUndeclarable(environment, Object.keys(declared));
  const newBuilds = pending?.status === "asked" ? await buildsSince(ctx, environment, pending) : [];
  const situation = await withNewestBuild(ctx, { ...facts, environment, newBuilds });
  const due = whatIsDue(situation);
  const failure = newestFailedTexts(situation, "a build is due");
  const isUndecided = unknowns.has("whenStopped") && !environment.deleted;
  if (due === "refuse" || due === "postpone") {
    const text = stoppedText(environment, isUndecided ? "undecided" : due);
    return [...failure, text];
  }
  if (due === "nothing" || due === "record") return [];
  const wakes = stoppingFlagOf(environment) === undefined ? [] : [stoppedText(environment, due)];
  if (due === "join") return wakes;
  // Row 2c of the table of builds, for a build that no `up` is known to have waited for. One that it has waited for was an error of that `up`.
  const isAwaited = build === undefined && !facts.isTriggered && isAskedFor(facts.pending, branches);
  const isUnseen = isAwaited && newestSuccess(newBuilds, branches) === undefined;
  const unseen = isUnseen && facts.waitForBuild ? [unseenText(environment)] : [];
  return [...failure, ...unseen, ...wakes, ...(await missingWarnings(ctx, environment, requires))];
}

function unseenText(environment: Environment): string {
  return (
    `environment ${environmentTitle(environment)}: the build that an earlier \`pulumi up\` requested was not seen to succeed. ` +
    "`pulumi up` requests another one."
  );
}

/** A warning of what the `up` does in an environment that does not run. With `join`, no build is due. */
function stoppedText(environment: Environment, due: Due | "undecided"): string {
  const cause = due === "join" ? "" : ", and a build is due";
  const what = `environment ${environmentTitle(environment)} is ${stoppingFlagOf(environment)}${cause}: unless an EnvironmentState of this program starts it before, \`pulumi up\``;
  if (due === "undecided") return `${what} does what \`whenStopped\` says, which is not known yet.`;
  if (due === "postpone") return `${what} does not request the build: it is postponed.`;
  if (due === "refuse") return `${what} fails. Start it ${startAdvice(environment, "fail")}.`;
  return `${what} starts the environment.`;
}

/** Required variables that the environment will not have: neither it nor the program has them, or the program deletes them. */
async function missingWarnings(
  ctx: Context,
  environment: Environment,
  requires: readonly string[],
): Promise<readonly string[]> {
  const { names, droppedVariables, hasUnknownNames } = ctx.environment(environment.id);
  if (hasUnknownNames) return [];
  const required = requires.filter((name) => !isUnknown(name) && !names.isDeclared(name));
  if (required.length === 0) return [];
  const answer = await variablesForPreview(ctx, environment.id);
  if (answer === "deleted") return [];
  const own = [...answer.variables.keys()].filter((name) => !droppedVariables.has(name));
  const missing = missingVariables(
    environment,
    new Set([...own, ...answer.inherited.map(({ name }) => name)]),
    required,
  );
  if (missing === undefined) return [];
  return [`${missing.text}${missing.isCertain ? ": `pulumi up` fails unless that changes." : "."}`];
}
