import * as z from "zod";
import { environmentBranches } from "../builds/environment-branches";
import { environmentIdField } from "../framework/fields";
import type { Component } from "../framework/component";
import { environmentFields } from "../functions/environment-fields";
import { getEnvironment } from "../functions/get-environment";
import { childInputs, plainChildInputs, setInputs, variableSetsField } from "./environment-children";

const inputs = z
  .strictObject({
    environment: getEnvironment.inputs
      .extend({
        url: environmentFields.url
          .optional()
          .describe(
            "Only for an environment that `getEnvironments` listed, together with `id` and `name`. With its `url`, even an empty " +
              "one, the component does not look it up again.",
          ),
      })
      .describe(
        "The `id` of the environment, or filters that exactly one environment matches, such as `repoName` and `pullRequestNumber`. " +
          "With `waitSeconds`, it waits for an environment that the service is still creating. For an environment that " +
          "`getEnvironments` listed with `complete: true`, give its `id`, `name` and `url`: the component then does not look it up " +
          "again, and `onUnlisted` says what happens when the program no longer lists it.",
      ),
    variableSets: variableSetsField(setInputs, "<name of the component>-<name of the entry>"),
  })
  .extend(childInputs.shape);

const outputs = z
  .object({ environmentId: environmentIdField.describe("UUID of the environment that was found.") })
  .extend(environmentBranches.state.pick({ url: true, name: true, projects: true }).shape);

/** A preview environment with its variables and branches. The component itself is sdk/nodejs/runtime/preview-environment.ts. */
export const previewEnvironment: Component = {
  type: "PreviewEnvironment",
  description:
    "An existing preview environment, as one component. It finds the environment, writes its variables, and then deploys its " +
    "branches. One `pulumi up` requests one build for all changes, and waits for it. If variables changed and no branch did, it " +
    "rebuilds. A destroy deletes the variables, handles the branches as `onDestroy` says, and leaves the environment. The children " +
    'are named after the component. To rename it without other changes, set `aliases: [{ name: "old" }]`.',
  inputs,
  plain: ["environment", ...plainChildInputs],
  outputs,
};
