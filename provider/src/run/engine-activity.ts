import type { Clock } from "../client/clock";

/** The engine plans one resource after the other: after this long without a Check or a Diff it has probably shown all. */
const QUIET_MS = 250;
/** The same while the engine is going to show more. It shows nothing while all its workers wait. */
const EXPECTING_QUIET_MS = 2_000;
/** How long a wait pauses before it looks again. */
const STEP_MS = 50;

/** The waits of one run for what the engine has not shown yet. Only its silence ends them: how long it takes is up to the machine. */
export class EngineActivity {
  readonly #clock: Clock;
  #lastPlanningMs = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The engine has called Check or Diff. */
  noteCall(): void {
    this.#lastPlanningMs = this.#clock.now();
  }

  /**
   * Waits for a moment. False, without a wait, when the engine has probably shown all, or `signal` is aborted. `isExpecting`: it is
   * going to show more.
   */
  async pause(isExpecting: boolean, signal: AbortSignal): Promise<boolean> {
    const quietMs = this.#lastPlanningMs + (isExpecting ? EXPECTING_QUIET_MS : QUIET_MS) - this.#clock.now();
    if (signal.aborted || quietMs <= 0) return false;
    try {
      await this.#clock.sleep(Math.min(STEP_MS, quietMs), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return true;
  }
}
