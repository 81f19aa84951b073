/**
 * The same resources and functions as `pulumi-previewenv`, served by the plugin `pulumi-resource-previewenv` instead of
 * Pulumi's dynamic provider. Both may be imported by one program.
 */
export type { EnvVarArgs } from "./generated/env-var";
export type { EnvVarSetArgs } from "./generated/env-var-set";
export type {
  EnvironmentBranchesArgs,
  EnvironmentBranchesBuild,
  EnvironmentBranchesProject,
} from "./generated/environment-branches";
export type { EnvironmentStateArgs } from "./generated/environment-state";
export type { EnvironmentActionArgs } from "./generated/environment-action";
export type { SnapshotLoadArgs } from "./generated/snapshot-load";
export {
  EnvironmentAction,
  EnvironmentBranches,
  EnvironmentState,
  EnvVar,
  EnvVarSet,
  SnapshotLoad,
} from "./generated/native-resources";
export { PreviewEnvironment } from "./runtime/native-preview-environment";
export type { PreviewEnvironmentArgs, PreviewEnvironmentVariableSet } from "./runtime/preview-environment";
export { Action, OnConflict, OnDestroy, State } from "./generated/enums";
export { Provider } from "./runtime/native-provider";
export type { ProviderArgs } from "./generated/provider-args";
export { type DotenvOptions, type DotenvSource, type DotenvVariables, variablesFromDotenv } from "./runtime/dotenv";
export {
  getBuildHistory,
  getBuildHistoryOutput,
  getBypassToken,
  getBypassTokenOutput,
  getEnvironment,
  getEnvironmentOutput,
  getEnvironments,
  getEnvironmentsOutput,
  getEnvVars,
  getEnvVarsOutput,
} from "./generated/native-functions";
export type {
  GetEnvironmentArgs,
  GetEnvironmentOutputArgs,
  GetEnvironmentProject,
  GetEnvironmentResult,
} from "./generated/get-environment";
export type {
  GetEnvironmentsArgs,
  GetEnvironmentsEnvironment,
  GetEnvironmentsEnvironmentProject,
  GetEnvironmentsOutputArgs,
  GetEnvironmentsResult,
} from "./generated/get-environments";
export type {
  GetBuildHistoryArgs,
  GetBuildHistoryBuild,
  GetBuildHistoryBuildProject,
  GetBuildHistoryOutputArgs,
  GetBuildHistoryResult,
} from "./generated/get-build-history";
export type {
  GetEnvVarsArgs,
  GetEnvVarsInherited,
  GetEnvVarsOutputArgs,
  GetEnvVarsResult,
  GetEnvVarsVariable,
} from "./generated/get-env-vars";
export type { GetBypassTokenArgs, GetBypassTokenOutputArgs, GetBypassTokenResult } from "./generated/get-bypass-token";
