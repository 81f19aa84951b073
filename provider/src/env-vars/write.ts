import {
  ApiError,
  CancelledError,
  ConnectionError,
  InvalidRequestError,
  PayloadTooLargeError,
  PreviewenvError,
  ServerError,
} from "../client/errors";
import type { EnvVar } from "../client/env-vars";
import { displayableName } from "../client/error-text";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/partial-failure";
import { type Before, beforeWrite, echoes, keep, matchAnswer, type Outcome } from "./answer";
import { standIn } from "./placeholder";
import type { KnownVariable, Variable } from "./variable";

/** The outcome of all batches. */
export interface Written extends Outcome {
  /** Variables that the service may have stored: state holds their names, with stand-ins. They are in `failed`, too. */
  readonly uncertain: Map<string, KnownVariable>;
  /** What ended the writing before its end. */
  readonly halted: PreviewenvError | undefined;
}

/** No mask: the engine may have this variable in a place that it does not encrypt. */
const UNANSWERED = "its write got no answer";
const NOT_SENT = "not sent, because an earlier request failed";

/**
 * Writes variables in batches, one after the other. A batch that the service answers with anything but 200 or 207 ends
 * the writing; what was stored until then is known exactly.
 */
export async function writeVariables(
  ctx: Context,
  environmentId: string,
  variables: readonly Variable[],
  before: Before,
): Promise<Written> {
  const written: Written & { halted: PreviewenvError | undefined } = {
    stored: new Map(),
    failed: new Map(),
    uncertain: new Map(),
    halted: undefined,
  };
  let position = 0;
  while (position < variables.length) {
    const batch = variables.slice(position, position + ctx.batch.size);
    const result = await putBatch(ctx, environmentId, batch, before);
    if (result === "too large") continue;
    position += batch.length;
    for (const [name, known] of result.stored) written.stored.set(name, known);
    for (const [name, reason] of result.failed) written.failed.set(name, reason);
    for (const [name, known] of result.uncertain) written.uncertain.set(name, known);
    if (result.halted === undefined) continue;
    written.halted = result.halted;
    for (const { name } of variables.slice(position)) written.failed.set(name, NOT_SENT);
    break;
  }
  return written;
}

async function putBatch(
  ctx: Context,
  environmentId: string,
  batch: readonly Variable[],
  before: Before,
): Promise<Written | "too large"> {
  const uncertain = new Map<string, KnownVariable>();
  ctx.environment(environmentId).builds.noteVariableChange();
  try {
    const answer = await ctx.client.envVars.upsert(environmentId, batch, { signal: ctx.signal });
    return { ...matchAnswer(batch, answer, before), uncertain, halted: undefined };
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    if (error instanceof PayloadTooLargeError && ctx.batch.halve(batch.length)) return "too large";
    const halted = withAdvice(error, environmentId, batch);
    if (isRefusal(error)) return { stored: new Map(), failed: reasons(batch, halted.message), uncertain, halted };
    return decideByReading(ctx, environmentId, batch, { before, error: halted });
  }
}

/** Whether the service certainly did not act, neither on the last attempt of a request nor on an earlier one. */
function isRefusal(error: PreviewenvError): boolean {
  if (error instanceof CancelledError || error instanceof ConnectionError) return !error.sent;
  return error instanceof ApiError && !(error instanceof ServerError) && !error.afterAmbiguousAttempt;
}

/** The specification shows no limit on variables a request, and a 400 does not say what was invalid. */
function withAdvice(error: PreviewenvError, environmentId: string, batch: readonly Variable[]): PreviewenvError {
  const [{ name } = { name: "" }, ...others] = batch;
  const size = batch.length;
  if (error instanceof PayloadTooLargeError && others.length === 0)
    return new IncompleteError(
      `Could not write variable ${displayableName(name)} of environment ${environmentId}: it is too large for the service, ` +
        "which answered 413 to it alone. Make its value shorter.",
    );
  if (!(error instanceof InvalidRequestError) || size === 1) return error;
  return new IncompleteError(`${error.message} If ${size} variables are too many at once, lower previewenv:batchSize.`);
}

