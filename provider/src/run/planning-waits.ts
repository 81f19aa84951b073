import type { Clock } from "../client/clock";

/** The engine plans one resource after the other: after this long without a Check or a Diff it has probably shown all. */
const QUIET_MS = 250;
/** All waits of a run together last this long at most. */
const MAX_TOTAL_MS = 2_000;
/** How long a wait pauses before it looks again. */
const STEP_MS = 50;

/** The waits of one run for what the engine has not shown yet. */
export class PlanningWaits {
  readonly #clock: Clock;
  #lastPlanningMs = -Infinity;
  #spentMs = 0;
  /** Until when pauses count in `#spentMs`: those side by side count once. */
  #countedUntilMs = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The engine has called Check or Diff. */
  notePlanning(): void {
    this.#lastPlanningMs = this.#clock.now();
  }

  /**
   * Waits for a moment. False, without a wait, when the engine has probably shown all, the run has waited long enough, or `signal`
   * is aborted. `isExpecting`: the engine is going to show more, so that its silence means nothing.
   */
  async pause(isExpecting: boolean, signal: AbortSignal): Promise<boolean> {
    const begin = this.#clock.now();
    const quietMs = isExpecting ? Infinity : this.#lastPlanningMs + QUIET_MS - begin;
    const ms = Math.min(STEP_MS, quietMs, MAX_TOTAL_MS - this.#spentMs);
    if (signal.aborted || ms <= 0) return false;
    try {
      await this.#clock.sleep(ms, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const end = this.#clock.now();
    this.#spentMs += end - Math.max(begin, this.#countedUntilMs);
    this.#countedUntilMs = end;
    return true;
  }
}
