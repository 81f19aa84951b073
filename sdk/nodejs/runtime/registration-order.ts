import { setImmediate } from "node:timers/promises";

/**
 * Lets the sets of one environment register right after each other. While a resource is updated, the engine looks at the next one:
 * so it shows the state of the set that gives a name away while the set that takes it may still wait for that. In any other order,
 * the takers of 40 environments hold all of the engine's workers before a giver is shown. With `--parallel 1` that is likely, not
 * certain: a registration may overtake another one (docs/limits.md).
 */
export class RegistrationOrder {
  readonly #waiting = new Map<string, (() => void)[]>();
  #isUnderWay = false;

  /** Resolves when it is the turn of a set of this environment. */
  async turnOf(environmentId: string): Promise<void> {
    const turn = new Promise<void>((begin) => {
      const others = this.#waiting.get(environmentId) ?? [];
      this.#waiting.set(environmentId, [...others, begin]);
    });
    if (!this.#isUnderWay) void this.#giveTurns();
    return turn;
  }

  async #giveTurns(): Promise<void> {
    this.#isUnderWay = true;
    // Until then, all sets that are ready have come.
    await setImmediate();
    for (const [environmentId, turns] of this.#waiting) {
      this.#waiting.delete(environmentId);
      for (const begin of turns) {
        begin();
        // The registration leaves before the next one.
        await setImmediate();
      }
    }
    this.#isUnderWay = false;
  }
}
