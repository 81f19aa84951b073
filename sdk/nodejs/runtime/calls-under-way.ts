import { setImmediate } from "node:timers/promises";
import { perRun } from "./program-run";

const calls = perRun(() => new Set<Promise<unknown>>());

/** Notes a call of a function that waits for nothing but its answer: never for another resource of the program. */
export async function noteCall<T>(answer: Promise<T>): Promise<T> {
  const underWay = calls();
  underWay.add(answer);
  try {
    return await answer;
  } finally {
    underWay.delete(answer);
  }
}

/** Resolves when no call is under way. A call that the answer of another one starts counts too. */
export async function callsAnswered(): Promise<void> {
  const underWay = calls();
  while (underWay.size > 0) {
    await Promise.allSettled(underWay);
    await setImmediate();
  }
}
