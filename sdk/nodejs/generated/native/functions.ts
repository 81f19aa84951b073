// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import type { GetEnvironmentArgs, GetEnvironmentOutputArgs, GetEnvironmentResult } from "../get-environment";
import type { GetEnvironmentsArgs, GetEnvironmentsOutputArgs, GetEnvironmentsResult } from "../get-environments";
import type { GetBuildHistoryArgs, GetBuildHistoryOutputArgs, GetBuildHistoryResult } from "../get-build-history";
import type { GetEnvVarsArgs, GetEnvVarsOutputArgs, GetEnvVarsResult } from "../get-env-vars";
import type { GetBypassTokenArgs, GetBypassTokenOutputArgs, GetBypassTokenResult } from "../get-bypass-token";
import { invoke, invokeOutput } from "../../runtime/functions";

/**
 * Finds exactly one environment, by its id or by filters. Filters about a repository (`orgName`, `repoName`,
 * `branch`, `pullRequestNumber`) must hold for the same repository. It is an error when no environment matches, or
 * more than one. {@link getEnvironmentOutput} does the same for arguments that are Outputs.
 * @throws pulumi.RunError that says what failed
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvironment}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = await previewenv.getEnvironment({ repoName: "web", pullRequestNumber: 42 });
 * ```
 */
export function getEnvironment(args: GetEnvironmentArgs, opts?: pulumi.InvokeOptions): Promise<GetEnvironmentResult> {
  return invoke({ name: "getEnvironment", kinds: { deleted: "default", waitSeconds: "default" } }, args, opts);
}

/**
 * Finds exactly one environment, by its id or by filters. Filters about a repository (`orgName`, `repoName`,
 * `branch`, `pullRequestNumber`) must hold for the same repository. It is an error when no environment matches, or
 * more than one. Takes Outputs. What is not known yet gives an unknown result, without a request.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvironment}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = previewenv.getEnvironmentOutput({ repoName: "web", pullRequestNumber: 42 });
 * export const url = found.url;
 * ```
 */
export function getEnvironmentOutput(
  args: GetEnvironmentOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetEnvironmentResult> {
  return invokeOutput({ name: "getEnvironment", kinds: { deleted: "default", waitSeconds: "default" } }, args, opts);
}

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
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = await previewenv.getEnvironments({ repoName: "web" });
 * ```
 */
export function getEnvironments(
  args: GetEnvironmentsArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetEnvironmentsResult> {
  return invoke({ name: "getEnvironments", kinds: { deleted: "default" } }, args, opts);
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
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = previewenv.getEnvironmentsOutput({ repoName: "web" });
 * export const environments = found.environments;
 * ```
 */
export function getEnvironmentsOutput(
  args: GetEnvironmentsOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetEnvironmentsResult> {
  return invokeOutput({ name: "getEnvironments", kinds: { deleted: "default" } }, args, opts);
}

/**
 * Lists the builds of an environment, the newest first: all of them, or up to `limit`. The list is empty when
 * there are no builds. {@link getBuildHistoryOutput} does the same for arguments that are Outputs.
 * @throws pulumi.RunError that says what failed
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getbuildhistory}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = await previewenv.getBuildHistory({ environmentId: "11111111-1111-4111-8111-111111111142", limit: 5 });
 * ```
 */
export function getBuildHistory(
  args: GetBuildHistoryArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetBuildHistoryResult> {
  return invoke(
    { name: "getBuildHistory", kinds: { environmentId: "required", successfullyBuilt: "default", limit: "default" } },
    args,
    opts,
  );
}

/**
 * Lists the builds of an environment, the newest first: all of them, or up to `limit`. The list is empty when
 * there are no builds. Takes Outputs. What is not known yet gives an unknown result, without a request.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getbuildhistory}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = previewenv.getBuildHistoryOutput({ environmentId: "11111111-1111-4111-8111-111111111142", limit: 5 });
 * export const builds = found.builds;
 * ```
 */
export function getBuildHistoryOutput(
  args: GetBuildHistoryOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBuildHistoryResult> {
  return invokeOutput(
    { name: "getBuildHistory", kinds: { environmentId: "required", successfullyBuilt: "default", limit: "default" } },
    args,
    opts,
  );
}

/**
 * Reads the variables of an environment: its own, and those that it inherits. The value of a hidden variable
 * cannot be read: such a variable has no `value`, but a `maskedValue`. {@link getEnvVarsOutput} does the same for
 * arguments that are Outputs.
 * @throws pulumi.RunError that says what failed
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvvars}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = await previewenv.getEnvVars({ environmentId: "11111111-1111-4111-8111-111111111142" });
 * ```
 */
export function getEnvVars(args: GetEnvVarsArgs, opts?: pulumi.InvokeOptions): Promise<GetEnvVarsResult> {
  return invoke({ name: "getEnvVars", kinds: { environmentId: "required" } }, args, opts);
}

/**
 * Reads the variables of an environment: its own, and those that it inherits. The value of a hidden variable
 * cannot be read: such a variable has no `value`, but a `maskedValue`. Takes Outputs. What is not known yet gives
 * an unknown result, without a request.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getenvvars}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = previewenv.getEnvVarsOutput({ environmentId: "11111111-1111-4111-8111-111111111142" });
 * export const variables = found.variables;
 * ```
 */
export function getEnvVarsOutput(
  args: GetEnvVarsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetEnvVarsResult> {
  return invokeOutput({ name: "getEnvVars", kinds: { environmentId: "required" } }, args, opts);
}

/**
 * Reads the bypass token of an environment. The token is a secret, so no other function returns it. The plain form
 * returns plain text: mark it with `pulumi.secret` before it goes anywhere else. {@link getBypassTokenOutput} does
 * the same for arguments that are Outputs.
 * @throws pulumi.RunError that says what failed
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getbypasstoken}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = await previewenv.getBypassToken({ environmentId: "11111111-1111-4111-8111-111111111142" });
 * ```
 */
export function getBypassToken(args: GetBypassTokenArgs, opts?: pulumi.InvokeOptions): Promise<GetBypassTokenResult> {
  return invoke({ name: "getBypassToken", secret: true, kinds: { environmentId: "required" } }, args, opts);
}

/**
 * Reads the bypass token of an environment. The token is a secret, so no other function returns it. The plain form
 * returns plain text: mark it with `pulumi.secret` before it goes anywhere else. Takes Outputs. What is not known
 * yet gives an unknown result, without a request. The result is a secret.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#getbypasstoken}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv/native";
 *
 * const found = previewenv.getBypassTokenOutput({ environmentId: "11111111-1111-4111-8111-111111111142" });
 * export const token = found.bypassToken;
 * ```
 */
export function getBypassTokenOutput(
  args: GetBypassTokenOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBypassTokenResult> {
  return invokeOutput({ name: "getBypassToken", secret: true, kinds: { environmentId: "required" } }, args, opts);
}
