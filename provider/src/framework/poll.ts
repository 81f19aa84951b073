import type { Clock } from "../client/clock";
import { CancelledError } from "../client/errors";
import { progressLine, seconds } from "../client/error-text";
import type { Log } from "./context";
import { describeFailures, isTransient, type TransientFailures, lastFailureText } from "./transient-failures";

const FIRST_DELAY_MS = 1_000;
const GROWTH = 1.5;
const MAX_DELAY_MS = 10_000;
/** While nothing changes, a line of progress is shown this often at most. */
const PROGRESS_EVERY_MS = 30_000;

/** For each request of a `look`: the wait looks again by itself, shows that it does, and has a timeout of its own. */
export const POLL_CALL = { maxRetryMs: 2_000 } as const;

/** What one look found: the end of the wait, or what is being waited for, in words for people. */
export type PollResult<T> = { readonly done: T } | { readonly waiting: string };

/** How long a wait may take. */
export interface WaitLimit {
  readonly timeoutMs: number;
  /** When the time began to count, as `clock` tells time: before now when the wait is a part of a longer one. Default: now. */
  readonly since?: number | undefined;
}

/** How long to wait, and what for. */
export interface Polling<T> extends WaitLimit {
  /** The input that sets the timeout, for errors. */
  readonly timeoutName: string;
  /** The pause between two looks grows from 1,000 to this. Default 10,000. */
  readonly maxDelayMs?: number;
  /** Looks once. An error ends the wait, unless it may pass (`isTransient`). */
  readonly look: (elapsedMs: number) => Promise<PollResult<T>>;
  /** The error when the time is up. */
  readonly onTimeout: (late: Timeout) => Error;
}

/** A wait that took too long. */
export interface Timeout {
  /** How long it took and which limit that was: `after 60 s (buildTimeoutSeconds)`. */
  readonly after: string;
  /** The error of the last look, as a sentence to append to a message; "" when the last look was answered. */
  readonly lastFailure: string;
}

/** What waiting needs of its surroundings. */
export interface Waiting {
  readonly clock: Clock;
  readonly log: Pick<Log, "status">;
  readonly signal?: AbortSignal | undefined;
  /** When the whole call must be over, as `clock` tells time. */
  readonly deadline?: number | undefined;
}

/**
 * Looks again and again until there is an end or the time is up: `timeoutMs`, or the deadline when that is earlier. Looks
 * that fail in ways that may pass do not end it: the pause after them is exponential with full jitter.
 * @throws CancelledError when the signal ends the wait.
 */
export async function poll<T>(waiting: Waiting, polling: Polling<T>): Promise<T> {
  const { maxDelayMs = MAX_DELAY_MS, timeoutName, look, onTimeout } = polling;
  const { clock } = waiting;
  const start = polling.since ?? clock.now();
  const leftMs = waiting.deadline === undefined ? Infinity : Math.max(0, waiting.deadline - start);
  const timeoutMs = Math.min(polling.timeoutMs, leftMs);
  const limit = leftMs < polling.timeoutMs ? "the resource option customTimeouts" : timeoutName;
  const elapsed = (): number => clock.now() - start;
  const show = progress(waiting);
  let delay = FIRST_DELAY_MS;
  let what = "waiting for the service";
  let failures: TransientFailures | undefined;
  for (;;) {
    const startedMs = elapsed();
    const found = await look(startedMs).catch((error: unknown) => failed(error, failures, startedMs));
    if ("done" in found) return found.done;
    failures = "error" in found ? found : undefined;
    if ("waiting" in found) what = found.waiting;
    const remaining = timeoutMs - elapsed();
    if (remaining <= 0)
      throw onTimeout({
        after: `after ${seconds(elapsed())} (${limit})`,
        lastFailure: lastFailureText(failures, elapsed()),
      });
    show(what, failures, elapsed());
    const pauseMs = failures === undefined ? delay : clock.random() * backoffMs(failures.times, maxDelayMs);
    await pause(waiting, Math.min(pauseMs, remaining));
    if (failures === undefined) delay = Math.min(delay * GROWTH, maxDelayMs);
  }
}

/** A look that failed in a way that may pass, together with those before it. */
function failed(error: unknown, before: TransientFailures | undefined, startedMs: number): TransientFailures {
  if (!isTransient(error)) throw error;
  return { error, sinceMs: before?.sinceMs ?? startedMs, times: (before?.times ?? 0) + 1 };
}

function backoffMs(times: number, maxMs: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (times - 1), maxMs);
}

/** Shows what is waited for, and what is in the way of it: on a change, and otherwise every 30 s at most. */
function progress({
  log,
}: Waiting): (what: string, failures: TransientFailures | undefined, elapsedMs: number) => void {
  let shown = { text: "", atMs: 0 };
  return (what, failures, elapsedMs) => {
    const text = failures === undefined ? what : `${what}; ${describeFailures(failures)}`;
    if (text === shown.text && elapsedMs - shown.atMs < PROGRESS_EVERY_MS) return;
    shown = { text, atMs: elapsedMs };
    const since = failures === undefined ? "" : `, for ${seconds(elapsedMs - failures.sinceMs)} now`;
    log.status(progressLine(elapsedMs, text + since));
  };
}

/** Sleeps. @throws CancelledError when the signal ends it. */
export async function pause({ clock, signal }: Omit<Waiting, "log">, ms: number): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    throw new CancelledError("cancelled while waiting for the service", true);
  }
}
