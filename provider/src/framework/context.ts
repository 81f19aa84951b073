import type { PreviewenvClient } from "../client";
import type { Clock } from "../client/clock";
import type { EnvironmentInRun } from "../run/environment-in-run";
import type { DuplicateDeclarations } from "./duplicate-declarations";
import type { PreviewWarnings } from "./preview-looks";

/** Messages to the person who runs Pulumi. No text may contain a hidden value or the token. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  /** A line of progress: shown until the next one, not kept. */
  status(text: string): void;
}

/** Things that the handlers of one provider process share: a preview and the `up` after it have processes of their own. */
export interface Run {
  readonly client: PreviewenvClient;
  readonly clock: Clock;
  /** One object for an environment, whatever the case of its UUID. */
  environment(id: string): EnvironmentInRun;
  /** The declarations of the program so far. */
  readonly declarations: DuplicateDeclarations;
  /** Whether the engine has refreshed a resource in this run: then it has shown every state of the stack, as far as this provider serves it. */
  isRefreshed(): boolean;
  noteRefresh(): void;
  /** How many variables one PUT contains. A 413 halves it for the rest of the process. */
  readonly batch: { size: number };
  /** What its preview has warned of so far. */
  readonly warnings: PreviewWarnings;
  /** The setting: whether a preview looks at the service. */
  readonly previewChecks: boolean;
  /** The setting `secretHints`: globs of names that are no secrets, whatever they read like. */
  readonly notSecretNames: readonly string[];
  /** A random identifier, for revisions and ids of actions. */
  readonly randomId: () => string;
}

/** Everything that one call of a handler may use. */
export interface Context extends Run {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** When the call must be over, as `clock` tells time: the resource option customTimeouts. `signal` may abort soon after. */
  readonly deadline?: number | undefined;
  /**
   * Whether a program runs in this command, as in an `up`: then it has dropped or replaced a resource that is deleted. A plain `destroy` runs none.
   * @throws IncompleteError when the engine does not say it
   */
  readonly runsProgram: () => Promise<boolean>;
}
