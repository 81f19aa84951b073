/**
 * The same resources and functions as `pulumi-previewenv`, served by the plugin `pulumi-resource-previewenv` instead of
 * Pulumi's dynamic provider. Both may be imported by one program.
 */
export * from "./generated/native";
export type { ProviderArgs } from "./generated/provider-args";
export { existing } from "./runtime/existing";
export { type DotenvOptions, type DotenvSource, type DotenvVariables, variablesFromDotenv } from "./runtime/dotenv";
export { PreviewEnvironment, PreviewEnvironments, Provider } from "./generated/native/written";
export type { PreviewEnvironmentsArgs, PreviewEnvironmentsChildren } from "./runtime/preview-environments";
