import { setTimeout as wait } from "node:timers/promises";

export const MS_PER_SECOND = 1_000;

/** Time and random numbers. Tests pass a clock of their own. */
export interface Clock {
  /** Monotonic time in milliseconds, for pauses and timeouts: setting the machine's date does not change it. */
  now(): number;
  /** Milliseconds since 1970, as `Date.now()` gives them: only to compare with dates from outside. */
  date(): number;
  /** Resolves after `ms` milliseconds. Rejects at once when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
  /** Calls `act` after `ms` milliseconds. Returns a function that cancels it. */
  later(ms: number, act: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  },
  later: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
