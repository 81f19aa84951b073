// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

import type { InputKinds } from "../../../provider/src/framework/no-value";
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

/** Which arguments of a PreviewEnvironment may be missing; below the name of one, the same of what is in it. */
export const previewEnvironmentKinds = {
  args: {
    environment: "map",
    variableSets: "map",
    branches: "map",
    rebuildOn: "anything",
    waitForBuild: "default",
    buildTimeoutSeconds: "default",
    onDestroy: "default",
    whenStopped: "default",
    requires: "list",
    state: "default",
  },
  environment: { deleted: "default", waitSeconds: "default" },
  variableSets: {
    variables: "map",
    secrets: "map",
    services: "list",
    scopes: "map",
    onConflict: "default",
    prune: "default",
    keep: "list",
    triggers: "map",
  },
} as const satisfies Readonly<Record<string, InputKinds>>;
