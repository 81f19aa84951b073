import type { PreviewenvClient } from "../client";
import { PreviewenvError } from "../client/errors";
import type { Properties } from "./properties";

/** The provider refuses to do what was asked, and says what to do instead. Nothing was written. */
export class RefusedError extends PreviewenvError {}

/** A part of the work failed, and running the command again is safe. */
export class IncompleteError extends PreviewenvError {}

/** The environment of a resource does not exist. */
export class MissingError extends PreviewenvError {}

/**
 * Properties of an error travel in a header of the answer, and gRPC in Go accepts 16 MiB of it, base64 included: 12 MB
 * arrived at the engine, with 20 MB the connection broke and the resource was lost. Secret marks and encoding need the rest.
 */
const MAX_ERROR_BYTES = 8 * 1024 * 1024;

/** Whether an error can carry all of these properties together. As JSON they have about the size that the wire to the engine needs. */
export function fitsIntoError(...bags: readonly Properties[]): boolean {
  return Buffer.byteLength(JSON.stringify(bags)) <= MAX_ERROR_BYTES;
}

/** Said where an operation began with wrong settings that may be those of an earlier `up`. */
export const LAST_SETTINGS_ADVICE =
  "refresh and destroy use the stack config of the last `pulumi up`, and so does the refresh within an `up`: after a " +
  "change there, run `pulumi up --refresh=false` first, or the same command with --run-program.";

/**
 * Runs a read or a delete. The engine does not run the program for these, and gives the provider the settings of the last `up`.
 * So an error says that, too, when the service refused the token.
 */
export async function withLastSettingsAdvice<T>(client: PreviewenvClient, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PreviewenvError && client.isTokenRefused) error.message += ` ${LAST_SETTINGS_ADVICE}`;
    throw error;
  }
}
