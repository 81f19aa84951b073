import { pendingBuildSchema } from "../builds/state";
import type { Outputs } from "./change";

/** A build of an EnvironmentBranches that was not seen to succeed. */
export interface UnfinishedBuild {
  /** Whether nothing is requested: the environment did not run, or the build was seen to fail. */
  readonly isOwed: boolean;
  /** Whether the next `up` looks after it. Otherwise it waits until the environment runs. */
  readonly isDue: boolean;
}

/** The build that outputs say is not finished; `undefined` when there is none, or nobody waits for it. */
export function unfinishedBuild(outputs: Outputs): UnfinishedBuild | undefined {
  const { data } = pendingBuildSchema.safeParse(outputs["pending"]);
  if (data === undefined || data.status === "notAwaited") return undefined;
  return { isOwed: data.status === "owed", isDue: data.postponed === undefined };
}
