/**
 * What components use of "@pulumi/pulumi". The bundle takes this file in its place: the whole package would bring the
 * TypeScript compiler and npm along, twelve times as much.
 */
export * as asset from "@pulumi/pulumi/asset";
export { Config } from "@pulumi/pulumi/config";
export { RunError } from "@pulumi/pulumi/errors";
export * as log from "@pulumi/pulumi/log";
export { all, isSecret, Output, output, secret, unsecret } from "@pulumi/pulumi/output";
export { ComponentResource, CustomResource, mergeOptions, ProviderResource, Resource } from "@pulumi/pulumi/resource";
export * as runtime from "./pulumi-runtime";
