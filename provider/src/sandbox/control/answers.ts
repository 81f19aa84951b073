import type { SnapshotLoad } from "../domain/model";
import type { BuildView, EnvironmentView, VariableView } from "../domain/views";
import type { FaultOptions } from "../http/faults";
import type { JournalEntry } from "../http/journal";

/** A variable with its real value, and as the service shows it. */
export interface ShownVariable extends VariableView {
  readonly shown: string;
}

/** An environment with everything about it. */
export interface EnvironmentState extends EnvironmentView {
  readonly variables: readonly ShownVariable[];
  /** Newest first. */
  readonly builds: readonly BuildView[];
  readonly snapshotLoads: readonly SnapshotLoad[];
}

/** Answer of `GET state`. */
export interface State {
  readonly environments: readonly EnvironmentState[];
}

/** Answer of `GET journal`. */
export interface JournalPage {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** How many there are, also those that were not asked for. */
  readonly total: number;
  readonly maxInFlight: number;
  readonly connections: number;
}

/** A fault that still waits for requests, without the body and the headers of its answer. */
export interface WaitingFault extends Omit<
  FaultOptions,
  "body" | "headers" | "match" | "hold" | "times" | "path" | "refuse"
> {
  /** How many requests it has met. */
  readonly hits: number;
  /** How many it meets. Null for all, because JSON has no infinity. */
  readonly times: number | null;
  readonly path?: string | undefined;
  /** The names it refuses. */
  readonly refuse?: readonly string[] | undefined;
}

/** Answer of `GET faults`. */
export interface WaitingFaults {
  readonly faults: readonly WaitingFault[];
}
