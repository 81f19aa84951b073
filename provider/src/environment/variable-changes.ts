import { environmentKey } from "../framework/environment-id";

/**
 * The environments whose variables this process has changed. A build that was there before may be without them, and the
 * service does not always show that: its times have whole seconds, and of a deleted variable nothing is left.
 */
export class VariableChanges {
  readonly #environments = new Set<string>();

  /** A request that changes variables of the environment is about to leave. */
  note(environmentId: string): void {
    this.#environments.add(environmentKey(environmentId));
  }

  /** Whether such a request has left so far. */
  has(environmentId: string): boolean {
    return this.#environments.has(environmentKey(environmentId));
  }
}
