// Generated from provider/src/functions/get-build-history.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import type * as Source from "../../../provider/src/functions/get-build-history";
import { type FunctionCall, invoke, invokeOutput } from "../runtime/functions";

/** What a program passes to {@link getBuildHistory}. */
export interface GetBuildHistoryArgs {
  /** The environment, by its UUID. */
  environmentId: string;
  /** Only builds that were deployed. `false` or left out: every one. */
  successfullyBuilt?: boolean | undefined;
  /** How many builds to give at most. Left out: all. */
  limit?: number | undefined;
}

/** What a program passes to {@link getBuildHistoryOutput}. */
export interface GetBuildHistoryOutputArgs {
  /** The environment, by its UUID. */
  environmentId: pulumi.Input<string>;
  /** Only builds that were deployed. `false` or left out: every one. */
  successfullyBuilt?: pulumi.Input<boolean> | undefined;
  /** How many builds to give at most. Left out: all. */
  limit?: pulumi.Input<number> | undefined;
}

/** One item of `projects`. */
export interface GetBuildHistoryBuildProject {
  readonly repoName: string;
  readonly repoOwner: string;
  readonly branch: string;
  readonly commitHash: string;
  readonly pullRequestNumber?: number | undefined;
}

/** One item of `builds`. */
export interface GetBuildHistoryBuild {
  /** Identifier of the build. */
  readonly id: string;
  /** Whether it was deployed; `false` also while it is under way. */
  readonly successfullyBuilt: boolean;
  /** When it was queued: ISO 8601, UTC, with microseconds, as the service gives it; empty when it does not say. */
  readonly queuedAt: string;
  /** The repositories as the build took them. */
  readonly projects: GetBuildHistoryBuildProject[];
}

/** What {@link getBuildHistory} found. */
export interface GetBuildHistoryResult {
  /** The builds, newest first; empty when there are none. */
  readonly builds: GetBuildHistoryBuild[];
}

const call: FunctionCall<GetBuildHistoryResult> = {
  name: "getBuildHistory",
  load() {
    const source: typeof Source = require("../../../provider/src/functions/get-build-history");
    return source.getBuildHistory;
  },
};

/**
 * Lists the builds of an environment, newest first, over all pages or up to `limit`. The answer is an object, as
 * every Pulumi function's is, with an empty list when there are none.
 * @throws pulumi.RunError that says what failed
 */
export function getBuildHistory(
  args: GetBuildHistoryArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetBuildHistoryResult> {
  return invoke(call, args, opts);
}

/**
 * Lists the builds of an environment, newest first, over all pages or up to `limit`. The answer is an object, as
 * every Pulumi function's is, with an empty list when there are none. Takes Outputs; what is not known yet gives
 * an unknown result, without a request.
 */
export function getBuildHistoryOutput(
  args: GetBuildHistoryOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBuildHistoryResult> {
  return invokeOutput(call, args, opts);
}
