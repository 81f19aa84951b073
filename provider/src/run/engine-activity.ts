import type { Clock } from "../client/clock";

/** The engine plans one resource after the other: after this long without a Check or a Diff it has probably shown all. */
const QUIET_MS = 250;
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

  /** Waits until the engine has probably shown all that the program declares. */
  async untilQuiet(signal: AbortSignal): Promise<void> {
    for (;;) {
      const quietMs = this.#lastPlanningMs + QUIET_MS - this.#clock.now();
      if (signal.aborted || quietMs <= 0) return;
      await this.#clock.sleep(Math.min(STEP_MS, quietMs), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }
}
