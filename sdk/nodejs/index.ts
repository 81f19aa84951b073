export { EnvVar, type EnvVarArgs } from "./env-var";
export { EnvVarSet, type EnvVarSetArgs } from "./env-var-set";
export {
  EnvironmentBranches,
  type EnvironmentBranchesArgs,
  type EnvironmentBranchesBuild,
  type EnvironmentBranchesProject,
} from "./environment-branches";
export { EnvironmentState, type EnvironmentStateArgs } from "./environment-state";
export { EnvironmentAction, type EnvironmentActionArgs } from "./environment-action";
export { SnapshotLoad, type SnapshotLoadArgs } from "./snapshot-load";
export { type DotenvOptions, type DotenvSource, type DotenvVariables, variablesFromDotenv } from "./dotenv";
export {
  PreviewEnvironment,
  type PreviewEnvironmentArgs,
  type PreviewEnvironmentVariableSet,
} from "./preview-environment";
export { Action, OnConflict, OnDestroy, State } from "./enums";
export { Provider } from "./provider";
export type { ProviderArgs } from "./provider-args";
export {
  getEnvironment,
  type GetEnvironmentArgs,
  getEnvironmentOutput,
  type GetEnvironmentOutputArgs,
  type GetEnvironmentProject,
  type GetEnvironmentResult,
} from "./get-environment";
export {
  getEnvironments,
  type GetEnvironmentsArgs,
  type GetEnvironmentsEnvironment,
  type GetEnvironmentsEnvironmentProject,
  getEnvironmentsOutput,
  type GetEnvironmentsOutputArgs,
  type GetEnvironmentsResult,
} from "./get-environments";
export {
  getBuildHistory,
  type GetBuildHistoryArgs,
  type GetBuildHistoryBuild,
  type GetBuildHistoryBuildProject,
  getBuildHistoryOutput,
  type GetBuildHistoryOutputArgs,
  type GetBuildHistoryResult,
} from "./get-build-history";
export {
  getEnvVars,
  type GetEnvVarsArgs,
  type GetEnvVarsInherited,
  getEnvVarsOutput,
  type GetEnvVarsOutputArgs,
  type GetEnvVarsResult,
  type GetEnvVarsVariable,
} from "./get-env-vars";
export {
  getBypassToken,
  type GetBypassTokenArgs,
  getBypassTokenOutput,
  type GetBypassTokenOutputArgs,
  type GetBypassTokenResult,
} from "./get-bypass-token";
