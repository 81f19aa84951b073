import { displayableName } from "../client/error-text";
import {
  ApiError,
  CancelledError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PayloadTooLargeError,
  PreviewenvError,
  ServerError,
} from "../client/errors";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/partial-failure";
import { asStored, type Baseline, matchAnswer } from "./answer";
import { EXISTING, isExisting, placeholder } from "./placeholder";
import type { DeclaredStep } from "./plan";
import { type KnownVariable, type Variable } from "./variable";
import { explainNotFound } from "../environment/gone";

/** No mask: the engine may have this variable in a place that it does not encrypt. */
const UNANSWERED = "its write got no answer";
const NOT_SENT = "not sent, because an earlier request failed";

/** What became of variables that had to be written or deleted, name by name. */
export interface Outcome {
  /** Written, with the value that the service has now. */
  readonly stored: Map<string, KnownVariable>;
  /** Already as declared, and visible: taken over without a write. */
  readonly adopted: Map<string, KnownVariable>;
  /** Declared with `existing()`, and there with other services or another visibility: as the service had it before the write. */
  readonly found: Map<string, KnownVariable>;
  /** Neither written nor deleted: the reasons, in the service's words, without values. */
  readonly failed: Map<string, string>;
  /** Of those that failed, the ones that the service may have stored. State has their names, with placeholders. */
  readonly uncertain: Map<string, KnownVariable>;
  readonly deleted: Set<string>;
  /** Not deleted, because another resource has them now. */
  readonly left: Set<string>;
  /** Not deleted, because another resource of the program declares them and has not written them yet. */
  readonly given: Set<string>;
  /** Not deleted, because somebody has written them since this stack last saw them. */
  readonly writtenSince: Set<string>;
  /** The error that ended the writing before its end. */
  abortedBy: PreviewenvError | undefined;
}

/** Nothing was done yet. */
export function emptyOutcome(): Outcome {
  return {
    stored: new Map(),
    adopted: new Map(),
    found: new Map(),
    failed: new Map(),
    uncertain: new Map(),
    deleted: new Set(),
    left: new Set(),
    given: new Set(),
    writtenSince: new Set(),
    abortedBy: undefined,
  };
}

/** Whether the service may have something else now than before. */
export function hasChanged({ stored, uncertain, deleted }: Outcome): boolean {
  return stored.size + uncertain.size + deleted.size > 0;
}

/** A declared variable as state has it after the write, where the write tells; `undefined` where it is as before. */
export function afterWrite({ name, wanted }: DeclaredStep, outcome: Outcome): KnownVariable | undefined {
  const stored = outcome.stored.get(name) ?? outcome.adopted.get(name);
  if (!isExisting(wanted.value)) return stored ?? outcome.uncertain.get(name);
  // Its value is the service's, whatever became of the write: a destroy must not delete it.
  const left = stored ?? outcome.found.get(name);
  return left && { ...left, value: EXISTING };
}

/** A write of variables of one environment. */
export interface Writing {
  readonly ctx: Context;
  readonly environmentId: string;
  readonly baseline: Baseline;
  /** Whether a request goes out once at most: what it carries was just read, and somebody else may change it. */
  readonly isOnce?: boolean;
  /** Where the result goes. */
  readonly outcome: Outcome;
}

/**
 * Writes variables in batches, one after the other. A batch that the service answers with anything but 200 or 207 ends
 * the writing; what was stored until then is known exactly.
 */
export async function writeVariables(writing: Writing, variables: readonly Variable[]): Promise<void> {
  const { ctx, outcome } = writing;
  let open = variables;
  while (open.length > 0 && outcome.abortedBy === undefined) {
    const batch = open.slice(0, ctx.batch.size);
    if ((await putBatch(writing, batch)) === "done") open = open.slice(batch.length);
  }
  fail(outcome, open, NOT_SENT);
}

async function putBatch(writing: Writing, batch: readonly Variable[]): Promise<"too large" | "done"> {
  const { ctx, environmentId, baseline, isOnce = false, outcome } = writing;
  ctx.environment(environmentId).builds.noteVariableChange();
  try {
    const call = { signal: ctx.signal, ...(isOnce && { repeatable: false as const }) };
    const answer = await ctx.client.envVars.upsert(environmentId, batch, call);
    const { stored, failed } = matchAnswer(batch, answer, baseline);
    for (const [name, known] of stored) outcome.stored.set(name, known);
    for (const [name, reason] of failed) outcome.failed.set(name, reason);
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    if (error instanceof PayloadTooLargeError && isRefusal(error) && ctx.batch.halve(batch.length)) return "too large";
    const aborting =
      error instanceof NotFoundError
        ? await explainNotFound(ctx, environmentId, error)
        : withAdvice(error, writing, batch);
    if (isRefusal(error)) fail(outcome, batch, aborting.message);
    else leaveUncertain(outcome, batch, aborting.message);
    outcome.abortedBy = aborting;
  }
  return "done";
}

function fail({ failed }: Outcome, batch: readonly Variable[], reason: string): void {
  for (const { name } of batch) failed.set(name, reason);
}

/** Whether the service certainly did not act, neither on the last attempt of a request nor on an earlier one. */
function isRefusal(error: PreviewenvError): boolean {
  if (error instanceof CancelledError || error instanceof ConnectionError) return !error.sent;
  return error instanceof ApiError && !(error instanceof ServerError) && !error.afterAmbiguousAttempt;
}

/** The specification shows no limit on variables a request, and a 400 does not say what was invalid. */
function withAdvice(
  error: PreviewenvError,
  { ctx, environmentId }: Writing,
  batch: readonly Variable[],
): PreviewenvError {
  const [{ name } = { name: "" }, ...others] = batch;
  const size = batch.length;
  if (error instanceof PayloadTooLargeError && others.length === 0)
    return new IncompleteError(
      `Could not write variable ${displayableName(name)} of environment ${ctx.client.titleOf(environmentId)}: it is too large for the service, ` +
        "which answered 413 to it alone. Make its value shorter.",
    );
  if (!(error instanceof InvalidRequestError) || size === 1) return error;
  return new IncompleteError(`${error.message} If ${size} variables are too many at once, lower previewenv:batchSize.`);
}

/** Notes variables that the service may have stored. Without a time: what may still come must not pass for somebody else's. */
function leaveUncertain(outcome: Outcome, batch: readonly Variable[], reason: string): void {
  fail(outcome, batch, reason);
  for (const variable of batch)
    outcome.uncertain.set(variable.name, {
      ...asStored(variable, undefined),
      value: placeholder("", UNANSWERED),
    });
}
