export * from "./generated";
export { existing, PreviewEnvironment, PreviewEnvironments, Provider, variablesFromDotenv } from "./generated/written";
export type { ProviderArgs } from "./generated/provider-args";
export type { DotenvOptions, DotenvSource, DotenvVariables } from "./runtime/dotenv";
export type { PreviewEnvironmentsArgs, PreviewEnvironmentsChildren } from "./runtime/preview-environments";
