import type { PreviewenvClient } from "../client";
import { abortable } from "../client/abort";
import { CancelledError, ResponseShapeError } from "../client/errors";
import { Combiner } from "../core/combiner";
import type { Context } from "../core/context";
import { environmentKey } from "../core/environment-id";

/** One list for the environments that are not deleted, one for those that are. */
const LISTS = [false, true] as const;
/** An environment may slip between two pages, or between the lists, while they are read. */
const MOST_WALKS = 5;

/** What looking takes: who asks, and until when. */
type Asker = Pick<Context, "client" | "signal">;

interface Question {
  readonly ctx: Asker;
  readonly environmentId: string;
}

type Place = "listed" | "nowhere";

/**
 * Whether the service lists an environment, deleted or not. The lists are read after the question came; questions that
 * come while they are read share the next reading.
 * @throws ResponseShapeError when the lists change so often that nothing can be told from them.
 * @throws whatever reading them fails with.
 */
export async function isListed(ctx: Asker, environmentId: string): Promise<boolean> {
  const ask = (): Promise<Place> => askFor({ ctx, environmentId });
  const place = await ask().catch((error: unknown) => {
    // Another call, of which the reading was, has been cancelled: this one reads for itself, once.
    if (error instanceof CancelledError && !ctx.signal.aborted) return ask();
    throw error;
  });
  return place === "listed";
}

const readers = new WeakMap<PreviewenvClient, Combiner<Question, Place>>();

async function askFor(question: Question): Promise<Place> {
  const { client, signal } = question.ctx;
  const reader = readers.get(client) ?? new Combiner<Question, Place>((_key, questions) => answer(questions));
  readers.set(client, reader);
  try {
    return await abortable(reader.run("all", question), signal);
  } catch (error) {
    if (!signal.aborted || error instanceof CancelledError) throw error;
    throw new CancelledError("cancelled while the list of environments was read", false);
  }
}

async function answer(questions: readonly Question[]): Promise<ReadonlyMap<Question, Place>> {
  const asker = questions.find(({ ctx }) => !ctx.signal.aborted) ?? questions[0];
  const missing = new Set(questions.map(({ environmentId }) => environmentKey(environmentId)));
  if (asker !== undefined) await strikeListed(asker.ctx, missing);
  return new Map(
    questions.map((question) => [question, missing.has(environmentKey(question.environmentId)) ? "nowhere" : "listed"]),
  );
}

/** Takes out of `missing` what is listed, until nothing is missing or two readings in a row have the same environments. */
async function strikeListed({ client, signal }: Asker, missing: Set<string>): Promise<void> {
  let before: ReadonlySet<string> | undefined;
  for (let walks = 0; walks < MOST_WALKS; walks += 1) {
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
  throw new ResponseShapeError(`The list of environments was another one each time, ${MOST_WALKS} times.`);
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
