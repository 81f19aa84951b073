import type { Flags, NextBuild, Outcome, Project } from "./model";

/** An environment as it stands now. */
export interface EnvironmentView extends Flags {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly bypassToken: string;
  readonly processing: boolean;
  readonly ready: boolean;
  /** The branches that were asked for last, whatever the service shows meanwhile. */
  readonly projects: readonly Project[];
  /** How the next build goes when it shall not go as usual. */
  readonly nextBuild: NextBuild;
}

/** A variable with its real value. Timestamps are written as the service writes them. */
export interface VariableView {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
  readonly services: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A build as it stands now. */
export interface BuildView {
  readonly id: string;
  readonly outcome: Outcome;
  readonly queuedAt: string;
  readonly projects: readonly Project[];
}
