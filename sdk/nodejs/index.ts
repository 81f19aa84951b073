export { EnvVarSet, type EnvVarSetArgs } from "./env-var-set";
export {
  EnvironmentBranches,
  type EnvironmentBranchesArgs,
  type EnvironmentBranchesBuild,
  type EnvironmentBranchesProject,
} from "./environment-branches";
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
