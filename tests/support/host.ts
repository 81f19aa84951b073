import type { Clock } from "../../provider/src/client/clock";
import type { Properties } from "../../provider/src/core/properties";
import type { SessionOptions } from "../../provider/src/core/session";
import type { LogBook } from "./log-book";

/** What a provider says about old state and new inputs; without `paths` the engine compares inputs itself. */
export interface Verdict {
  readonly changes: "none" | "some" | "unknown";
  readonly replaces: readonly string[];
  readonly paths?: readonly string[];
}

/** How a run of the engine starts a provider. */
export interface StartOptions {
  /** Settings by name, beside the address and the token. */
  readonly settings: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  readonly token: string;
  /** Which run of its scenario this is. Processes are kept for the same run of other scenarios: what a process
   * remembers is kept by environment, and every scenario has its own. */
  readonly run: number;
  /** A process that no other scenario has used or will use. */
  readonly fresh: boolean;
  /** Time of an in-process provider. */
  readonly clock: Clock;
  readonly log: LogBook;
  /** Connections and identifiers of an in-process provider, where a test owns these too. */
  readonly session?: Pick<SessionOptions, "dispatcher" | "randomId">;
  /** Ends the calls of the run, in a host that is told of a cancellation. */
  readonly signal?: AbortSignal;
}

/** A provider as the engine sees it during one run. Every method throws ProviderFailure. */
export interface Provider {
  check(type: string, olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: string[] }>;
  diff(type: string, id: string, olds: Properties, news: Properties): Promise<Verdict>;
  create(type: string, news: Properties): Promise<{ id: string; outputs: Properties }>;
  read(type: string, id: string, olds: Properties): Promise<{ outputs: Properties; inputs: Properties } | undefined>;
  update(type: string, id: string, olds: Properties, news: Properties): Promise<Properties>;
  delete(type: string, id: string, olds: Properties): Promise<void>;
  /** The run is over. */
  stop(): Promise<void>;
}

/** A way to run the provider. */
export interface Host {
  readonly name: string;
  /** Whether time is the test's, so that scenarios may wait for minutes. */
  readonly ownsTime: boolean;
  start(options: StartOptions): Promise<Provider>;
  /** Ends whatever the host keeps between runs. */
  close(): Promise<void>;
}

/** What a call of a provider failed with, as the engine gets it. */
export class ProviderFailure extends Error {
  /** Set when the resource exists all the same: what the engine stores. */
  readonly partial:
    | { readonly id: string; readonly outputs: Properties; readonly reasons: readonly string[] }
    | undefined;

  constructor(message: string, partial?: ProviderFailure["partial"]) {
    super(message);
    this.partial = partial;
  }
}
