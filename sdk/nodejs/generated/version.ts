// Generated from package.json by `npm run generate`. Do not edit.

/** Version of the package, and of the plugin that belongs to it. */
export const VERSION = "0.1.0";
