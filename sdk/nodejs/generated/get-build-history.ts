// Generated from provider/src/functions/get-build-history.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import type * as Source from "../../../provider/src/functions/get-build-history";
import { type FunctionCall, invoke, invokeOutput } from "../runtime/functions";

/** What a program passes to {@link getBuildHistory}. */
export interface GetBuildHistoryArgs {
  /** The environment, by its UUID. */
  environmentId: string;
  /** `true`: only builds that were deployed. `false` or left out: every build. */
  successfullyBuilt?: boolean | undefined;
  /** How many builds to return at most. Left out: all. */
  limit?: number | undefined;
}

/** What a program passes to {@link getBuildHistoryOutput}. */
export interface GetBuildHistoryOutputArgs {
  /** The environment, by its UUID. */
  environmentId: pulumi.Input<string>;
  /** `true`: only builds that were deployed. `false` or left out: every build. */
  successfullyBuilt?: pulumi.Input<boolean> | undefined;
  /** How many builds to return at most. Left out: all. */
  limit?: pulumi.Input<number> | undefined;
}

/** One item of `projects`. */
export interface GetBuildHistoryBuildProject {
  /** Name of the repository. */
  readonly repoName: string;
  /** Organization of the repository. */
  readonly repoOwner: string;
  /** Branch that was built. */
  readonly branch: string;
  /** Commit that was built. */
  readonly commitHash: string;
  /** Pull request of the branch, where it has one. */
  readonly pullRequestNumber?: number | undefined;
}

/** One item of `builds`. */
export interface GetBuildHistoryBuild {
  /** Identifier of the build. */
  readonly id: string;
  /** Whether the build was deployed. `false` also while the build is running. */
  readonly successfullyBuilt: boolean;
  /**
   * When the build was queued, as the service gives it: ISO 8601, UTC, with microseconds. Empty when the service
   * does not say.
   */
  readonly queuedAt: string;
  /** The repositories with the branch and commit that were built. */
  readonly projects: GetBuildHistoryBuildProject[];
}

/** What {@link getBuildHistory} found. */
export interface GetBuildHistoryResult {
  /** The builds, newest first. Empty when there are none. */
  readonly builds: GetBuildHistoryBuild[];
}

const call: FunctionCall<GetBuildHistoryResult> = {
  name: "getBuildHistory",
  kinds: { environmentId: "required", successfullyBuilt: "default", limit: "default" },
  load() {
    const source: typeof Source = require("../../../provider/src/functions/get-build-history");
    return source.getBuildHistory;
  },
};

/**
 * Lists the builds of an environment, the newest first: all of them, or up to `limit`. The list is empty when
 * there are no builds. {@link getBuildHistoryOutput} does the same for arguments that are Outputs.
 * @throws pulumi.RunError that says what failed
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getbuildhistory}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = await previewenv.getBuildHistory({ environmentId: "11111111-1111-4111-8111-111111111142", limit: 5 });
 * ```
 */
export function getBuildHistory(
  args: GetBuildHistoryArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetBuildHistoryResult> {
  return invoke(call, args, opts);
}

/**
 * Lists the builds of an environment, the newest first: all of them, or up to `limit`. The list is empty when
 * there are no builds. Takes Outputs. What is not known yet gives an unknown result, without a request.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getbuildhistory}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = previewenv.getBuildHistoryOutput({ environmentId: "11111111-1111-4111-8111-111111111142", limit: 5 });
 * export const builds = found.builds;
 * ```
 */
export function getBuildHistoryOutput(
  args: GetBuildHistoryOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBuildHistoryResult> {
  return invokeOutput(call, args, opts);
}
