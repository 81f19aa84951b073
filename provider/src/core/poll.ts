import type { Clock } from "../client/clock";
import { CancelledError, PreviewenvError } from "../client/errors";
import type { Log } from "./context";

const FIRST_DELAY_MS = 1_000;
const GROWTH = 1.5;
const LONGEST_DELAY_MS = 10_000;
/** While nothing changes, a line of progress is shown this often at most. */
const PROGRESS_EVERY_MS = 30_000;

/** What one look found: the end, or a word for people on what is being waited for. */
export type Look<T> = { readonly done: T } | { readonly waiting: string };

/** How long to wait, and what for. */
export interface Polling<T> {
  readonly timeoutMs: number;
  /** The pause between two looks grows from a second to this. Default 10 000. */
  readonly longestDelayMs?: number;
  /** Looks once. Throwing ends the waiting, but for errors that may pass (`retryable`) while there is time left. */
  readonly look: (elapsedMs: number) => Promise<Look<T>>;
  /** The error when the time is up, and which of the limits it was. */
  readonly late: (elapsedMs: number, limit: Limit) => Error;
}

/** What ended a wait: its own `timeoutMs`, or the deadline of the whole call. */
export type Limit = "timeout" | "deadline";

/** What waiting needs of its surroundings. */
export interface Waiting {
  readonly clock: Clock;
  readonly log: Pick<Log, "status">;
  readonly signal?: AbortSignal | undefined;
  /** When the whole call must be over, as `clock` tells time. */
  readonly deadline?: number | undefined;
}

/**
 * Looks again and again until there is an end or the time is up: `timeoutMs`, or the deadline when that is earlier.
 * @throws CancelledError when the signal ends the wait.
 */
export async function poll<T>(waiting: Waiting, polling: Polling<T>): Promise<T> {
  const { longestDelayMs = LONGEST_DELAY_MS, look, late } = polling;
  const start = waiting.clock.now();
  const { limit, timeoutMs } = limitOf(waiting, polling.timeoutMs);
  const elapsed = (): number => waiting.clock.now() - start;
  let delay = FIRST_DELAY_MS;
  let shown = { text: "", at: 0 };
  for (;;) {
    const found = await look(elapsed()).catch((error: unknown) => passing(error, elapsed() < timeoutMs));
    if ("done" in found) return found.done;
    const remaining = timeoutMs - elapsed();
    if (remaining <= 0) throw late(elapsed(), limit);
    if (found.waiting !== shown.text || elapsed() - shown.at >= PROGRESS_EVERY_MS) {
      shown = { text: found.waiting, at: elapsed() };
      waiting.log.status(`${found.waiting} (${Math.round(elapsed() / 1000)} s)`);
    }
    await pause(waiting, Math.min(delay, remaining));
    delay = Math.min(delay * GROWTH, longestDelayMs);
  }
}

/** The limit of a wait as an error names it, `own` being the input that sets its timeout. */
export function limitText(limit: Limit, own: string): string {
  return limit === "timeout" ? own : "the resource option customTimeouts";
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

function limitOf(
  { clock, deadline }: Waiting,
  timeoutMs: number,
): { readonly limit: Limit; readonly timeoutMs: number } {
  const leftMs = deadline === undefined ? timeoutMs : Math.max(0, deadline - clock.now());
  return leftMs < timeoutMs ? { limit: "deadline", timeoutMs: leftMs } : { limit: "timeout", timeoutMs };
}

/** A service that does not answer for a while does not end a wait of half an hour. */
function passing(error: unknown, hasTime: boolean): { readonly waiting: string } {
  if (hasTime && error instanceof PreviewenvError && error.retryable)
    return { waiting: "the service does not answer, still waiting" };
  throw error;
}
