import { allConfig } from "@pulumi/pulumi/runtime/config";
import { invoke } from "@pulumi/pulumi/runtime/invoke";
import { getMonitor, isDryRun } from "@pulumi/pulumi/runtime/settings";

// The parts of "@pulumi/pulumi" that components use. The bundle takes this file instead of it: the whole package would bring the TypeScript
// compiler and npm along, twelve times as much.

export * as asset from "@pulumi/pulumi/asset";
export { Config } from "@pulumi/pulumi/config";
export { RunError } from "@pulumi/pulumi/errors";
export * as log from "@pulumi/pulumi/log";
export { all, isSecret, Output, output, secret, unsecret } from "@pulumi/pulumi/output";
export { ComponentResource, CustomResource, mergeOptions, ProviderResource, Resource } from "@pulumi/pulumi/resource";

/** The parts of `pulumi.runtime` that they use. The bundler does not see what is missing here. A test does. */
export const runtime = { allConfig, getMonitor, invoke, isDryRun };
