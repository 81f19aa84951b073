import type { PreviewenvClient } from "../client";
import type { Clock } from "../client/clock";
import type { Environments } from "../run/environment-session";

/** Messages to the person who runs Pulumi. No text may contain a hidden value or the token. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  /** A line of progress: shown until the next one, not kept. */
  status(text: string): void;
}

/** What the handlers of one provider process share. */
export interface Session extends Environments {
  readonly client: PreviewenvClient;
  readonly clock: Clock;
  readonly batch: BatchSize;
  /** The setting: whether a preview looks at the service. */
  readonly previewChecks: boolean;
  /** The setting: whether a preview warns of plain texts that read like secrets. */
  readonly secretHints: boolean;
  /** A random identifier, for revisions and ids of actions. */
  readonly randomId: () => string;
}

/** Everything that one call of a handler may use. */
export interface Context extends Session {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** When the call must be over, as `clock` tells time: the resource option customTimeouts. `signal` may abort soon
   * after. */
  readonly deadline?: number | undefined;
  /** Whether a program runs in this run of the engine, as in an `up`; a plain `destroy` runs none. Left out: it cannot be told. */
  readonly runsProgram?: (() => Promise<boolean>) | undefined;
}

/** How many variables one PUT contains; a 413 halves it for the rest of the process. */
export class BatchSize {
  size: number;

  constructor(size: number) {
    this.size = size;
  }

  /** Halves a batch that was too large. False when it was a single item, which cannot be split. */
  halve(tried: number): boolean {
    if (tried <= 1) return false;
    this.size = Math.min(this.size, Math.ceil(tried / 2));
    return true;
  }
}
