import * as pulumi from "@pulumi/pulumi";
import { dynamicType, type Host, nativeType } from "./host";
import { isMocked } from "./program-run";
import { PLUGIN } from "../generated/plugin";

/** The plugin `pulumi-resource-previewenv`, which the engine starts: the one of the package's own version. */
export const nativeHost: Host = {
  entry: "pulumi-previewenv/native",
  label: "the native plugin",
  providerPackage: "previewenv",
  plugin: PLUGIN,
  typeOf: nativeType,
  aliasOf: dynamicType,
  extrasOf: () => ({}),
  // The engine tells the plugin what is a preview. The program itself warns of plain texts that read like secrets.
  hintsOf: () => (pulumi.runtime.isDryRun() && !isMocked() ? { __secretHints: "given" } : {}),
  settingKey: (name) => name,
  refuse: () => undefined,
};
