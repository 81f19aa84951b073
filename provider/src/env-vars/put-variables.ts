import { nameList } from "../client/error-text";
import { ApiError, InvalidRequestError, mayHaveActed, PreviewenvError } from "../client/errors";
import { explainNotFound } from "../environment/existence";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/resource-errors";
import { EXISTING } from "../framework/existing-text";
import type { Result, Results } from "./results";
import { formOf } from "./shown-value";
import { matchAnswer, type TimesBefore } from "./upsert-answer";
import { isInOtherForm, type Variable } from "./variable";

const CONTENT_TOO_LARGE = 413;
const NOT_SENT = "not sent, because an earlier request failed";

interface PutVariables {
  readonly results: Results;
  /** The error that ended the writing before its end. */
  readonly endedBy: PreviewenvError | undefined;
}

/**
 * Writes variables in batches, one after the other. An error ends the writing, and the results say exactly what was written until then. But
 * a batch that is too large (413), and certainly had no effect, is sent again as smaller ones.
 */
export async function putInBatches(
  ctx: Context,
  environmentId: string,
  variables: readonly Variable[],
  times: TimesBefore,
): Promise<PutVariables> {
  const { variableCache } = ctx.environment(environmentId);
  const results = new Map<string, Result>();
  let unsent = variables;
  let endedBy: PreviewenvError | undefined;
  while (unsent.length > 0 && endedBy === undefined) {
    const batch = nextBatch(unsent, ctx.batch.size);
    const put = await putBatch(ctx, environmentId, batch, times);
    // The next batch is smaller.
    if (put === "too large") continue;
    for (const [name, result] of put.results) {
      results.set(name, result);
      // The next reader of the run goes by what was written here.
      if ("listed" in result) variableCache.merge(name, result.listed);
      else variableCache.drop();
    }
    endedBy = put.endedBy;
    const sent = new Set(batch);
    unsent = unsent.filter((variable) => !sent.has(variable));
  }
  const all = variables.map(({ name, kind }): [string, Result] => {
    const result = results.get(name) ?? { outcome: "failed", reason: NOT_SENT };
    return [name, kind === "existing" ? resultOfExisting(result) : result];
  });
  const put = { results: new Map(all), endedBy };
  sayOtherForms(ctx, environmentId, variables, put.results);
  return put;
}

/** Values that were just read go last, in batches of their own. */
function nextBatch(unsent: readonly Variable[], size: number): readonly Variable[] {
  const fromProgram = unsent.filter(({ kind }) => kind !== "existing");
  return (fromProgram.length > 0 ? fromProgram : unsent).slice(0, size);
}

/** The result of a write with `existing()`. The value stays the service's: a destroy must not delete the variable. */
function resultOfExisting(result: Result): Result {
  if (result.outcome === "uncertain") return { outcome: "failed", reason: result.reason };
  return result.outcome === "written" ? { ...result, record: { ...result.record, value: EXISTING } } : result;
}

async function putBatch(
  ctx: Context,
  environmentId: string,
  batch: readonly Variable[],
  times: TimesBefore,
): Promise<PutVariables | "too large"> {
  // Somebody else may change a value that was just read: it goes out once at most.
  const isOnce = batch.some(({ kind }) => kind === "existing");
  try {
    const call = { signal: ctx.signal, ...(isOnce && { repeatable: false as const }) };
    const answer = await ctx.client.envVars.upsert(environmentId, batch, call);
    return { results: matchAnswer(batch, answer, times), endedBy: undefined };
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    if (isTooLarge(error) && hadNoEffect(error) && batch.length > 1) {
      ctx.batch.size = Math.min(ctx.batch.size, Math.ceil(batch.length / 2));
      return "too large";
    }
    const endedBy = await explain(error, ctx, environmentId, batch);
    const outcome = hadNoEffect(error) ? "failed" : "uncertain";
    const results = batch.map(({ name }): [string, Result] => [name, { outcome, reason: endedBy.message }]);
    return { results: new Map(results), endedBy };
  }
}

function isTooLarge(error: PreviewenvError): boolean {
  return error instanceof ApiError && error.status === CONTENT_TOO_LARGE;
}

/** Whether the service certainly did not act, neither on the last attempt of a request nor on an earlier one. */
function hadNoEffect(error: PreviewenvError): boolean {
  const isAfterAmbiguousAttempt = error instanceof ApiError && error.afterAmbiguousAttempt;
  return !isAfterAmbiguousAttempt && !mayHaveActed(error);
}

/** The specification shows no limit on variables per request, and a 400 does not say what was invalid. */
async function explain(
  error: PreviewenvError,
  ctx: Context,
  environmentId: string,
  batch: readonly Variable[],
): Promise<PreviewenvError> {
  if (isTooLarge(error)) {
    const names = nameList(batch.map(({ name }) => name));
    return new IncompleteError(`${error.message} Variables in the request: ${names}.`);
  }
  if (!(error instanceof InvalidRequestError) || batch.length === 1) return explainNotFound(ctx, environmentId, error);
  return new IncompleteError(
    `${error.message} If ${batch.length} variables are too many at once, lower previewenv:batchSize.`,
  );
}

/** Warns of values that the service keeps in another form than was sent: one warning for each form. */
function sayOtherForms(ctx: Context, environmentId: string, sent: readonly Variable[], results: Results): void {
  const forms = sent.flatMap((variable) => {
    const result = results.get(variable.name);
    const isStored = result !== undefined && "listed" in result && isInOtherForm(result.record);
    return isStored ? [[variable.name, formOf(variable, result.listed)] as const] : [];
  });
  for (const [form, entries] of Map.groupBy(forms, ([, one]) => one)) {
    const names = nameList(entries.map(([name]) => name));
    const [it, its] = entries.length === 1 ? ["it", "its value"] : ["them", "their values"];
    const text =
      form === undefined
        ? `does not fit what was sent: the service has stored another text, or it masks ${it} in another way. Look whether the environment works with ${it}.`
        : `shows that the service has stored ${its} ${form}. Declare ${it} so, and this warning ends.`;
    ctx.log.warn(
      `environment ${ctx.client.titleOf(environmentId)}: the answer to the write of ${names} ${text} ` +
        `No refresh calls that drift, until somebody changes ${it} on the service.`,
    );
  }
}
