import { ApiError, ConfigError, PreviewenvError } from "../client/errors";
import type { Log } from "../framework/context";
import { RefusedError, unexpected } from "../framework/resource-errors";
import { startRun } from "../environment/start-run";
import { resolveSettings, type Source } from "../framework/settings";
import type { FunctionContext } from "../framework/function";

/** Of a token that is wrong, may not do this, or belongs to an organization without the environment. */
const REFUSALS: readonly number[] = [401, 403, 404];

const sessions = new Map<string, FunctionContext>();

/**
 * The client of functions in the program's process: one client for all calls with the same settings. Its idle connections
 * do not keep the process from ending.
 * @throws ConfigError that lists the settings that are missing or wrong
 */
export function functionContext(source: Source, log: Log): FunctionContext {
  const settings = resolveSettings(source, process.env);
  const key = JSON.stringify(settings);
  const stored = sessions.get(key);
  if (stored !== undefined) return stored;
  const { client, clock } = startRun(settings);
  client.onWait((text) => log.status(text));
  const context = { client, clock, log };
  sessions.set(key, context);
  return context;
}

/** Whether another address or token might have given an answer. */
export function mayBeAboutSettings(error: unknown): boolean {
  const isRefused = error instanceof ApiError && REFUSALS.includes(error.status);
  return isRefused || error instanceof ConfigError || error instanceof RefusedError;
}

/** The text of an error for people. Of one that nobody expected its kind and its place alone. */
export function failureText(error: unknown): string {
  return error instanceof PreviewenvError ? error.message : unexpected(error);
}
