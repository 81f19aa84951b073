/**
 * The same resources and functions as `pulumi-previewenv`, served by the plugin `pulumi-resource-previewenv` instead of
 * Pulumi's dynamic provider. Both may be imported by one program.
 */
export type { EnvVarArgs } from "./env-var";
export type { EnvVarSetArgs } from "./env-var-set";
export type {
  EnvironmentBranchesArgs,
  EnvironmentBranchesBuild,
  EnvironmentBranchesProject,
} from "./environment-branches";
export type { EnvironmentStateArgs } from "./environment-state";
export type { EnvironmentActionArgs } from "./environment-action";
export type { SnapshotLoadArgs } from "./snapshot-load";
export {
  EnvironmentAction,
  EnvironmentBranches,
  EnvironmentState,
  EnvVar,
  EnvVarSet,
  SnapshotLoad,
} from "./native-resources";
export { PreviewEnvironment } from "./native-preview-environment";
export type { PreviewEnvironmentArgs, PreviewEnvironmentVariableSet } from "./preview-environment";
export { Action, OnConflict, OnDestroy, State } from "./enums";
export { Provider } from "./native-provider";
export type { ProviderArgs } from "./provider-args";
export { type DotenvOptions, type DotenvSource, type DotenvVariables, variablesFromDotenv } from "./dotenv";
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
} from "./native-functions";
export type {
  GetEnvironmentArgs,
  GetEnvironmentOutputArgs,
  GetEnvironmentProject,
  GetEnvironmentResult,
} from "./get-environment";
export type {
  GetEnvironmentsArgs,
  GetEnvironmentsEnvironment,
  GetEnvironmentsEnvironmentProject,
  GetEnvironmentsOutputArgs,
  GetEnvironmentsResult,
} from "./get-environments";
export type {
  GetBuildHistoryArgs,
  GetBuildHistoryBuild,
  GetBuildHistoryBuildProject,
  GetBuildHistoryOutputArgs,
  GetBuildHistoryResult,
} from "./get-build-history";
export type {
  GetEnvVarsArgs,
  GetEnvVarsInherited,
  GetEnvVarsOutputArgs,
  GetEnvVarsResult,
  GetEnvVarsVariable,
} from "./get-env-vars";
export type { GetBypassTokenArgs, GetBypassTokenOutputArgs, GetBypassTokenResult } from "./get-bypass-token";
