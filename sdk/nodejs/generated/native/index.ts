// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

export { EnvVarSet } from "./env-var-set";
export { EnvVar } from "./env-var";
export { EnvironmentBranches } from "./environment-branches";
export { EnvironmentState } from "./environment-state";
export { EnvironmentAction } from "./environment-action";
export { SnapshotLoad } from "./snapshot-load";
export {
  getEnvironment,
  getEnvironmentOutput,
  getEnvironments,
  getEnvironmentsOutput,
  getBuildHistory,
  getBuildHistoryOutput,
  getEnvVars,
  getEnvVarsOutput,
  getBypassToken,
  getBypassTokenOutput,
} from "./functions";
export { Action, OnConflict, OnDestroy, OnUnlisted, State, VariablesFrom, WhenStopped } from "../enums";
export type { EnvVarSetArgs } from "../env-var-set";
export type { EnvVarArgs } from "../env-var";
export type {
  EnvironmentBranchesArgs,
  EnvironmentBranchesProject,
  EnvironmentBranchesBuild,
} from "../environment-branches";
export type { EnvironmentStateArgs } from "../environment-state";
export type { EnvironmentActionArgs } from "../environment-action";
export type { SnapshotLoadArgs } from "../snapshot-load";
export type {
  GetEnvironmentArgs,
  GetEnvironmentOutputArgs,
  GetEnvironmentProject,
  GetEnvironmentResult,
} from "../get-environment";
export type {
  GetEnvironmentsArgs,
  GetEnvironmentsOutputArgs,
  GetEnvironmentsEnvironmentProject,
  GetEnvironmentsEnvironment,
  GetEnvironmentsResult,
} from "../get-environments";
export type {
  GetBuildHistoryArgs,
  GetBuildHistoryOutputArgs,
  GetBuildHistoryBuildProject,
  GetBuildHistoryBuild,
  GetBuildHistoryResult,
} from "../get-build-history";
export type {
  GetEnvVarsArgs,
  GetEnvVarsOutputArgs,
  GetEnvVarsVariable,
  GetEnvVarsInherited,
  GetEnvVarsResult,
} from "../get-env-vars";
export type { GetBypassTokenArgs, GetBypassTokenOutputArgs, GetBypassTokenResult } from "../get-bypass-token";
export type {
  PreviewEnvironmentEnvironment,
  PreviewEnvironmentVariableSet,
  PreviewEnvironmentArgs,
  PreviewEnvironmentProject,
  PreviewEnvironmentOutputs,
} from "../preview-environment";
export type {
  PreviewEnvironmentsMatch,
  PreviewEnvironmentsVariableSet,
  PreviewEnvironmentsArgs,
  PreviewEnvironmentsEnvironment,
  PreviewEnvironmentsOutputs,
} from "../preview-environments";
