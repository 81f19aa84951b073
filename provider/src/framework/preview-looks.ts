import { ApiError, CancelledError, ConnectionError, type PreviewenvError, UnauthorizedError } from "../client/errors";
import { isTransient } from "../client/retry";
import type { Context } from "./context";
import type { Properties } from "./properties";

/** The knowledge of a preview about a resource that is about to be created or changed. */
export interface PlannedResource<I> {
  /** Inputs as far as they are known. */
  readonly inputs: I;
  /** Names of the inputs that are not known as a whole. */
  readonly unknowns: ReadonlySet<string>;
  /** State before an update. `undefined` for a create. */
  readonly state: Properties | undefined;
}

/** The warnings of one preview, each once. */
export class PreviewWarnings {
  readonly #said = new Set<string>();
  /** Why the service could not be asked, as the first look that failed says it. Later looks say the same, so an outage is one warning. */
  outage: string | undefined;

  /** Those of the warnings that this preview has not shown yet. They count as shown now. */
  unsaid(warnings: readonly string[]): readonly string[] {
    const unsaid = [...new Set(warnings)].filter((text) => !this.#said.has(text));
    for (const text of unsaid) this.#said.add(text);
    return unsaid;
  }
}

/**
 * The warnings of a look. When the service cannot be asked, that is one warning, and the preview goes on.
 * @throws whatever makes the `up` fail for certain: a rejected token, an environment that is gone, a refusal.
 */
export async function warningIfUnreachable(
  { warnings, signal }: Context,
  look: Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await look;
  } catch (error) {
    if (signal.aborted || !isAboutAsking(error)) throw error;
    const { message } = error;
    return [uncheckedText(isNoAnswer(error) ? (warnings.outage ??= message) : message)];
  }
}

/** The warning of a preview that could not ask the service. */
export function uncheckedText(reason: string): string {
  return `this preview could not check what the service has: ${reason}`;
}

/** Whether a failed look does not tell what the `up` will find. */
function isAboutAsking(error: unknown): error is PreviewenvError {
  if (error instanceof ApiError) return !(error instanceof UnauthorizedError);
  return isNoAnswer(error) || error instanceof CancelledError;
}

/** Whether the service did not answer, or not for now. */
function isNoAnswer(error: unknown): error is PreviewenvError {
  return error instanceof ConnectionError || isTransient(error);
}