/**
 * When no answer came, one read decides name by name. Hidden values that the read leaves in doubt are sent once more:
 * storing them twice does no harm, and the answer is certain. When the read fails too, or a cancellation forbids it, the
 * names count as not written, and state holds them: a later destroy must find what the service may have stored.
 */
async function decideByReading(
  ctx: Context,
  environmentId: string,
  batch: readonly Variable[],
  { before, error }: { readonly before: Before; readonly error: PreviewenvError },
): Promise<Written> {
  const listed = await look(ctx, environmentId);
  if (listed === undefined) {
    const uncertain = new Map(batch.map((variable) => [variable.name, unanswered(variable)]));
    return { stored: new Map(), failed: reasons(batch, error.message), uncertain, halted: error };
  }
  const judged = (verdict: Verdict): readonly Variable[] =>
    batch.filter((variable) => judge(variable, listed.get(variable.name), before) === verdict);
  const again = await confirm(ctx, environmentId, judged("in doubt"), { listed, error });
  const seen = judged("stored").map((variable) => [variable.name, keep(variable, listed.get(variable.name))] as const);
  const stored = new Map([...seen, ...again.stored]);
  const failed = new Map([...reasons(judged("absent"), error.message), ...again.failed]);
  return { stored, failed, uncertain: again.uncertain, halted: failed.size === 0 ? undefined : error };
}

/** What the service holds, by name; `undefined` when it could not be asked. */
async function look(ctx: Context, environmentId: string): Promise<ReadonlyMap<string, EnvVar> | undefined> {
  try {
    const { variables } = await ctx.client.envVars.list(environmentId, { signal: ctx.signal });
    return new Map(variables.map((item) => [item.name, item]));
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    return undefined;
  }
}

/** A variable as state holds it when its write got no answer; `found` is what the service showed afterwards, if anything. */
export function unanswered(variable: Variable, found?: EnvVar): KnownVariable {
  const known = keep(variable, found);
  return { ...known, value: standIn(known.updatedAt ?? "", UNANSWERED) };
}

type Verdict = "stored" | "in doubt" | "absent";

/** A hidden value cannot be read back: one that fits may be what others wrote since state was stored. It is the sent one
 * when somebody looked right before the write, and the variable has moved since. */
function judge(variable: Variable, item: EnvVar | undefined, { dates, looked }: Before): Verdict {
  const { name, hidden } = variable;
  if (item === undefined || !echoes(item, variable)) return "absent";
  if (!hidden) return "stored";
  if (dates.has(name) && dates.get(name) === item.updatedAt) return "absent";
  return looked.has(name) ? "stored" : "in doubt";
}

async function confirm(
  ctx: Context,
  environmentId: string,
  doubtful: readonly Variable[],
  { listed, error }: { readonly listed: ReadonlyMap<string, EnvVar>; readonly error: PreviewenvError },
): Promise<Omit<Written, "halted">> {
  if (doubtful.length === 0) return { stored: new Map(), failed: new Map(), uncertain: new Map() };
  try {
    const answer = await ctx.client.envVars.upsert(environmentId, doubtful, { signal: ctx.signal });
    const before = beforeWrite([], new Map(doubtful.map(({ name }) => [name, listed.get(name)?.updatedAt])));
    return { ...matchAnswer(doubtful, answer, before), uncertain: new Map() };
  } catch (failure) {
    if (!(failure instanceof PreviewenvError)) throw failure;
    const uncertain = doubtful.map(
      (variable) => [variable.name, unanswered(variable, listed.get(variable.name))] as const,
    );
    return { stored: new Map(), failed: reasons(doubtful, error.message), uncertain: new Map(uncertain) };
  }
}

function reasons(batch: readonly Variable[], reason: string): Map<string, string> {
  return new Map(batch.map(({ name }) => [name, reason]));
}
