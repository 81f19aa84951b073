import { setImmediate, setTimeout } from "node:timers/promises";
import { perRun } from "./program-run";

/**
 * How long a set waits for an Output of the program's own code or of another stack, after the turn and after all calls of functions.
 * Such an Output may hide a resource that waits for this very set: only time tells. Nothing else on the way to a value is as slow.
 */
const PATIENCE_MS = 5_000;

/** Promises that have not ended yet. */
class UnderWay {
  readonly #promises = new Set<Promise<unknown>>();

  add<T>(promise: Promise<T>): Promise<T> {
    this.#promises.add(promise);
    const end = (): boolean => this.#promises.delete(promise);
    promise.then(end, end);
    return promise;
  }

  /** Resolves when all have ended, and all that were added meanwhile: the end of one may begin another. */
  async ended(): Promise<void> {
    while (this.#promises.size > 0) {
      await Promise.allSettled(this.#promises);
      await setImmediate();
    }
  }
}

/** What the sets of one run wait for before they register. */
class WaitingSets {
  /** Calls of functions that wait for nothing but their answer: never for another resource of the program. */
  readonly calls = new UnderWay();
  /** Reads of inputs that say which variables the resources of the program declare. */
  readonly reads = new UnderWay();
  readonly #turns: { readonly environmentId: string; readonly begin: () => void }[] = [];
  #turn: Promise<void> | undefined;

  /**
   * Resolves when the current turn of the program is over, in which it declares what it can without awaiting anything, and
   * the inputs are known, or never will be. Never rejects.
   */
  afterTurn(): Promise<void> {
    // One for all resources of the turn: there may be a thousand.
    this.#turn ??= this.#endTurn();
    return this.#turn;
  }

  async #endTurn(): Promise<void> {
    await setImmediate();
    this.#turn = undefined;
    const giveUp = new AbortController();
    await Promise.race([this.reads.ended(), this.#patience(giveUp.signal)]);
    giveUp.abort();
  }

  async #patience(signal: AbortSignal): Promise<void> {
    // The timer keeps the process alive: when every registration waits, nothing else does.
    await setTimeout(PATIENCE_MS, undefined, { signal }).catch(() => undefined);
    await this.calls.ended();
  }

  /**
   * Resolves when it is the turn of a set of this environment: they register right after each other. While a resource is updated,
   * the engine looks at the next one: so it shows the state of the set that gives a name away while the set that takes it may still
   * wait for that. In any other order, the takers of 40 environments hold all of the engine's workers before a giver is shown. With
   * `--parallel 1` that is likely, not certain: a registration may overtake another one (docs/limits.md).
   */
  async turnOf(environmentId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turns.push({ environmentId, begin: resolve });
    if (this.#turns.length === 1) void this.#giveTurns();
    return promise;
  }

  async #giveTurns(): Promise<void> {
    // Until then, all sets that are ready have come.
    await setImmediate();
    const turns = this.#turns
      .splice(0)
      .toSorted((first, second) => first.environmentId.localeCompare(second.environmentId));
    for (const { begin } of turns) {
      begin();
      // The registration leaves before the next one.
      await setImmediate();
    }
  }
}

/** What the sets of the current run wait for. */
export const waitingSets = perRun(() => new WaitingSets());
