import type { Clock } from "../client/clock";
import { CancelledError } from "../client/errors";
import { seconds } from "../client/error-text";
import type { Log } from "./context";
import { describeTrouble, isTransient, type Trouble, troubleText } from "./trouble";

const FIRST_DELAY_MS = 1_000;
const GROWTH = 1.5;
const MAX_DELAY_MS = 10_000;
/** While nothing changes, a line of progress is shown this often at most. */
const PROGRESS_EVERY_MS = 30_000;

/** What each request of a look is given: the wait looks again, shows that it does, and has a timeout of its own. */
export const OF_A_LOOK = { maxRetryMs: 2_000 } as const;

/** What one look found: the end, or a word for people on what is being waited for. */
export type Look<T> = { readonly done: T } | { readonly waiting: string };

/** How long to wait, and what for. */
export interface Polling<T> {
  readonly timeoutMs: number;
  /** The pause between two looks grows from a second to this. Default 10 000. */
  readonly longestDelayMs?: number;
  /** Looks once. Throwing ends the waiting, but for errors that may pass (`mayPass`). */
  readonly look: (elapsedMs: number) => Promise<Look<T>>;
  /** The error when the time is up, and which of the limits it was. `trouble` belongs at the end of its message: the
   * error of the last look, or "" when that one was answered. */
  readonly late: (elapsedMs: number, limit: Limit, trouble: string) => Error;
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
 * Looks again and again until there is an end or the time is up: `timeoutMs`, or the deadline when that is earlier. Looks
 * that fail in ways that may pass do not end it: the pause after them is exponential with full jitter.
 * @throws CancelledError when the signal ends the wait.
 */
export async function poll<T>(waiting: Waiting, polling: Polling<T>): Promise<T> {
  const { longestDelayMs = MAX_DELAY_MS, look, late } = polling;
  const { clock } = waiting;
  const start = clock.now();
  const { limit, timeoutMs } = limitOf(waiting, polling.timeoutMs);
  const elapsed = (): number => clock.now() - start;
  const show = progress(waiting);
  let delay = FIRST_DELAY_MS;
  let what = "waiting for the service";
  let trouble: Trouble | undefined;
  for (;;) {
    const startedMs = elapsed();
    const found = await look(startedMs).catch((error: unknown) => failed(error, trouble, startedMs));
    if ("done" in found) return found.done;
    trouble = "error" in found ? found : undefined;
    if ("waiting" in found) what = found.waiting;
    const remaining = timeoutMs - elapsed();
    if (remaining <= 0) throw late(elapsed(), limit, troubleText(trouble, elapsed()));
    show(what, trouble, elapsed());
    const paceMs = trouble === undefined ? delay : clock.random() * backoffMs(trouble.times, longestDelayMs);
    await pause(waiting, Math.min(paceMs, remaining));
    if (trouble === undefined) delay = Math.min(delay * GROWTH, longestDelayMs);
  }
}

/** A look that failed in a way that may pass, as part of the trouble so far. */
function failed(error: unknown, before: Trouble | undefined, startedMs: number): Trouble {
  if (!isTransient(error)) throw error;
  return { error, sinceMs: before?.sinceMs ?? startedMs, times: (before?.times ?? 0) + 1 };
}

function backoffMs(times: number, longestMs: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (times - 1), longestMs);
}

/** Shows what is waited for, and what is in the way of it: on a change, and otherwise every 30 s at most. */
function progress({ log }: Waiting): (what: string, trouble: Trouble | undefined, elapsedMs: number) => void {
  let shown = { text: "", atMs: 0 };
  return (what, trouble, elapsedMs) => {
    const text = trouble === undefined ? what : `${what}; ${describeTrouble(trouble)}`;
    if (text === shown.text && elapsedMs - shown.atMs < PROGRESS_EVERY_MS) return;
    shown = { text, atMs: elapsedMs };
    const since = trouble === undefined ? "" : `, for ${seconds(elapsedMs - trouble.sinceMs)} now`;
    log.status(`${text}${since} (${seconds(elapsedMs)})`);
  };
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
