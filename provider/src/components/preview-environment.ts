import * as z from "zod";
import { environmentBranches } from "../builds/environment-branches";
import { envVarSet } from "../env-vars/env-var-set";
import { environmentIdField } from "../framework/fields";
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
      "The `id` of the environment, or filters that exactly one environment matches, such as `repoName` and " +
        "`pullRequestNumber`. With `waitSeconds`, it waits for an environment that the service is still creating.",
    ),
    variableSets: z
      .record(z.string(), envVarSet.inputs.omit({ environmentId: true }))
      .optional()
      .describe(
        "Variables, in one or several sets. Each entry becomes the EnvVarSet `<name of the component>-<name of " +
          "the entry>`. A preview must know the names. Pulumi deletes what a program no longer declares at the end " +
          "of an `up`, after the build. To take a whole set out of the running environment, empty its maps first, " +
          "and remove the entry in a later `up`.",
      ),
  })
  .extend(deploying.shape)
  .extend({
    rebuildOn: z
      .array(z.unknown())
      .optional()
      .describe("Values that also cause a rebuild when they change, in addition to the variables."),
    requires: z
      .array(z.string())
      .optional()
      .describe(
        "Names of variables, own or inherited ones, that the environment must have before a build is requested. " +
          "When one is missing, the `up` fails and names it, and requests no build. When the name of an inherited " +
          "variable cannot be read, a missing name is a warning.",
      ),
    state: environmentState.inputs.shape["state"]
      .optional()
      .meta({ undefinedIsLeftOut: true })
      .describe(
        "Starts the environment before anything is written to it, or stops it after the variables are written. " +
          "When the service builds at each start of an environment, that is a second build. While the environment " +
          "is `stopped`, nothing is built: `branches` and `rebuildOn` have no effect. Left out: this component " +
          "neither stops nor starts the environment. A preview must know the state.",
      ),
  });

const outputs = z
  .object({ environmentId: environmentIdField.describe("The environment that was found, by its UUID.") })
  .extend(environmentBranches.state.pick({ url: true, name: true, projects: true }).shape);

/** A preview environment with its variables and branches. The component itself is sdk/nodejs/runtime/preview-environment.ts. */
export const previewEnvironment: Component = {
  type: "PreviewEnvironment",
  description:
    "A preview environment that exists, as one component. It finds the environment, writes its variables, and then deploys its branches. One " +
    "`pulumi up` starts one build at most, and waits for it. A rebuild happens only when variables changed and no branch did. A destroy " +
    "deletes the variables, does with the branches what `onDestroy` says, and leaves the environment. The " +
    'children are named after the component. So with `aliases: [{ name: "old" }]` it can be renamed, and nothing else changes.',
  inputs,
  plain: ["environment", "variableSets", "rebuildOn", "state"],
  outputs,
};
