import { setImmediate } from "node:timers/promises";
import { type Clock, systemClock } from "../../provider/src/client/clock";
import { ManualClock } from "../../provider/src/sandbox";

const MIDDLE = 0.5;
/** Of the event loop: enough for a request and its answer on this machine, whose both ends are in this process. */
const TURNS = 100;

/** Time of sandbox and provider in one: it moves when a provider sleeps, so that nothing really waits. */
export class TestClock extends ManualClock implements Clock {
  /** Called after each sleep, with the milliseconds since the clock's start: where a test lets things happen. */
  onSleep: (elapsedMs: number) => void = () => undefined;
  readonly #startMs = this.now();

  /** Moves on by what was to be slept, once what goes on at the same time had its turns. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      signal?.throwIfAborted();
      await setImmediate();
    }
    signal?.throwIfAborted();
    this.advance(ms);
    this.onSleep(this.now() - this.#startMs);
    await setImmediate();
  }

  later(ms: number, act: () => void): () => void {
    return systemClock.later(ms, act);
  }

  date(): number {
    return this.now();
  }

  /** Always the same, so that backoff is the same in every run. */
  random(): number {
    return MIDDLE;
  }
}
