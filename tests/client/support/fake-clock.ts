import { type Clock, systemClock } from "../../../provider/src/client/clock";

/** A clock that never waits: sleeping moves it. */
export interface FakeClock extends Clock {
  readonly sleeps: number[];
  nowMs: number;
}

/** A clock that starts at `nowMs` and whose chance is always 1. */
export function fakeClock(nowMs = 1_000_000): FakeClock {
  const clock: FakeClock = {
    sleeps: [],
    nowMs,
    now: () => clock.nowMs,
    date: () => clock.nowMs,
    random: () => 1,
    later: (ms, act) => systemClock.later(ms, act),
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      clock.sleeps.push(ms);
      clock.nowMs += ms;
    },
  };
  return clock;
}
