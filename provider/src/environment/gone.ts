import type { Environment, PreviewenvClient } from "../client";
import {
  CancelledError,
  ConfigError,
  NotFoundError,
  PreviewenvError,
  UndocumentedNotFoundError,
  ResponseShapeError,
} from "../client/errors";
import type { Context } from "../framework/context";
import { MissingError } from "../framework/partial-failure";
import { abortable, abortWithAll } from "../client/concurrency";
import { Combiner } from "./combiner";
import { environmentKey } from "../framework/environment-session";

/**
 * One environment, or `undefined` when it is gone: its own GET answers 404, and the list of environments, which is answered, does not
 * have it. An undocumented 404 counts only after two walks of the list.
 * @throws UndocumentedNotFoundError when the 404 may be of a gateway: taking it for gone would drop what exists.
 * @throws ConfigError when the list is answered with 404 too.
 */
export async function getUnlessGone(ctx: Context, environmentId: string): Promise<Environment | undefined> {
  try {
    return await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (error instanceof NotFoundError) {
      const keys = await aliveEnvironments(ctx, error);
      // The list was read at the first 404 of this run: what it has may have gone since.
      if (keys.has(environmentKey(environmentId))) await refuseUnlessUnlisted(ctx, environmentId, error);
      return undefined;
    }
    if (!(error instanceof UndocumentedNotFoundError)) throw error;
    await refuseUnlessUnlisted(ctx, environmentId, error);
    return undefined;
  }
}

/** As {@link getUnlessGone}. Warns when the environment is gone, so that what state has of it leaves without a request. */
export async function getOrWarn(ctx: Context, environmentId: string): Promise<Environment | undefined> {
  const environment = await getUnlessGone(ctx, environmentId);
  if (environment === undefined) warnOfGone(ctx, environmentId);
  return environment;
}

/** How an environment that is marked as deleted gets back: for errors and warnings. */
export const REVIVE = 'with an EnvironmentState whose state is "running", or in the dashboard';

/** The error for an environment whose variables cannot be written, because it is marked as deleted. */
export function deletedEnvironment(ctx: Asker, environmentId: string, outcome?: string): MissingError {
  return new MissingError(
    [`environment ${ctx.client.titleOf(environmentId)} is deleted.`, outcome, `Revive it first: ${REVIVE}.`]
      .filter(Boolean)
      .join(" "),
  );
}

/**
 * A 404 to a write, in words that say what the environment's own GET tells: that it is deleted, or that nothing but 404 is
 * answered.
 */
export async function explainNotFound(
  ctx: Context,
  environmentId: string,
  error: NotFoundError,
): Promise<PreviewenvError> {
  try {
    const environment = await getUnlessGone(ctx, environmentId);
    return environment?.deleted === true ? deletedEnvironment(ctx, environmentId) : error;
  } catch (failure) {
    if (!(failure instanceof PreviewenvError)) throw failure;
    return failure instanceof ConfigError ? failure : error;
  }
}

/** The error for an environment that is gone. `outcome` is what was done by now, as a sentence. */
export function missingEnvironment(ctx: Asker, environmentId: string, outcome?: string): MissingError {
  const advice = "Check the id, and that the token belongs to the same organization.";
  return new MissingError(
    [`environment ${ctx.client.titleOf(environmentId)} does not exist (any more).`, outcome, advice]
      .filter(Boolean)
      .join(" "),
  );
}

async function refuseUnlessUnlisted(
  ctx: Context,
  environmentId: string,
  error: NotFoundError | UndocumentedNotFoundError,
): Promise<void> {
  const listed = await isListed(ctx, environmentId).catch((failure: unknown) => cannotTell(error, failure));
  if (listed)
    throw new UndocumentedNotFoundError(`${error.message} The list of environments has it, so it is not gone.`);
}

/** Throws that a 404 counts for nothing, because the list of environments could not be read. */
function cannotTell(error: PreviewenvError, failure: unknown): never {
  if (failure instanceof CancelledError || !(failure instanceof PreviewenvError)) throw failure;
  throw new UndocumentedNotFoundError(
    `${error.message} The list of environments could not be read to see whether it is gone: ${failure.message}`,
  );
}

/** The environments that are not deleted, as each client has found them listed: at its address is the service, and it knows its token. */
const alive = new WeakMap<PreviewenvClient, ReadonlySet<string>>();
const askers = new WeakMap<PreviewenvClient, Combiner<Question, ReadonlySet<string>>>();

/**
 * Makes sure that the service answers at all, before one of its 404 counts: it says nothing where every route answers so (a wrong path in
 * the address, an API that is switched off). Throws as {@link aliveEnvironments}.
 */
export async function refuseUnlessAnswering(ctx: Asker, error: NotFoundError): Promise<void> {
  await aliveEnvironments(ctx, error);
}

/**
 * The keys of the environments that are not deleted. The list is read once for each client, shared by all callers, and only after a 404.
 * @throws ConfigError when the list of environments is answered with 404 too.
 * @throws UndocumentedNotFoundError when it cannot be read.
 */
