import { isDeepStrictEqual } from "node:util";
import type { PreviewenvClient } from "../client";
import type { Environment } from "../client/environments";
import {
  CancelledError,
  ConfigError,
  NotFoundError,
  PreviewenvError,
  UndocumentedNotFoundError,
} from "../client/errors";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/resource-errors";
import { environmentKey } from "../client/text-rules";
import { SharedRead } from "../run/shared-read";
import type { Absence } from "../run/shared-variables";
import { NO_LIST_ADVICE } from "../client/error-text";
import { see } from "../client/troubleshooting";

/**
 * One environment, or `undefined` when it is gone: its own GET answers 404, and the list of environments, which is answered, does not
 * have it. After an undocumented 404, which may be of a gateway, the list is walked twice.
 * @throws UndocumentedNotFoundError when that cannot be told: taking it for gone would drop what exists.
 * @throws ConfigError when the list is answered with 404 too.
 */
export async function getUnlessGone(ctx: Context, environmentId: string): Promise<Environment | undefined> {
  try {
    return await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (error instanceof NotFoundError) {
      if (await isListed(ctx, environmentId, error)) throw stillListed(error);
    } else if (error instanceof UndocumentedNotFoundError) await refuseUnlessUnlisted(ctx, environmentId, error);
    else throw error;
    return undefined;
  }
}

/** As {@link getUnlessGone}. Warns when the environment is gone, so that what state has of it leaves without a request. */
export async function getOrWarn(ctx: Context, environmentId: string): Promise<Environment | undefined> {
  const environment = await getUnlessGone(ctx, environmentId);
  if (environment === undefined) warnOfAbsence(ctx, environmentId, "gone");
  return environment;
}

/** As {@link getUnlessGone}. Callers at about the same time share one request. */
export function getShared(ctx: Context, environmentId: string): Promise<Environment | undefined> {
  const { environmentCache } = ctx.environment(environmentId);
  return environmentCache.get((signal) => getUnlessGone({ ...ctx, signal }, environmentId), ctx.signal);
}

/** How an environment that is marked as deleted gets back: for errors and warnings. */
const REVIVE = 'with an EnvironmentState whose state is "running", or in the dashboard';

/** The error for an environment that has nothing to read or write. `outcome` is what was done by now, as a sentence. */
export function absenceError(
  ctx: Pick<Context, "client">,
  environmentId: string,
  absence: Absence,
  outcome = "",
): RefusedError {
  const [is, advice] = {
    gone: [
      "does not exist (any more)",
      `Check the id, and that the token belongs to the same organization. ${see("gone")}`,
    ],
    deleted: ["is deleted", `Revive it first: ${REVIVE}.`],
  }[absence];
  const sentences = [`environment ${ctx.client.titleOf(environmentId)} ${is}.`, outcome, advice];
  return new RefusedError(sentences.filter(Boolean).join(" "));
}

/**
 * A 404 to a request, in words that say what the environment's own GET tells: that it is gone or deleted, or that nothing but 404 is
 * answered. Any other error stays as it is.
 */
export async function explainNotFound(
  ctx: Context,
  environmentId: string,
  error: PreviewenvError,
): Promise<PreviewenvError> {
  if (!(error instanceof NotFoundError)) return error;
  try {
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined) return absenceError(ctx, environmentId, "gone");
    return environment.deleted ? absenceError(ctx, environmentId, "deleted") : error;
  } catch (failure) {
    if (!(failure instanceof PreviewenvError)) throw failure;
    return failure instanceof ConfigError ? failure : error;
  }
}

/**
 * Makes sure that an environment is in no list: two walks have the same environments, and this one is not among them.
 * @throws UndocumentedNotFoundError when that cannot be told
 */
