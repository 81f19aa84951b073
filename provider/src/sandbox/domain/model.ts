/** The flags an operation or a person sets. `processing` and `ready` follow from the builds. */
export interface Flags {
  readonly stopped: boolean;
  readonly retired: boolean;
  readonly deleted: boolean;
}

/** The names of the flags. */
export const FLAGS: Readonly<Record<keyof Flags, true>> = { stopped: true, retired: true, deleted: true };

/** One repository of an environment, with the branch it is built from. */
export interface Project {
  readonly orgName: string;
  readonly repoName: string;
  readonly branch: string;
  readonly commitHash: string;
  /** Undefined when the project is not tied to a pull request. */
  readonly pullRequestNumber: number | undefined;
}

/** How a build stands. Cancelled and superseded builds count as failed. */
export type Outcome = "inFlight" | "succeeded" | "failed";

/** One build. Its outcome is decided by the clock when somebody looks. */
export interface Build {
  readonly id: string;
  readonly projects: readonly Project[];
  /** Microseconds since 1970, UTC. Strictly increasing over all builds of a sandbox. */
  readonly queuedAtMicros: number;
  /** It waits for its turn until then. */
  readonly beginsAtMs: number;
  finishesAtMs: number;
  /** Whether it ends unsuccessfully when its time is over. */
  readonly fails: boolean;
  outcome: Outcome;
}

/** An environment variable with its real value. Times are milliseconds since 1970, UTC. */
export interface Variable {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
  /** Empty means every service. */
  readonly services: readonly string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A snapshot load that was asked for. */
export interface SnapshotLoad {
  readonly sequenceNumber: number;
  readonly sourceEnvironmentId: string | undefined;
  readonly queuedAtMs: number;
}

/** How the next build of an environment shall go, when a test decided so. */
export interface NextBuild {
  readonly fails?: boolean;
  readonly seconds?: number;
}

/** One environment as the sandbox keeps it. */
export interface Environment {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly bypassToken: string;
  flags: Flags;
  /** The branches that were asked for last. */
  projects: readonly Project[];
  /** The branches of the last successful build. */
  deployed: readonly Project[];
  /** Oldest first. Those in flight are the last ones, and begin one after the other. */
  readonly builds: Build[];
  readonly variables: Map<string, Variable>;
  readonly inherited: readonly Variable[];
  readonly snapshotLoads: SnapshotLoad[];
  nextBuild: NextBuild;
}

/** Not stopped, not retired, not deleted. */
export function isRunning(environment: Environment): boolean {
  const { stopped, retired, deleted } = environment.flags;
  return !stopped && !retired && !deleted;
}
