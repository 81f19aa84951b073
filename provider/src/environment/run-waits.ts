import type { Clock } from "../client/clock";

/** The engine plans one resource after the other: after this long without a Check or a Diff it has probably shown all. */
const QUIET_MS = 250;
/** All waits of a run together last this long at most. */
const MAX_TOTAL_MS = 2_000;

/** The waits of one run for what the engine has not shown yet, and for what other resources are doing. */
export class RunWaits {
  readonly #clock: Clock;
  #lastPlanningMs = -Infinity;
  #spentMs = 0;
  #waiting = 0;
  #sinceMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The engine has called Check or Diff. */
  notePlanning(): void {
    this.#lastPlanningMs = this.#clock.now();
  }

  /** Waits until the engine has not called Check or Diff for a while. Ends early when `signal` aborts. */
  async untilQuiet(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ms = Math.min(this.#lastPlanningMs + QUIET_MS - this.#clock.now(), this.#leftMs());
      if (ms <= 0) return;
      await this.#sleep(ms, signal);
    }
  }

  /** Waits until `isOver`, asked again after each call of a function in `listeners`. Ends early when `signal` aborts. */
  async until(isOver: () => boolean, listeners: Set<() => void>, signal: AbortSignal): Promise<void> {
    while (!isOver() && !signal.aborted && this.#leftMs() > 0) {
      const changed = new AbortController();
      const listener = (): void => changed.abort();
      listeners.add(listener);
      await this.#sleep(this.#leftMs(), AbortSignal.any([signal, changed.signal]));
      listeners.delete(listener);
    }
  }

  /** Waits that overlap count once. */
  #leftMs(): number {
    return MAX_TOTAL_MS - this.#spentMs - (this.#waiting > 0 ? this.#clock.now() - this.#sinceMs : 0);
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting === 0) this.#sinceMs = this.#clock.now();
    this.#waiting += 1;
    try {
      await this.#clock.sleep(ms, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#spentMs += this.#clock.now() - this.#sinceMs;
    }
  }
}
