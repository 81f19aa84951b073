import { ApiError, CancelledError, type PreviewenvError } from "../client/errors";
import { isTransient } from "../client/retry";
import { progressLine, seconds } from "../client/error-text";
import type { Context, Log } from "../framework/context";

const FIRST_DELAY_MS = 1_000;
const GROWTH = 1.5;
const MAX_DELAY_MS = 10_000;
/** While nothing changes, a line of progress is shown this often at most. */
const PROGRESS_EVERY_MS = 30_000;

/** Options of each request of a reading: the client repeats it for 2 s at most, because the wait reads again by itself. */
export const POLL_CALL = { maxRetryMs: 2_000 } as const;

/** How long a wait may take. */
export interface WaitLimit {
  readonly timeoutMs: number;
  /** When the time began to count, as `clock` tells time: before now when the wait is a part of a longer one. Default: now. */
  readonly since?: number | undefined;
  /** The input that sets the timeout, for errors. */
  readonly timeoutName: string;
}

/** The parts of a call that waiting needs. */
type Waiting = Pick<Context, "clock" | "deadline"> & {
  readonly log: Pick<Log, "status">;
  readonly signal?: AbortSignal | undefined;
};

/**
 * A wait: reads from the service, with a pause between each two, until the time is up: `timeoutMs`, or the deadline when that is
 * earlier.
 */
export class Wait {
  readonly #waiting: Waiting;
  readonly #start: number;
  readonly #timeoutMs: number;
  /** The name of the limit that ends it first. */
  readonly #limit: string;
  /** What is waited for, for people. */
  what = "waiting for the service";
  #delayMs = FIRST_DELAY_MS;
  #failures: TransientFailures | undefined;
  #shown = { text: "", atMs: 0 };

  constructor(waiting: Waiting, { timeoutMs, since, timeoutName }: WaitLimit) {
    this.#waiting = waiting;
    this.#start = since ?? waiting.clock.now();
    const leftMs = waiting.deadline === undefined ? Infinity : Math.max(0, waiting.deadline - this.#start);
    this.#timeoutMs = Math.min(timeoutMs, leftMs);
    this.#limit = leftMs < timeoutMs ? "the resource option customTimeouts" : timeoutName;
  }

  /** How long it has taken, in milliseconds. */
  get elapsedMs(): number {
    return this.#waiting.clock.now() - this.#start;
  }

  /** The result of a reading. `undefined` when it fails in a way that may pass (`isTransient`). Any other error ends the wait. */
  async poll<T>(reading: Promise<T>): Promise<T | undefined> {
    const startedMs = this.elapsedMs;
    try {
      const seen = await reading;
      this.#failures = undefined;
      return seen;
    } catch (error) {
      if (!isTransient(error)) throw error;
      const { sinceMs = startedMs, times = 0 } = this.#failures ?? {};
      this.#failures = { error, sinceMs, times: times + 1 };
      return undefined;
    }
  }

  /**
   * Pauses before the next reading. False when the time is up. The pause after readings that failed is exponential with full jitter.
   * @throws CancelledError when the signal ends the wait.
   */
  async pause(): Promise<boolean> {
    const remainingMs = this.#timeoutMs - this.elapsedMs;
    if (remainingMs <= 0) return false;
    this.#show();
    const pauseMs = this.#failures === undefined ? this.#delayMs : this.#backoffMs(this.#failures.times);
    await sleep(this.#waiting, Math.min(pauseMs, remainingMs));
    if (this.#failures === undefined) this.#delayMs = Math.min(this.#delayMs * GROWTH, MAX_DELAY_MS);
    return true;
  }

  /** How long it took and which limit that was, for errors: `after 60 s (buildTimeoutSeconds)`. */
  get after(): string {
    return `after ${seconds(this.elapsedMs)} (${this.#limit})`;
  }

  /** The error of the last reading, as a sentence to append to a message. "" when the last reading was answered. */
  get lastFailure(): string {
    if (this.#failures === undefined) return "";
    const { sinceMs, error } = this.#failures;
    return ` For the last ${seconds(this.elapsedMs - sinceMs)} the service gave no good answer: ${error.message}`;
  }

  #backoffMs(times: number): number {
    return this.#waiting.clock.random() * Math.min(FIRST_DELAY_MS * 2 ** (times - 1), MAX_DELAY_MS);
  }

  /** Shows what is waited for, and what is in the way of it: on a change, and otherwise every 30 s at most. */
  #show(): void {
    const { elapsedMs } = this;
    const failures = this.#failures;
    const answer = failures?.error instanceof ApiError ? `answers ${failures.error.status}` : "gives no good answer";
    const text = failures === undefined ? this.what : `${this.what}; the service ${answer}`;
    if (text === this.#shown.text && elapsedMs - this.#shown.atMs < PROGRESS_EVERY_MS) return;
    this.#shown = { text, atMs: elapsedMs };
    const since = failures === undefined ? "" : `, for ${seconds(elapsedMs - failures.sinceMs)} now`;
    this.#waiting.log.status(progressLine(elapsedMs, text + since));
  }
}

/** @throws CancelledError when the signal ends the pause. */
async function sleep({ clock, signal }: Waiting, ms: number): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    throw new CancelledError("cancelled while waiting for the service", true);
  }
}

/** Failed requests in a row. */
interface TransientFailures {
  readonly error: PreviewenvError;
  /** When the first of them began, in milliseconds since the wait began. */
  readonly sinceMs: number;
  readonly times: number;
}
