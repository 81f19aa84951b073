import type { Clock as ServiceClock } from "../../provider/src/sandbox";

const START_MS = Date.UTC(2026, 0, 1);
/** Turns of Node's loop without anything new, after which everything waits for time: undici and the transport need up to
 * two of them after an answer. */
const QUIET_TURNS = 3;

interface Event {
  readonly atMs: number;
  readonly act: () => void;
}

/** More than any run needs, by far. */
const MAX_EVENTS = 20_000;

/** Nothing is left that could happen, and somebody still waits, or no end is in sight: a hang. */
export class StandstillError extends Error {}

/** Virtual time: what is to happen is in a queue, and the clock jumps to the next of it when nothing is left to do. */
export class Timeline implements ServiceClock {
  #nowMs = START_MS;
  #activity = 0;
  #events: Event[] = [];
  #failure: Error | undefined;

  now(): number {
    return this.#nowMs;
  }

  /** Lets time pass at once. What is due in between happens late. */
  skip(ms: number): void {
    this.#nowMs += ms;
  }

  /** Something was started: not everything waits for time yet. */
  stir(): void {
    this.#activity += 1;
  }

  /** Ends the run with an error. Who threw it might not be heard. */
  fail(error: Error): void {
    this.#failure ??= error;
  }

  /** Calls `act` after `ms` milliseconds. Returns what takes it back. */
  after(ms: number, act: () => void): () => void {
    this.#activity += 1;
    const event: Event = { atMs: this.#nowMs + ms, act };
    const later = this.#events.findIndex(({ atMs }) => atMs > event.atMs);
    this.#events.splice(later === -1 ? this.#events.length : later, 0, event);
    return () => {
      const index = this.#events.indexOf(event);
      if (index !== -1) this.#events.splice(index, 1);
    };
  }

  /** Is over after `ms` milliseconds. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Runs until `work` is over. @throws StandstillError when it never will be. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    work.then(end, end);
    for (let events = 0; ; events += 1) {
      await this.#rest();
      if (this.#failure !== undefined) throw this.#failure;
      if (isOver) return work;
      const event = this.#events.shift();
      if (event === undefined) throw new StandstillError("the run waits for something that never comes");
      if (events > MAX_EVENTS) throw new StandstillError(`the run goes on after ${MAX_EVENTS} events`);
      this.#nowMs = Math.max(this.#nowMs, event.atMs);
      event.act();
    }
  }

  async #rest(): Promise<void> {
    for (let seen = -1; seen !== this.#activity;) {
      seen = this.#activity;
      for (let turn = 0; turn < QUIET_TURNS; turn += 1) await new Promise(setImmediate);
    }
  }
}
