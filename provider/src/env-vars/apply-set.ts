import { nameList, shortNameList } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import type { LiveResource } from "../framework/resource";
import { changeVariables } from "./change-variables";
import type { OnConflict } from "./conflict";
import { keptTexts, lookedUpTexts, prunedLaterTexts } from "./staying-variables";
import { declaredVariables, storedAndDeclared, storedVariables, toState } from "./env-var-set-state";
import {
  type DoneStep,
  failureText,
  hasChanged,
  recordFromAnswer,
  recordAfter,
  variableCount,
  whyNotDone,
} from "./results";
import { hasWork } from "./steps";

type SetInput = Properties & { readonly environmentId: string; readonly onConflict: OnConflict };

/**
 * Brings an environment to what a set declares, starting from what state has. A create has no `old`.
 * @throws whatever ended the writing, when nothing was done at all: state stays as it was.
 */
export async function applySet(ctx: Context, input: SetInput, old?: Properties): Promise<LiveResource> {
  const { environmentId, onConflict } = input;
  const both = storedAndDeclared(old ?? {}, input, ctx.environment(environmentId));
  try {
    const change = { environmentId, onConflict, isCreate: old === undefined, ...both };
    const { steps, endedBy } = await changeVariables(ctx, change);
    // A variable that was taken over needed no write, but its earlier resource does not own it any more: state must have it.
    if (endedBy !== undefined && steps.every((step) => recordFromAnswer(step) === undefined)) throw endedBy;
    return writtenSet(ctx, input, old, steps);
  } catch (error) {
    if (!both.isImported || !(error instanceof PreviewenvError)) throw error;
    return withoutForgotten(environmentId, input, old ?? {}, error.message);
  }
}

/** Says what a write has done, and gives state after it. The reasons of names that failed are the reasons why it is not finished. */
function writtenSet(
  ctx: Context,
  input: SetInput,
  old: Properties | undefined,
  steps: readonly DoneStep[],
): LiveResource {
  const { environmentId: id } = input;
  const failed = whyNotDone(steps);
  sayWhatWasDone(ctx, input, steps, failed);
  const records = steps.flatMap((step) => recordAfter(step) ?? []);
  const revision = old === undefined || hasChanged(steps) ? ctx.randomId() : old["revision"];
  const state = toState(input, records, revision);
  return failed.size === 0 ? { id, state } : { id, state, unfinishedReasons: [unfinishedText(ctx, id, steps, failed)] };
}

/**
 * State after an update that has done nothing and follows an import: without the names that the program does not declare. The next `up`
 * would take them for the set's own, and delete them.
 */
function withoutForgotten(id: string, input: SetInput, old: Properties, reason: string): LiveResource {
  const declared = new Set(declaredVariables(input).map(({ name }) => name));
  const kept = [...storedVariables(old).values()].filter(({ name }) => declared.has(name));
  return { id, state: toState(old, kept, old["revision"]), unfinishedReasons: [reason] };
}

/** One line, such as `environment …: 3 written (A, B, C), 1 deleted (D)`. */
function sayWhatWasDone(
  ctx: Context,
  input: SetInput,
  steps: readonly DoneStep[],
  failed: ReadonlyMap<string, string>,
): void {
  const { environmentId } = input;
  const parts = ["written", "deleted"].flatMap((outcome) => {
    const done = steps.filter(({ name, result }) => result?.outcome === outcome && !failed.has(name));
    return done.length === 0 ? [] : [`${done.length} ${outcome} (${shortNameList(done.map(({ name }) => name))})`];
  });
  if (parts.length > 0) ctx.log.info(`environment ${ctx.client.titleOf(environmentId)}: ${parts.join(", ")}`);
  for (const text of keptTexts(ctx, environmentId, steps)) ctx.log.info(text);
  for (const text of lookedUpTexts(ctx, environmentId, steps)) ctx.log.warn(text);
  for (const text of prunedLaterTexts(ctx, environmentId, steps, input)) ctx.log.warn(text);
}

/** The text of a partial failure. */
function unfinishedText(
  ctx: Context,
  environmentId: string,
  steps: readonly DoneStep[],
  failed: ReadonlyMap<string, string>,
): string {
  const uncertain = steps.flatMap(({ name, result }) => (result?.outcome === "uncertain" ? [name] : []));
  // A plain one may not know in time that the name is the stack's own: that would be a conflict.
  const { names } = ctx.environment(environmentId);
  const isMove = steps.some((step) => failed.has(step.name) && !recordAfter(step) && names.isSeen(step.name));
  const due = steps.filter((step) => hasWork(step) && step.action !== "forget");
  const summary =
    `${failed.size} of ${variableCount(due.length)} of environment ${ctx.client.titleOf(environmentId)} could not be written or deleted. ` +
    "State holds what the service stored" +
    (uncertain.length === 0 ? "" : `, and the names that it may have stored (${nameList(uncertain)})`) +
    `. The next \`pulumi up${isMove ? " --refresh" : ""}\` sends only what is missing.`;
  return failureText(summary, failed);
}
