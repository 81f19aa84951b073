// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

export { EnvVarSet } from "./env-var-set";
export type * from "./env-var-set";
export { EnvVar } from "./env-var";
export type * from "./env-var";
export { EnvironmentBranches } from "./environment-branches";
export type * from "./environment-branches";
export { EnvironmentState } from "./environment-state";
export type * from "./environment-state";
export { EnvironmentAction } from "./environment-action";
export type * from "./environment-action";
export { SnapshotLoad } from "./snapshot-load";
export type * from "./snapshot-load";
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
export type * from "./functions";
export { Action, OnConflict, OnDestroy, State, WhenStopped } from "../enums";
export type * from "../enums";
export type * from "../preview-environment";
