import { nameList } from "../client/error-text";
import {
  ApiError,
  CancelledError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PreviewenvError,
  ServerError,
} from "../client/errors";
import type { Context } from "../framework/context";
import { explainNotFound } from "../environment/existence";
import { IncompleteError } from "../framework/errors";
import type { JobOutcome } from "./variables-job";
import { matchAnswer, type TimesBefore } from "./upsert-answer";
import { withoutValue, type Variable } from "./variable";

/** No mask: the engine may have this variable in a place that it does not encrypt. */
const UNANSWERED = "its write got no answer";
const CONTENT_TOO_LARGE = 413;
const NOT_SENT = "not sent, because an earlier request failed";

/** A write of variables of one environment. */
export interface Writing {
  readonly ctx: Context;
  readonly environmentId: string;
  readonly before: TimesBefore;
  /** Where the result goes. */
  readonly done: JobOutcome;
}

/**
 * Writes variables in batches, one after the other. A batch that the service answers with anything but 200 or 207 ends
 * the writing. What was stored until then is known exactly. `isOnce`: a request goes out once at most, since what it carries was just
 * read, and somebody else may change it.
 */
export async function putInBatches(writing: Writing, variables: readonly Variable[], isOnce = false): Promise<void> {
  const { ctx, done } = writing;
  let unsent = variables;
  while (unsent.length > 0 && done.abortedBy === undefined) {
    const batch = unsent.slice(0, ctx.batch.size);
    if ((await put(writing, batch, isOnce)) === "done") unsent = unsent.slice(batch.length);
  }
  for (const { name } of unsent) done.results.set(name, { outcome: "failed", reason: NOT_SENT });
}

async function put(
  { ctx, environmentId, before, done }: Writing,
  batch: readonly Variable[],
  isOnce: boolean,
): Promise<"too large" | "done"> {
  ctx.environment(environmentId).haveVariablesChanged = true;
  try {
    const call = { signal: ctx.signal, ...(isOnce && { repeatable: false as const }) };
    const answer = await ctx.client.envVars.upsert(environmentId, batch, call);
    for (const [name, result] of matchAnswer(batch, answer, before)) done.results.set(name, result);
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    if (isTooLarge(error) && isRefusal(error) && batch.length > 1) {
      ctx.batch.size = Math.min(ctx.batch.size, Math.ceil(batch.length / 2));
      return "too large";
    }
    done.abortedBy = await explain(error, ctx, environmentId, batch);
    const reason = done.abortedBy.message;
    for (const variable of batch)
      done.results.set(variable.name, {
        outcome: "failed",
        reason,
        // Without a time: what may still come must not pass for somebody else's.
        ...(!isRefusal(error) && { now: withoutValue(variable, "", UNANSWERED) }),
      });
  }
  return "done";
}

function isTooLarge(error: PreviewenvError): boolean {
  return error instanceof ApiError && error.status === CONTENT_TOO_LARGE;
}

/** Whether the service certainly did not act, neither on the last attempt of a request nor on an earlier one. */
function isRefusal(error: PreviewenvError): boolean {
  if (error instanceof CancelledError || error instanceof ConnectionError) return !error.sent;
  return error instanceof ApiError && !(error instanceof ServerError) && !error.afterAmbiguousAttempt;
}

/** The specification shows no limit on variables a request, and a 400 does not say what was invalid. */
async function explain(
  error: PreviewenvError,
  ctx: Context,
  environmentId: string,
  batch: readonly Variable[],
): Promise<PreviewenvError> {
  if (error instanceof NotFoundError) return explainNotFound(ctx, environmentId, error);
  if (isTooLarge(error)) return new IncompleteError(`${nameList(batch.map(({ name }) => name))}: ${error.message}`);
  if (!(error instanceof InvalidRequestError) || batch.length === 1) return error;
  return new IncompleteError(
    `${error.message} If ${batch.length} variables are too many at once, lower previewenv:batchSize.`,
  );
}
