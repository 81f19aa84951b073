import type { PreviewenvClient } from "../client";
import { ConfigError, PreviewenvError, UnauthorizedError } from "../client/errors";
import type { Properties } from "./properties";
import { settings } from "./settings";

/** The provider refuses to do what was asked, and says what to do instead. */
export class RefusedError extends PreviewenvError {}

/** A part of the work failed, and running the command again is safe. */
export class IncompleteError extends PreviewenvError {}

/** The text for people about an error that nobody expected: its kind and place, as its message may contain values. */
export function unexpected(error: unknown): string {
  const kind = error instanceof Error ? error.name : typeof error;
  const place =
    error instanceof Error ? /^\s+at (?<place>.+)$/mu.exec(error.stack ?? "")?.groups?.["place"] : undefined;
  return `unexpected ${kind}${place === undefined ? "" : ` at ${place}`}. Please report it to the maintainers of pulumi-previewenv`;
}

/**
 * Properties of an error travel in a header of the answer, and gRPC in Go accepts 16 MiB of it, base64 included: 12 MB
 * arrived at the engine, with 20 MB the connection broke and the resource was lost. Secret marks and encoding need the rest.
 */
const MAX_ERROR_BYTES = 8 * 1024 * 1024;

/** Whether an error can carry all of these properties together. As JSON they have about the size that the wire to the engine needs. */
export function fitsIntoError(...bags: readonly Properties[]): boolean {
  return Buffer.byteLength(JSON.stringify(bags)) <= MAX_ERROR_BYTES;
}

/** Said where an operation fails with settings that may be those of an earlier `up`. */
const LAST_SETTINGS_ADVICE =
  "refresh and destroy use the stack config and the `Provider` resources of the last `pulumi up`, and so does the refresh within an " +
  "`up`: after a change there, run `pulumi up --refresh=false` first, while the program still has a resource or function of this provider.";
/** A setting in an advice. */
const SETTING = new RegExp(`previewenv:(?:${settings.map(({ name }) => name).join("|")})\\b`, "u");

/**
 * The error with which an operation begins. An `up` with missing or wrong settings ends at its check. So an operation that fails with them
 * is a refresh or destroy with the settings of the last `up`, and the error says so.
 */
export function withLastSettingsAdvice(error: unknown): unknown {
  return error instanceof ConfigError ? error.withMore(`\n${LAST_SETTINGS_ADVICE}`) : error;
}

/** Clients whose token is refused, after somebody was told what to do about it. */
const told = new WeakSet<PreviewenvClient>();

/**
 * Runs a handler. Once the service has refused the token, one error says what to do, and those of all other resources are short: the engine
 * shows each of them several times. `isOfLastUp`: the settings may be those of the last `up`. Then an error that advises to change a setting
 * says so, because the change alone would have no effect.
 */
export async function withSettingsAdvice<T>(
  client: PreviewenvClient,
  answer: Promise<T>,
  isOfLastUp: boolean,
): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    if (client.isTokenRefused && (error instanceof UnauthorizedError || error instanceof IncompleteError)) {
      if (told.has(client)) throw new RefusedError("The token is refused (401): see the longer error.");
      told.add(client);
    }
    throw isOfLastUp && SETTING.test(error.message) ? error.withMore(`\n${LAST_SETTINGS_ADVICE}`) : error;
  }
}
