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
            "Only for an environment that `getEnvironments` listed, with its `id` and `name`: with its `url`, also an empty one, it is not looked up again.",
          ),
      })
      .describe(
        "The `id` of the environment, or filters that exactly one environment matches, such as `repoName` and " +
          "`pullRequestNumber`. With `waitSeconds`, it waits for an environment that the service is still creating. Or an environment " +
          "that `getEnvironments` listed with `complete: true`, by its `id`, `name` and `url`: then it is not looked up again, and `onUnlisted` " +
          "says what happens when the program does not list it any more.",
      ),
    variableSets: variableSetsField(setInputs, "<name of the component>-<name of the entry>"),
  })
  .extend(childInputs.shape);

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
  plain: ["environment", ...plainChildInputs],
  outputs,
};
