// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

import type { PreviewEnvironmentArgs } from "./preview-environment";

/** The names of the arguments of a PreviewEnvironment. */
export const previewEnvironmentArgs = [
  "environment",
  "variableSets",
  "branches",
  "rebuildOn",
  "waitForBuild",
  "buildTimeoutSeconds",
  "onDestroy",
  "whenStopped",
  "requires",
  "state",
] as const satisfies readonly (keyof PreviewEnvironmentArgs)[];
