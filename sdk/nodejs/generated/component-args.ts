// Generated from the declarations in provider/src by `npm run generate`. Do not edit.

import type { ArgumentFacts } from "../runtime/component-arguments";
import type { PreviewEnvironmentArgs } from "./preview-environment";
import type { PreviewEnvironmentsArgs } from "./preview-environments";

/** The arguments of a PreviewEnvironment, and what is known of each. */
export const previewEnvironmentArguments = {
  environment: { kind: "required", plain: "a plain object" },
  variableSets: { kind: "map", plain: "a plain object of plain objects" },
  branches: { kind: "map" },
  rebuildOn: { kind: "anything", plain: "a list" },
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
  match: { kind: "required", plain: "a plain object" },
  excludeNames: { kind: "list", plain: "a list" },
  pullRequestsOnly: { kind: "default", plain: "a boolean" },
  variableSets: { kind: "map", plain: "a plain object of plain objects" },
  branches: { kind: "map" },
  rebuildOn: { kind: "anything", plain: "a list" },
  waitForBuild: { kind: "default" },
  buildTimeoutSeconds: { kind: "default" },
  onDestroy: { kind: "default" },
  whenStopped: { kind: "default" },
  requires: { kind: "list" },
  state: { kind: "default", plain: ["running", "stopped"] },
  onUnlisted: { kind: "default", plain: ["keep", "delete"] },
} as const satisfies Record<keyof PreviewEnvironmentsArgs, ArgumentFacts>;
