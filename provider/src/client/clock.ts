import { setTimeout as wait } from "node:timers/promises";

/** Time and chance, handed in so that tests own both. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now()` gives them. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects at once when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  },
};
