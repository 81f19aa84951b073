import { PreviewenvError } from "../client/errors";
import type { Log } from "../framework/context";
import { startSession } from "../environment/start-session";
import { resolveSettings, type Source } from "../framework/settings";
import type { FunctionContext } from "../framework/function";

const sessions = new Map<string, FunctionContext>();

/**
 * What functions run with in the program's process: one client for all calls with the same settings. Its idle connections
 * do not keep the process from ending.
 * @throws SettingsError that lists what is missing or wrong
 */
export function functionContext(source: Source, log: Log): FunctionContext {
  const settings = resolveSettings(source, process.env);
  const key = JSON.stringify(settings);
  const stored = sessions.get(key);
  if (stored !== undefined) return stored;
  const { client, clock } = startSession(settings);
  client.onWait((text) => log.status(text));
  const context = { client, clock, log };
  sessions.set(key, context);
  return context;
}

/** The text of an error that this package throws. `undefined` for any other error, whose stack helps to find the bug. */
export function expectedFailure(error: unknown): string | undefined {
  return error instanceof PreviewenvError ? error.message : undefined;
}
