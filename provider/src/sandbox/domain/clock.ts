/** The clock of the sandbox. Builds finish, and timestamps are written, according to it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

/** The computer's own time. */
export const systemClock: Clock = { now: () => Date.now() };

const MANUAL_START_MS = Date.UTC(2026, 0, 1);

/** A clock that stands still until a test moves it. Starts at 2026-01-01T00:00:00Z unless told otherwise. */
export class ManualClock implements Clock {
  #nowMs: number;

  constructor(startMs: number = MANUAL_START_MS) {
    this.#nowMs = startMs;
  }

  /** Milliseconds since 1970, UTC. */
  now(): number {
    return this.#nowMs;
  }

  /** Moves the clock forward. Throws a RangeError for a negative or non-finite step. */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`a clock only moves forward, not by ${ms} ms`);
    this.#nowMs += ms;
  }
}
