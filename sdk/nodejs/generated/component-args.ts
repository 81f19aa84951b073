// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

import type { ArgumentFacts } from "../runtime/component-arguments";
import type { PreviewEnvironmentArgs } from "./preview-environment";
import type { PreviewEnvironmentsArgs } from "./preview-environments";

/** The arguments of a PreviewEnvironment, and what is known of each. */
export const previewEnvironmentArguments = {
  environment: { kind: "required", plain: "map" },
  variableSets: { kind: "map", plain: "maps" },
  branches: { kind: "map" },
  rebuildOn: { kind: "anything", plain: "list" },
  waitForBuild: { kind: "default" },
  buildTimeoutSeconds: { kind: "default" },
  onDestroy: { kind: "default" },
  whenStopped: { kind: "default" },
  requires: { kind: "list" },
  state: { kind: "default", plain: ["running", "stopped"] },
  onUnlisted: { kind: "default", plain: ["keep", "delete"] },
} as const satisfies Record<keyof PreviewEnvironmentArgs, ArgumentFacts>;

/** The arguments of a PreviewEnvironments, and what is known of each. */
export const previewEnvironmentsArguments = {
  match: { kind: "required", plain: "map" },
  excludeNames: { kind: "list", plain: "list" },
  pullRequestsOnly: { kind: "default", plain: "boolean" },
  variableSets: { kind: "map", plain: "maps" },
  branches: { kind: "map" },
  rebuildOn: { kind: "anything", plain: "list" },
  waitForBuild: { kind: "default" },
  buildTimeoutSeconds: { kind: "default" },
  onDestroy: { kind: "default" },
  whenStopped: { kind: "default" },
  requires: { kind: "list" },
  state: { kind: "default", plain: ["running", "stopped"] },
  onUnlisted: { kind: "default", plain: ["keep", "delete"] },
} as const satisfies Record<keyof PreviewEnvironmentsArgs, ArgumentFacts>;
