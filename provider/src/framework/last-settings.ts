import type { PreviewenvClient } from "../client";
import { PreviewenvError } from "../client/errors";
import { resolveSettings, type Settings, SettingsError, type Source } from "./settings";

const ADVICE =
  "refresh and destroy use the stack config of the last `pulumi up`, and so does the refresh within an `up`: after a " +
  "change there, run `pulumi up --refresh=false` first, or the same command with --run-program.";

/**
 * The settings with which an operation begins. An `up` with missing or wrong settings ends at its check. So an operation that
 * fails here is a refresh or destroy with the settings of the last `up`, and the error says so.
 * @throws SettingsError that lists every missing or wrong setting, without the value of any.
 */
export function resolveLastSettings(source: Source, environment: NodeJS.ProcessEnv): Settings {
  try {
    return resolveSettings(source, environment);
  } catch (error) {
    if (error instanceof SettingsError) error.message += `\n${ADVICE}`;
    throw error;
  }
}

/**
 * Runs a read or a delete. The engine does not run the program for these, and gives the provider the settings of the last `up`.
 * So an error says that, too, when the service refused the token.
 */
export async function withLastSettingsAdvice<T>(client: PreviewenvClient, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (PreviewenvError.isInstance(error) && client.isTokenRefused) error.message += ` ${ADVICE}`;
    throw error;
  }
}
