/**
 * The same resources and functions as `pulumi-previewenv`, served by the plugin `pulumi-resource-previewenv` instead of
 * Pulumi's dynamic provider. Both may be imported by one program.
 */
export * from "./generated/native";
export {
  existing,
  PreviewEnvironment,
  PreviewEnvironments,
  Provider,
  variablesFromDotenv,
} from "./generated/native/written";
export type { ProviderArgs } from "./generated/provider-args";
export type { DotenvOptions, DotenvSource, DotenvVariables } from "./runtime/dotenv";
export type { PreviewEnvironmentsArgs, PreviewEnvironmentsChildren } from "./runtime/preview-environments";
