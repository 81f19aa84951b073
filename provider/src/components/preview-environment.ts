import * as z from "zod";
import { environmentBranches } from "../builds/environment-branches";
import { envVarSet } from "../env-vars/env-var-set";
import { environmentIdField } from "../framework/environment-session";
import type { Component } from "../framework/component";
import { getEnvironment } from "../functions/get-environment";
import { environmentState } from "../lifecycle/environment-state";

const deploying = environmentBranches.inputs.pick({
  branches: true,
  rebuildOn: true,
  waitForBuild: true,
  buildTimeoutSeconds: true,
  onDestroy: true,
  whenStopped: true,
});

const inputs = z
  .strictObject({
    environment: getEnvironment.inputs.describe(
      "Which environment: its `id`, or filters that exactly one matches, such as `repoName` and `pullRequestNumber`; with " +
        "`waitSeconds` for one that the service is still creating.",
    ),
    variableSets: z
      .record(z.string(), envVarSet.inputs.omit({ environmentId: true }))
      .optional()
      .describe(
        "Variables, in one or several sets: each entry becomes the EnvVarSet `<name of the component>-<name of the entry>`. " +
          "A preview must know the names. Pulumi deletes what a program no longer declares at the end of an `up`, after the " +
          "build: to take a whole set out of the running environment, empty its maps first and remove the entry later.",
      ),
  })
  .extend(deploying.shape)
  .extend({
    rebuildOn: z
      .array(z.unknown())
      .optional()
      .describe("More values that cause a rebuild when they change, beside the variables."),
    requires: z
      .array(z.string())
      .optional()
      .describe(
        "Names of variables, own or inherited ones, that must be there before a build is requested: otherwise an error names " +
          "the missing ones, and nothing is built. When an inherited variable has no readable name, it is a warning instead of " +
          "an error.",
      ),
    state: environmentState.inputs.shape["state"]
      .optional()
      .describe(
        "Starts the environment before anything is written to it, or stops it after the variables are written. A service that " +
          "builds when an environment starts does so in addition to the one build of this component. While it is `stopped`, " +
          "nothing is built: `branches` and `rebuildOn` have no effect. Left out: this component neither stops nor starts the " +
          "environment. A preview must know it.",
      ),
  });

const outputs = z
  .object({ environmentId: environmentIdField.describe("The environment that was found, by its UUID.") })
  .extend(environmentBranches.state.pick({ url: true, name: true, projects: true }).shape);

/** A preview environment with its variables and branches. The component itself is sdk/nodejs/runtime/preview-environment.ts. */
export const previewEnvironment: Component = {
  type: "PreviewEnvironment",
  description:
    "A preview environment as one component: finds it, writes its variables, then deploys its branches with one build at " +
    "most per `pulumi up`, and waits for that. A rebuild happens only when variables changed and no branch did. Its children " +
    'are named after it, so that renaming it with `aliases: [{ name: "old" }]` changes nothing.',
  inputs,
  plain: ["environment", "variableSets", "rebuildOn", "state"],
  outputs,
};