async function aliveEnvironments(ctx: Asker, error: NotFoundError): Promise<ReadonlySet<string>> {
  const { client, signal = new AbortController().signal } = ctx;
  const asker = askers.get(client) ?? new Combiner<Question, ReadonlySet<string>>((all) => askForList(client, all));
  askers.set(client, asker);
  return shared(asker, { signal }).catch((failure: unknown): never => {
    if (!(failure instanceof NotFoundError)) return cannotTell(error, failure);
    throw new ConfigError(
      `Every request to ${client.address} is answered with 404, that for the list of environments too. This does not tell what ` +
        "exists: check previewenv:baseUrl (PREVIEWENV_BASE_URL), and that the API is enabled for the organization.",
    );
  });
}

/** Tells of an environment that is gone, once in a run: with a token of another organization, everything would seem to be. */
class GoneNotice {
  wasGiven = false;
}

/** Warns that an environment is gone, so that what state has of it leaves without a request. */
export function warnOfGone(ctx: Context, environmentId: string): void {
  const notice = ctx.environment(environmentId).part(GoneNotice);
  if (notice.wasGiven) return;
  notice.wasGiven = true;
  ctx.log.warn(
    `environment ${ctx.client.titleOf(environmentId)} does not exist (any more), so there is nothing to keep or to delete. If it does ` +
      "exist, the token belongs to another organization.",
  );
}

async function askForList(
  client: PreviewenvClient,
  questions: readonly Question[],
): Promise<ReadonlyMap<Question, ReadonlySet<string>>> {
  using all = abortWithAll(questions.map(({ signal }) => signal));
  const found = alive.get(client) ?? (await aliveIn(client, all.signal));
  alive.set(client, found);
  return new Map(questions.map((question) => [question, found]));
}

async function aliveIn(client: PreviewenvClient, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const { id, deleted } of client.environments.list({}, { signal }))
    if (!deleted) keys.add(environmentKey(id));
  return keys;
}

/** One list for the environments that are not deleted, one for those that are. */
const LISTS = [false, true] as const;
/** An environment may slip between two pages, or between the lists, while they are read. */
const MAX_WALKS = 5;

/** What a reading needs: the client, and the signal that ends it. */
interface Asker {
  readonly client: PreviewenvClient;
  readonly signal?: AbortSignal | undefined;
}

interface Question {
  readonly signal: AbortSignal;
}

interface QuestionAbout extends Question {
  readonly environmentId: string;
}

const readers = new WeakMap<PreviewenvClient, Combiner<QuestionAbout, boolean>>();

/**
 * Whether the service lists an environment, deleted or not. The lists are read after the question came; questions that
 * come while they are read share the next reading, which goes on for as long as one of them waits.
 * @throws ResponseShapeError when the lists change so often that nothing can be told from them.
 * @throws whatever reading them fails with.
 */
export async function isListed(ctx: Asker, environmentId: string): Promise<boolean> {
  const { client, signal = new AbortController().signal } = ctx;
  const reader = readers.get(client) ?? new Combiner<QuestionAbout, boolean>((all) => answer(client, all));
  readers.set(client, reader);
  return shared(reader, { environmentId, signal });
}

/** The answer to a question; the reading that it shares goes on for others when this one is cancelled. */
async function shared<Q extends Question, R>(reader: Combiner<Q, R>, question: Q): Promise<R> {
  const { signal } = question;
  try {
    return await abortable(reader.run(question), signal);
  } catch (error) {
    if (!signal.aborted || error instanceof CancelledError) throw error;
    throw new CancelledError("cancelled while the list of environments was read", false);
  }
}

async function answer(
  client: PreviewenvClient,
  questions: readonly QuestionAbout[],
): Promise<ReadonlyMap<QuestionAbout, boolean>> {
  const missing = new Set(questions.map(({ environmentId }) => environmentKey(environmentId)));
  using all = abortWithAll(questions.map(({ signal }) => signal));
  await removeListed({ client, signal: all.signal }, missing);
  return new Map(questions.map((question) => [question, !missing.has(environmentKey(question.environmentId))]));
}

/** Removes from `missing` what is listed, until nothing is missing or two readings in a row have the same environments. */
async function removeListed({ client, signal }: Asker, missing: Set<string>): Promise<void> {
  let before: ReadonlySet<string> | undefined;
  for (let walks = 0; walks < MAX_WALKS; walks += 1) {
    const seen = new Set<string>();
    for (const deleted of LISTS)
      for await (const { id } of client.environments.list({ deleted }, { signal })) {
        seen.add(environmentKey(id));
        missing.delete(environmentKey(id));
        if (missing.size === 0) return;
      }
    if (before !== undefined && isSame(before, seen)) return;
    before = seen;
  }
  throw new ResponseShapeError(
    `The list of environments was read ${MAX_WALKS} times and was different each time. Run the command again.`,
  );
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
