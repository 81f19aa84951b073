import { setTimeout as wait } from "node:timers/promises";

/** Time and chance, handed in so that tests own both. */
export interface Clock {
  /** Milliseconds since some moment, for pauses and timeouts: a step of the machine's date does not move it. */
  now(): number;
  /** Milliseconds since 1970, as `Date.now()` gives them: only to compare with a date that somebody else has written. */
  date(): number;
  /** Resolves after `ms` milliseconds; rejects at once when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
  /** Calls `act` after `ms` milliseconds, unless what it gives back is called before. Default: a timer of the machine. */
  later?(ms: number, act: () => void): () => void;
}

/** Calls `act` after `ms` milliseconds of a clock; returns what takes it back. */
export function startTimer(clock: Clock, ms: number, act: () => void): () => void {
  if (clock.later !== undefined) return clock.later(ms, act);
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  },
};
