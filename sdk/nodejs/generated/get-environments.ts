// Generated from provider/src/functions/get-environments.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import type * as Source from "../../../provider/src/functions/get-environments";
import { type FunctionCall, invoke, invokeOutput } from "../runtime/functions";

/** What a program passes to {@link getEnvironments}. */
export interface GetEnvironmentsArgs {
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
   * `true`: a list of one page, or of none, is read so too, and at least one filter is required. Set it in a program
   * that declares something for each environment: what one wrong answer lacks would be deleted.
   */
  complete?: boolean;
}

/** What a program passes to {@link getEnvironmentsOutput}. */
export interface GetEnvironmentsOutputArgs {
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
   * `true`: a list of one page, or of none, is read so too, and at least one filter is required. Set it in a program
   * that declares something for each environment: what one wrong answer lacks would be deleted.
   */
  complete?: pulumi.Input<boolean>;
}

/** One item of `projects`. */
export interface GetEnvironmentsEnvironmentProject {
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

/** One item of `environments`. */
export interface GetEnvironmentsEnvironment {
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
  readonly projects: GetEnvironmentsEnvironmentProject[];
}

/** What {@link getEnvironments} found. */
export interface GetEnvironmentsResult {
  /** The environments that match. Empty when none does. */
  readonly environments: GetEnvironmentsEnvironment[];
}

const call: FunctionCall<GetEnvironmentsResult> = {
  name: "getEnvironments",
  kinds: { deleted: "default" },
  load() {
    const source: typeof Source = require("../../../provider/src/functions/get-environments");
    return source.getEnvironments;
  },
};

/**
 * Lists every environment that matches the filters, in the service's order. Without filters, it lists every
 * environment that is not deleted. Filters about a repository (`orgName`, `repoName`, `branch`,
 * `pullRequestNumber`) must hold for the same repository. The list is empty when no environment matches. A list of
 * several pages is read until two reads in a row give the same environments: an environment that moves to another
 * page in between is not missing. When five reads all differ, it is an error. {@link getEnvironmentsOutput} does
 * the same for arguments that are Outputs.
 * @throws pulumi.RunError that says what failed
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvironments}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = await previewenv.getEnvironments({ repoName: "web" });
 * ```
 */
export function getEnvironments(
  args: GetEnvironmentsArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetEnvironmentsResult> {
  return invoke(call, args, opts);
}

/**
 * Lists every environment that matches the filters, in the service's order. Without filters, it lists every
 * environment that is not deleted. Filters about a repository (`orgName`, `repoName`, `branch`,
 * `pullRequestNumber`) must hold for the same repository. The list is empty when no environment matches. A list of
 * several pages is read until two reads in a row give the same environments: an environment that moves to another
 * page in between is not missing. When five reads all differ, it is an error. Takes Outputs. What is not known yet
 * gives an unknown result, without a request.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvironments}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const found = previewenv.getEnvironmentsOutput({ repoName: "web" });
 * export const environments = found.environments;
 * ```
 */
export function getEnvironmentsOutput(
  args: GetEnvironmentsOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetEnvironmentsResult> {
  return invokeOutput(call, args, opts);
}
