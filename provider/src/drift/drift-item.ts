/** What happened to one variable, repository or resource. */
export type DriftKind =
  /** Its value; of a hidden EnvVar: value or hidden flag, which the engine's events do not tell apart. */
  | "changed"
  | "deleted"
  /** Nobody declares it, and the pruning set will delete it. */
  | "added"
  /** A readable variable was hidden, or a hidden one made readable. */
  | "hidden"
  /** Other services see it. */
  | "services"
  /** Another branch is deployed. */
  | "branch"
  /** The environment was stopped, started, retired or marked as deleted. */
  | "state"
  /** The whole environment is gone. */
  | "gone";

/** One difference between the state of a stack and the service. No value of any variable is in it. */
export interface DriftItem {
  readonly urn: string;
  /** Name of the resource in the program. */
  readonly resource: string;
  /** Its type, such as `EnvVarSet`. */
  readonly type: string;
  readonly environmentId?: string;
  /** Variable or repository; left out when the whole resource differs, or when the engine hides the name. */
  readonly name?: string;
  readonly kind: DriftKind;
  /** Services as they are now, a branch or state before and now, and other facts in words. */
  readonly detail?: string;
  /** `updated_at` of the variable as the service gave it: `YYYY-MM-DDTHH:MM:SS`, without zone. */
  readonly since?: string;
  /** What came of `--heal`; left out when it was not asked for. */
  readonly restored?: boolean;
  /** Why it was not restored. */
  readonly reason?: string;
}

/** A build that `--heal` started, or should have started, because of what it restored. */
export interface BuildItem {
  readonly urn: string;
  /** Name of the EnvironmentBranches in the program. */
  readonly resource: string;
  readonly type: string;
  readonly environmentId?: string;
  /** `queued`: nobody waits for it, because of `waitForBuild: false`. */
  readonly result: "succeeded" | "failed" | "queued" | "not started";
  /** The build's id, when it is known. */
  readonly id?: string;
  /** Why it was not started. */
  readonly reason?: string;
}

/** How one stack is. */
export type StackStatus = "in sync" | "drift" | "gone" | "healed" | "partly healed" | "error";

/** What was found in one stack. */
export interface StackReport {
  readonly stack: string;
  readonly status: StackStatus;
  readonly drift: readonly DriftItem[];
  /** The builds of `--heal`. */
  readonly builds: readonly BuildItem[];
  /** What went wrong, for the status `error`. */
  readonly errors: readonly string[];
}
