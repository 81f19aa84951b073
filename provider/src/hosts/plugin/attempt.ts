import { CancelledError } from "../../client/errors";
import type { Context } from "../../core/context";
import { PartialFailureError } from "../../core/partial-failure";
import type { Resource } from "../../core/resource";
import { InitFailure, TimeIsUpError } from "./failure";
import type { Run } from "./run";
import { protection, type Secrecy } from "./secrecy";
import { send } from "./values";

/** What a call is about, and how long it may take; 0 seconds: as long as it takes. */
export interface Subject {
  readonly urn: string;
  readonly resource: Resource;
  /** What came as a secret, for state that an error carries. */
  readonly secrecy: Secrecy;
  readonly timeoutSeconds: number;
}

/**
 * Runs a handler within the bounds of its call.
 * @throws InitFailure when part of a write happened; otherwise what the handler throws
 */
export async function attempt<T>(run: Run, subject: Subject, action: (context: Context) => Promise<T>): Promise<T> {
  const { urn, resource, secrecy, timeoutSeconds } = subject;
  using call = run.call(urn, timeoutSeconds);
  try {
    return await action(call.context);
  } catch (error) {
    if (error instanceof PartialFailureError) {
      const { id, state, reasons } = error;
      throw new InitFailure({ id, properties: send(state, protection(resource, state, secrecy)), reasons });
    }
    if (error instanceof CancelledError && call.isLate())
      throw new TimeIsUpError(`${error.message}, because the ${timeoutSeconds} s of its customTimeouts were over`);
    throw error;
  }
}
