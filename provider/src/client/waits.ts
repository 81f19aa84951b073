import type { Clock } from "./clock";
import { seconds } from "./error-text";

/** A wait that is shorter is not worth a word. */
const SHORTEST_TOLD_MS = 2_000;
/** While nothing changes, each of those who watch is told this often at most. */
const TELL_EVERY_MS = 30_000;

/** Why a request waits, and since when. */
export interface Wait {
  /** Such as "it answered 503". */
  readonly reason: string;
  /** How long the request has been waiting by now. */
  readonly waitedMs: number;
  /** How long it is going to wait before its next attempt. */
  readonly nextMs: number;
  /** How often it was sent; 0 when it waits because others were told to. */
  readonly attempts: number;
}

interface Watcher {
  readonly tell: (text: string) => void;
  reason: string;
  toldMs: number;
}

/**
 * Tells people what requests wait for. The service is the same for all requests of a client: so all who watch are told the
 * same, once for each reason, however many requests wait.
 */
export class Waits {
  readonly #clock: Clock;
  readonly #watchers = new Set<Watcher>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `tell` with a line for people while requests wait, until what it returns is called. */
  watch(tell: (text: string) => void): () => void {
    const watcher: Watcher = { tell, reason: "", toldMs: 0 };
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** A request waits. */
  note(wait: Wait): void {
    if (wait.waitedMs + wait.nextMs <= SHORTEST_TOLD_MS) return;
    const now = this.#clock.now();
    for (const watcher of this.#watchers) {
      if (watcher.reason === wait.reason && now - watcher.toldMs < TELL_EVERY_MS) continue;
      watcher.reason = wait.reason;
      watcher.toldMs = now;
      watcher.tell(textOf(wait));
    }
  }
}

function textOf({ reason, waitedMs, nextMs, attempts }: Wait): string {
  const attempt = attempts === 0 ? "" : `attempt ${attempts}, `;
  const next = nextMs > SHORTEST_TOLD_MS ? `, the next one in ${seconds(nextMs)}` : "";
  return `waiting for the service: ${reason}; ${attempt}${seconds(waitedMs)} so far${next}`;
}
