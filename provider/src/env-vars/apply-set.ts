import { nameList, shortNameList } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import type { Written } from "../framework/resource";
import { hasChanged, reasonsOfFailures, recordAfter } from "./after-write";
import { changeVariables } from "./change-variables";
import type { OnConflict } from "./on-conflict";
import { isDue } from "./plan";
import { failureText, variableCount } from "./failure-text";
import { type JobOutcome, isUncertain } from "./variables-job";
import { declaredIn, isTriggered, storedFor, storedVariables, toState } from "./env-var-set-state";
import { markIfMissingInInputs } from "./secrets-missing-in-inputs";
import { isOwn, type SetDeclaration } from "./variable";

/**
 * Brings an environment to what a set declares, starting from what state has. What some names were refused for is open.
 * @throws whatever ended the writing, when nothing was done at all: state stays as it was.
 */
export async function applySet(
  ctx: Context,
  input: SetDeclaration & Properties & { readonly onConflict: OnConflict },
  before?: Properties,
): Promise<Written> {
  const { environmentId, onConflict } = input;
  const old = before ?? {};
  let done: JobOutcome;
  try {
    done = await changeVariables({
      ctx,
      environmentId,
      onConflict,
      operation: before === undefined ? "create" : "update",
      stored: storedFor(old, input),
      declared: declaredIn(input),
      isTriggered: isTriggered(old, input),
    });
  } catch (error) {
    return keepStateOrThrow(ctx, environmentId, old, error);
  }
  const { steps, results, abortedBy } = done;
  const failed = reasonsOfFailures(done);
  // What was found and not written is in state all the same: the resource that had it before does not own it any more.
  const isNothingDone = ![...results.values()].some((result) => result.outcome === "deleted" || "now" in result);
  if (failed.size > 0 && isNothingDone && abortedBy !== undefined)
    return keepStateOrThrow(ctx, environmentId, old, abortedBy);
  // After an update that failed in part the engine still has the inputs from before. After a create it has the new ones.
  const hasOldInputs = failed.size > 0 && before !== undefined;
  const now = steps.flatMap((step) => {
    const record = recordAfter(step, results.get(step.name));
    if (record === undefined) return [];
    return [isOwn(record) ? markIfMissingInInputs(record, step, hasOldInputs) : record];
  });
  const revision = hasChanged(done) || before === undefined ? ctx.randomId() : old["revision"];
  sayWhatWasDone(ctx, environmentId, done);
  const written = { id: environmentId, state: toState(input, now, revision) };
  return failed.size === 0
    ? written
    : { ...written, unfinishedReasons: [unfinishedText(ctx, environmentId, done, failed)] };
}

/**
 * An update that has done nothing. State stays as it was, without what an import of this run has only looked at: the next `up` would
 * take that for the set's own, and delete it.
 * @throws the error where nothing was looked at
 */
function keepStateOrThrow(ctx: Context, environmentId: string, old: Properties, error: unknown): Written {
  const { variables } = ctx.environment(environmentId);
  const stored = storedVariables(old);
  const own = [...stored.values()].filter(({ name }) => !variables.isOnlyImported(name));
  if (!(error instanceof PreviewenvError) || own.length === stored.size) throw error;
  return { id: environmentId, state: toState(old, own, old["revision"]), unfinishedReasons: [error.message] };
}

/** One line, such as `environment …: 3 written (A, B, C), 1 deleted (D)`. */
function sayWhatWasDone(ctx: Context, environmentId: string, { steps, results }: JobOutcome): void {
  const parts = (["written", "deleted"] as const).flatMap((what) => {
    const names = steps.flatMap(({ name }) => (results.get(name)?.outcome === what ? [name] : []));
    return names.length === 0 ? [] : [`${names.length} ${what} (${shortNameList(names)})`];
  });
  if (parts.length > 0) ctx.log.info(`environment ${ctx.client.titleOf(environmentId)}: ${parts.join(", ")}`);
}

/** The text of a partial failure. */
function unfinishedText(
  ctx: Context,
  environmentId: string,
  { steps, results }: JobOutcome,
  failed: ReadonlyMap<string, string>,
): string {
  const uncertain = [...results].flatMap(([name, result]) => (isUncertain(result) ? [name] : []));
  const summary =
    `${failed.size} of ${variableCount(steps.filter(isDue).length)} of environment ${ctx.client.titleOf(environmentId)} could not be written or deleted. ` +
    "State holds what the service stored" +
    (uncertain.length === 0 ? "" : `, and the names that it may have stored (${nameList(uncertain)})`) +
    ". The next `pulumi up` sends only what is missing.";
  return failureText(summary, failed);
}
