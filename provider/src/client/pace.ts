import { type Clock, MS_PER_SECOND } from "./clock";
import { abortable } from "./concurrency";

/** How many requests all waits of a client send together, in any second. */
export const MAX_POLLS_PER_SECOND = 20;

/**
 * Spreads requests out that only ask whether something has happened yet, however many builds are waited for. They go in the
 * order in which they came, so that each wait has its turn. As long as there are few, none of them is held up.
 */
export class Pace {
  readonly #clock: Clock;
  /** When the last requests were let through, the newest last. */
  #lastMs: readonly number[] = [];
  #tail: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Calls `start` when one more request fits into the second. The next one has its turn when `start` is over: a request that
   * waits for a permit counts when it has it, and all others of the line leave the permits to requests that write.
   */
  async take<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    let end: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (end = resolve));
    this.#tail = before.then(() => turn);
    try {
      await abortable(before, signal);
      const oldestMs = this.#lastMs.at(-MAX_POLLS_PER_SECOND);
      const waitMs = oldestMs === undefined ? 0 : oldestMs + MS_PER_SECOND - this.#clock.now();
      if (waitMs > 0) await this.#clock.sleep(waitMs, signal);
      const started = await start();
      this.#lastMs = [...this.#lastMs, this.#clock.now()].slice(-MAX_POLLS_PER_SECOND);
      return started;
    } finally {
      end();
    }
  }
}
