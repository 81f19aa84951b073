// Generated from provider/src/functions/get-environment.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import type * as Source from "../../../provider/src/functions/get-environment";
import { type FunctionCall, invoke, invokeOutput } from "../runtime/functions";

/** What a program passes to {@link getEnvironment}. */
export interface GetEnvironmentArgs {
  /** The environment, by its UUID. Then no filter may be given. */
  id?: string;
  /** Name of the environment, exactly. */
  name?: string;
  /** Organization of one of its repositories. */
  orgName?: string;
  /** Name of one of its repositories. */
  repoName?: string;
  /** Branch of one of its repositories. */
  branch?: string;
  /** Pull request of one of its repositories. */
  pullRequestNumber?: number;
  /** `true`: only deleted environments. `false` or left out: only those that are not deleted. */
  deleted?: boolean | undefined;
  /**
   * How long to wait until such an environment exists, in seconds: the service may still be creating it.
   * @default 0
   */
  waitSeconds?: number | undefined;
}

/** What a program passes to {@link getEnvironmentOutput}. */
export interface GetEnvironmentOutputArgs {
  /** The environment, by its UUID. Then no filter may be given. */
  id?: pulumi.Input<string>;
  /** Name of the environment, exactly. */
  name?: pulumi.Input<string>;
  /** Organization of one of its repositories. */
  orgName?: pulumi.Input<string>;
  /** Name of one of its repositories. */
  repoName?: pulumi.Input<string>;
  /** Branch of one of its repositories. */
  branch?: pulumi.Input<string>;
  /** Pull request of one of its repositories. */
  pullRequestNumber?: pulumi.Input<number>;
  /** `true`: only deleted environments. `false` or left out: only those that are not deleted. */
  deleted?: pulumi.Input<boolean> | undefined;
  /**
   * How long to wait until such an environment exists, in seconds: the service may still be creating it.
   * @default 0
   */
  waitSeconds?: pulumi.Input<number> | undefined;
}

/** One item of `projects`. */
export interface GetEnvironmentProject {
  /** Name of the repository. */
  readonly repoName: string;
  /** Organization of the repository. */
  readonly orgName: string;
  /** Branch that is deployed. */
  readonly branch: string;
  /** Commit that is deployed. */
  readonly commitHash: string;
  /** Pull request of the branch, where it has one. */
  readonly pullRequestNumber?: number | undefined;
}

/** What {@link getEnvironment} found. */
export interface GetEnvironmentResult {
  /** UUID of the environment. */
  readonly id: string;
  /** Name of the environment. */
  readonly name: string;
  /** Address of the deployed environment. Empty when the service does not say. */
  readonly url: string;
  /** Whether the service is working on the environment. */
  readonly processing: boolean;
  /** Whether the service calls the environment ready. */
  readonly ready: boolean;
  /** Whether the environment is retired: it does not run until it is restarted. */
  readonly retired: boolean;
  /** Whether the environment is marked as deleted: it does not run until it is revived. */
  readonly deleted: boolean;
  /** Whether the environment is stopped: it does not run until it is started. */
  readonly stopped: boolean;
  /** The repositories of the environment, with branch and commit. */
  readonly projects: GetEnvironmentProject[];
}

const call: FunctionCall<GetEnvironmentResult> = {
  name: "getEnvironment",
  kinds: { deleted: "default", waitSeconds: "default" },
  load() {
    const source: typeof Source = require("../../../provider/src/functions/get-environment");
    return source.getEnvironment;
  },
};

/**
 * Finds exactly one environment, by its id or by filters. Filters about a repository (`orgName`, `repoName`,
 * `branch`, `pullRequestNumber`) must hold for the same repository. It is an error when no environment matches, or
 * more than one. {@link getEnvironmentOutput} does the same for arguments that are Outputs.
 * @throws pulumi.RunError that says what failed
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvironment}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = await previewenv.getEnvironment({ repoName: "web", pullRequestNumber: 42 });
 * ```
 */
export function getEnvironment(args: GetEnvironmentArgs, opts?: pulumi.InvokeOptions): Promise<GetEnvironmentResult> {
  return invoke(call, args, opts);
}

/**
 * Finds exactly one environment, by its id or by filters. Filters about a repository (`orgName`, `repoName`,
 * `branch`, `pullRequestNumber`) must hold for the same repository. It is an error when no environment matches, or
 * more than one. Takes Outputs. What is not known yet gives an unknown result, without a request.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvironment}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = previewenv.getEnvironmentOutput({ repoName: "web", pullRequestNumber: 42 });
 * export const url = found.url;
 * ```
 */
export function getEnvironmentOutput(
  args: GetEnvironmentOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetEnvironmentResult> {
  return invokeOutput(call, args, opts);
}
