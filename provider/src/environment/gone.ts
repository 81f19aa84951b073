import type { Environment, PreviewenvClient } from "../client";
import {
  CancelledError,
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
 * One environment, or `undefined` when it is gone: its own GET has the documented 404 answer, or an undocumented one
 * and no list of environments has it.
 * @throws UndocumentedNotFoundError when the 404 may be of a gateway: taking it for gone would drop what exists.
 */
export async function getUnlessGone(ctx: Context, environmentId: string): Promise<Environment | undefined> {
  try {
    return await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (!(error instanceof UndocumentedNotFoundError)) throw error;
    await refuseUnlessUnlisted(ctx, environmentId, error);
    return undefined;
  }
}

/** The error for an environment that is gone. `outcome` is what was done by now, as a sentence. */
export function missingEnvironment(environmentId: string, outcome?: string): MissingError {
  const advice = "Check the id, and that the token belongs to the same organization.";
  return new MissingError(
    [`environment ${environmentId} does not exist (any more).`, outcome, advice].filter(Boolean).join(" "),
  );
}

async function refuseUnlessUnlisted(
  ctx: Context,
  environmentId: string,
  error: UndocumentedNotFoundError,
): Promise<void> {
  let listed: boolean;
  try {
    listed = await isListed(ctx, environmentId);
  } catch (failure) {
    if (failure instanceof CancelledError || !(failure instanceof PreviewenvError)) throw failure;
    throw new UndocumentedNotFoundError(
      `${error.message} The list of environments could not be read to see whether it is gone: ${failure.message}`,
    );
  }
  if (listed)
    throw new UndocumentedNotFoundError(`${error.message} The list of environments has it, so it is not gone.`);
}

/** One list for the environments that are not deleted, one for those that are. */
const LISTS = [false, true] as const;
/** An environment may slip between two pages, or between the lists, while they are read. */
const MAX_WALKS = 5;

/** What a reading needs: the client, and the signal that ends it. */
type Asker = Pick<Context, "client" | "signal">;

interface Question {
  readonly environmentId: string;
  readonly signal: AbortSignal;
}

const readers = new WeakMap<PreviewenvClient, Combiner<Question, boolean>>();

/**
 * Whether the service lists an environment, deleted or not. The lists are read after the question came; questions that
 * come while they are read share the next reading, which goes on for as long as one of them waits.
 * @throws ResponseShapeError when the lists change so often that nothing can be told from them.
 * @throws whatever reading them fails with.
 */
export async function isListed({ client, signal }: Asker, environmentId: string): Promise<boolean> {
  const reader = readers.get(client) ?? new Combiner<Question, boolean>((all) => answer(client, all));
  readers.set(client, reader);
  try {
    return await abortable(reader.run({ environmentId, signal }), signal);
  } catch (error) {
    if (!signal.aborted || error instanceof CancelledError) throw error;
    throw new CancelledError("cancelled while the list of environments was read", false);
  }
}

async function answer(
  client: PreviewenvClient,
  questions: readonly Question[],
): Promise<ReadonlyMap<Question, boolean>> {
  const missing = new Set(questions.map(({ environmentId }) => environmentKey(environmentId)));
  using shared = abortWithAll(questions.map(({ signal }) => signal));
  await removeListed({ client, signal: shared.signal }, missing);
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
