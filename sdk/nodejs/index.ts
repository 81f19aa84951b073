export { EnvVar, type EnvVarArgs } from "./generated/env-var";
export { EnvVarSet, type EnvVarSetArgs } from "./generated/env-var-set";
export {
  EnvironmentBranches,
  type EnvironmentBranchesArgs,
  type EnvironmentBranchesBuild,
  type EnvironmentBranchesProject,
} from "./generated/environment-branches";
export { EnvironmentState, type EnvironmentStateArgs } from "./generated/environment-state";
export { EnvironmentAction, type EnvironmentActionArgs } from "./generated/environment-action";
export { SnapshotLoad, type SnapshotLoadArgs } from "./generated/snapshot-load";
export { type DotenvOptions, type DotenvSource, type DotenvVariables, variablesFromDotenv } from "./runtime/dotenv";
export {
  PreviewEnvironment,
  type PreviewEnvironmentArgs,
  type PreviewEnvironmentVariableSet,
} from "./runtime/preview-environment";
export { Action, OnConflict, OnDestroy, State } from "./generated/enums";
export { Provider } from "./runtime/provider";
export type { ProviderArgs } from "./generated/provider-args";
export {
  getEnvironment,
  type GetEnvironmentArgs,
  getEnvironmentOutput,
  type GetEnvironmentOutputArgs,
  type GetEnvironmentProject,
  type GetEnvironmentResult,
} from "./generated/get-environment";
export {
  getEnvironments,
  type GetEnvironmentsArgs,
  type GetEnvironmentsEnvironment,
  type GetEnvironmentsEnvironmentProject,
  getEnvironmentsOutput,
  type GetEnvironmentsOutputArgs,
  type GetEnvironmentsResult,
} from "./generated/get-environments";
export {
  getBuildHistory,
  type GetBuildHistoryArgs,
  type GetBuildHistoryBuild,
  type GetBuildHistoryBuildProject,
  getBuildHistoryOutput,
  type GetBuildHistoryOutputArgs,
  type GetBuildHistoryResult,
} from "./generated/get-build-history";
export {
  getEnvVars,
  type GetEnvVarsArgs,
  type GetEnvVarsInherited,
  getEnvVarsOutput,
  type GetEnvVarsOutputArgs,
  type GetEnvVarsResult,
  type GetEnvVarsVariable,
} from "./generated/get-env-vars";
export {
  getBypassToken,
  type GetBypassTokenArgs,
  getBypassTokenOutput,
  type GetBypassTokenOutputArgs,
  type GetBypassTokenResult,
} from "./generated/get-bypass-token";
