import { environmentKey } from "../framework/environment-id";

/**
 * What this process has asked the service to work on. A request that got no answer may show by a build that begins after
 * it; that is a trace of it only when nothing else of this process can have made the service begin one.
 */
export class Causes {
  readonly #counts = new Map<string, number>();

  /** A request that may begin a build in the environment is about to leave. */
  note(environmentId: string): void {
    this.#counts.set(environmentKey(environmentId), this.#count(environmentId) + 1);
  }

  /** Whether one such request at most has left so far. */
  isSingle(environmentId: string): boolean {
    return this.#count(environmentId) <= 1;
  }

  #count(environmentId: string): number {
    return this.#counts.get(environmentKey(environmentId)) ?? 0;
  }
}
