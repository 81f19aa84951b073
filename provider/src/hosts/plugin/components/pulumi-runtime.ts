export { allConfig } from "@pulumi/pulumi/runtime/config";
export { invoke, invokeOutput } from "@pulumi/pulumi/runtime/invoke";
export { getMonitor, isDryRun } from "@pulumi/pulumi/runtime/settings";