async function refuseUnlessUnlisted(ctx: Context, environmentId: string, error: PreviewenvError): Promise<void> {
  const key = environmentKey(environmentId);
  const first = await allKeys(ctx, error);
  if (first.has(key)) throw stillListed(error);
  const second = await allKeys(ctx, error);
  if (second.has(key)) throw stillListed(error);
  if (!isDeepStrictEqual(first, second))
    throw new UndocumentedNotFoundError(
      `${error.message} The list of environments, read twice to see whether it is gone, changed meanwhile. Run the command again.`,
    );
}

function stillListed({ message }: PreviewenvError): UndocumentedNotFoundError {
  return new UndocumentedNotFoundError(`${message} The list of environments has it, so it is not gone.`);
}

/** The keys of all environments, deleted or not. */
async function allKeys({ client, signal }: Context, error: PreviewenvError): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  try {
    for (const deleted of [false, true])
      for await (const { id } of client.environments.list({ deleted }, { signal })) keys.add(environmentKey(id));
    return keys;
  } catch (failure) {
    return cannotTell(error, failure);
  }
}

/** The parts that a reading needs. */
type ReadContext = Pick<Context, "client" | "clock"> & { readonly signal?: AbortSignal | undefined };

/** The list that the 404s of each client share. */
const lists = new WeakMap<PreviewenvClient, SharedRead<ReadonlySet<string>>>();

/**
 * The keys of the environments that are not deleted. They are read only after a 404: none counts before this list was answered, since it says
 * nothing where every route answers so (a wrong path in the address, an API that is switched off).
 * @throws ConfigError when the list of environments is answered with 404 too.
 * @throws UndocumentedNotFoundError when it cannot be read.
 */
export async function aliveEnvironments(
  { client, clock, signal = new AbortController().signal }: ReadContext,
  error: NotFoundError,
): Promise<ReadonlySet<string>> {
  const list = lists.get(client) ?? new SharedRead<ReadonlySet<string>>(clock);
  lists.set(client, list);
  try {
    return await list.get((end) => aliveKeys(client, end), signal);
  } catch (failure) {
    if (!(failure instanceof NotFoundError)) return cannotTell(error, failure);
    throw new ConfigError(
      `Every request to ${client.address} is answered with 404, that for the list of environments too. This does not show what ` +
        `exists. ${NO_LIST_ADVICE}`,
    );
  }
}

/** Whether the list of environments has one, of which a 404 came. That an older list has it shows nothing: it is read once more. */
async function isListed(ctx: Context, environmentId: string, error: NotFoundError): Promise<boolean> {
  const key = environmentKey(environmentId);
  if (!(await aliveEnvironments(ctx, error)).has(key)) return false;
  lists.get(ctx.client)?.drop();
  return (await aliveEnvironments(ctx, error)).has(key);
}

async function aliveKeys(client: PreviewenvClient, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const { id, deleted } of client.environments.list({}, { signal }))
    if (!deleted) keys.add(environmentKey(id));
  return keys;
}

/** Throws that a 404 counts for nothing, because the list of environments could not be read. */
function cannotTell(error: PreviewenvError, failure: unknown): never {
  if (failure instanceof CancelledError || !(failure instanceof PreviewenvError)) throw failure;
  throw new UndocumentedNotFoundError(
    `${error.message} The list of environments could not be read to see whether it is gone: ${failure.message}`,
  );
}

/**
 * Warns once in a run why an environment has nothing to read or delete. With a token of another organization, each would seem to be gone. One
 * that is deleted may come back with all that it had.
 */
export function warnOfAbsence(ctx: Context, environmentId: string, absence: Absence): void {
  const inRun = ctx.environment(environmentId);
  if (inRun.isToldAbsent) return;
  inRun.isToldAbsent = true;
  const text = {
    gone: "does not exist (any more), so there is nothing to keep or to delete. If it does exist, the token belongs to another organization.",
    deleted:
      "is marked as deleted, and the service does not show its variables: state forgets them, and they are not deleted. If somebody revives " +
      'it, they may be there again: delete them in the dashboard, or declare them with onConflict: "overwrite".',
  }[absence];
  ctx.log.warn(`environment ${ctx.client.titleOf(environmentId)} ${text}`);
}
