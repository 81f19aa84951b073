export * from "./generated";
export type { ProviderArgs } from "./generated/provider-args";
export { existing } from "./runtime/existing";
export { type DotenvOptions, type DotenvSource, type DotenvVariables, variablesFromDotenv } from "./runtime/dotenv";
export { PreviewEnvironment } from "./runtime/preview-environment";
export {
  PreviewEnvironments,
  type PreviewEnvironmentsArgs,
  type PreviewEnvironmentsChildren,
} from "./runtime/preview-environments";
export { Provider } from "./runtime/provider";
