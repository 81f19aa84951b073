import type { PreviewenvClient } from "../../provider/src/client";
import type { Clock } from "../../provider/src/client/clock";
import { type SandboxOptions, startSandbox } from "../../provider/src/sandbox";
import type { FunctionContext } from "../../provider/src/framework/function";
import { clientAt, failure } from "../client/support/samples";
import { TestClock } from "../support/test-clock";

/** A sandbox, and functions that ask it over HTTP. For `await using`. */
export async function startService(options: SandboxOptions = {}) {
  const clock = new TestClock();
  const sandbox = await startSandbox({ clock, ...options });
  const client = clientAt(sandbox.url, { apiToken: sandbox.token, clock });
  return {
    sandbox,
    context: functionContext(client, clock),
    /** The requests so far: label and query. */
    asked: () => sandbox.journal.entries.map(({ label, query }) => `${label} ${query}`.trim()),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await sandbox.close();
    },
  };
}

/** What functions run with. They print nothing. */
export function functionContext(client: PreviewenvClient, clock: Clock = new TestClock()): FunctionContext {
  const ignore = (): undefined => undefined;
  return { client, clock, log: { info: ignore, warn: ignore, status: ignore } };
}

/** The message of an expected failure. */
export async function failureOf(result: Promise<unknown>): Promise<string> {
  const error = await failure(result);
  if (error instanceof Error) return error.message;
  throw error;
}
