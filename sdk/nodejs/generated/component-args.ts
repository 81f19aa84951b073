// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

import type { InputKind, InputKinds } from "../../../provider/src/framework/missing-value-text";
import type { PreviewEnvironmentArgs } from "./preview-environment";
import type { PreviewEnvironmentsArgs } from "./preview-environments";

/**
 * Which arguments of a PreviewEnvironment may be missing, all of them; below the name of one, the same of what is
 * in it.
 */
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
    onUnlisted: "default",
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
} as const satisfies Readonly<Record<string, InputKinds>> & { args: Record<keyof PreviewEnvironmentArgs, InputKind> };

/**
 * Which arguments of a PreviewEnvironments may be missing, all of them; below the name of one, the same of what is
 * in it.
 */
export const previewEnvironmentsKinds = {
  args: {
    match: "map",
    excludeNames: "list",
    pullRequestsOnly: "default",
    variableSets: "map",
    branches: "map",
    rebuildOn: "anything",
    waitForBuild: "default",
    buildTimeoutSeconds: "default",
    onDestroy: "default",
    whenStopped: "default",
    requires: "list",
    state: "default",
    onUnlisted: "default",
  },
  match: {},
  variableSets: {
    variables: "map",
    secrets: "map",
    services: "list",
    scopes: "map",
    onConflict: "default",
    prune: "default",
    keep: "list",
    triggers: "map",
    variablesFrom: "map",
  },
} as const satisfies Readonly<Record<string, InputKinds>> & { args: Record<keyof PreviewEnvironmentsArgs, InputKind> };
