import type { Clock } from "./clock";
import { progressLine, seconds } from "./error-text";

/** Shorter waits are not reported. */
const MIN_REPORTED_MS = 2_000;
/** While nothing changes, each listener is called this often at most. */
const REPORT_EVERY_MS = 30_000;

/** Why a request waits, and since when. */
export interface RequestWait {
  /** Such as "it answered 503". */
  readonly reason: string;
  /** How long the request has been waiting by now. */
  readonly waitedMs: number;
  /** How long it is going to wait before its next attempt. */
  readonly nextMs: number;
  /** How often it was sent. 0 when it waits because of the answer to another request. */
  readonly attempts: number;
}

interface Listener {
  readonly report: (text: string) => void;
  reason: string;
  reportedMs: number;
}

/**
 * Reports to people what requests wait for. All requests of a client wait for the same service, so every listener gets the
 * same text, once for each reason, however many requests wait.
 */
export class WaitReporter {
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `report` with a line for people while requests wait. Returns a function that ends that. */
  listen(report: (text: string) => void): () => void {
    const listener: Listener = { report, reason: "", reportedMs: 0 };
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A request waits. */
  note(wait: RequestWait): void {
    if (wait.waitedMs + wait.nextMs <= MIN_REPORTED_MS) return;
    const now = this.#clock.now();
    for (const listener of this.#listeners) {
      if (listener.reason === wait.reason && now - listener.reportedMs < REPORT_EVERY_MS) continue;
      listener.reason = wait.reason;
      listener.reportedMs = now;
      listener.report(textOf(wait));
    }
  }
}

function textOf({ reason, waitedMs, nextMs, attempts }: RequestWait): string {
  const attempt = attempts === 0 ? "" : `; attempt ${attempts}`;
  const next = nextMs > MIN_REPORTED_MS ? `, next in ${seconds(nextMs)}` : "";
  return progressLine(waitedMs, `waiting for the service: ${reason}${attempt}${next}`);
}
