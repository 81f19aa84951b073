// Generated from package.json and tools/release/identity.json by `npm run generate`. Do not edit.

import type { Plugin } from "../runtime/host";

/** The plugin of the package's own version, and where the engine finds its archives. */
export const PLUGIN: Plugin = {
  version: "0.1.0",
  pluginDownloadURL: "github://api.github.com/previewenv/pulumi-previewenv",
};
