import * as z from "zod";
import { whenStoppedField } from "../builds/branches-inputs";
import { describedEnum } from "../framework/fields";
import type { Component } from "../framework/component";
import { GLOB_SYNTAX } from "../framework/globs";
import { environmentFields, filterFields } from "../functions/environment-fields";
import { childInputs, plainChildInputs, setInputs, variableSetsField } from "./environment-children";

const { deleted: _alwaysFalse, ...filters } = filterFields;

const variablesFrom = z
  .record(
    z.string(),
    describedEnum(["id", "name", "url", "pullRequestNumber", "branch"], {
      id: "The UUID of the environment.",
      name: "The name of the environment.",
      url: "The address of the deployed environment. Empty when the list of environments has none.",
      pullRequestNumber: "The pull request of the first repository that fits `match` and has a pull request.",
      branch: "The branch of that repository, or else of the first repository that fits `match`.",
    }),
  )
  .optional()
  .describe(
    "Visible variables that take their values from the environment, by name of the variable. Do not declare the same name in " +
      "`variables`. `pullRequestNumber` fails for an environment without a pull request: set `pullRequestsOnly`.",
  );

const inputs = z
  .strictObject({
    match: z
      .strictObject(filters)
      .describe(
        "Filters for environments, as for `getEnvironments`. Give at least one. Deleted environments never match. A preview must know " +
          "the values.",
      ),
    excludeNames: z
      .array(z.string())
      .optional()
      .describe(`Names of environments to leave out, as globs (\`*-main\`). ${GLOB_SYNTAX}`),
    pullRequestsOnly: z.boolean().default(false).describe("`true`: leaves out environments without a pull request."),
    variableSets: variableSetsField(setInputs.extend({ variablesFrom }), "<id of the environment>-<name of the entry>"),
  })
  .extend(childInputs.shape)
  .extend({
    whenStopped: whenStoppedField
      .default("skip")
      .describe(
        "What happens if a build is due and an environment is stopped or retired. By default, a stopped environment is built when it " +
          "runs again, and does not delay the others.",
      ),
  });

const { id, name, url } = environmentFields;

/** Every environment that matches. The component itself is sdk/nodejs/runtime/preview-environments.ts. */
export const previewEnvironments: Component = {
  type: "PreviewEnvironments",
  description:
    "Every environment that matches, such as those of all open pull requests of a repository, as one component. Each run of the " +
    "program lists the environments, until two lists in a row are the same. Each environment gets the children of a " +
    "PreviewEnvironment. Their names begin with the id of the environment, so you can rename the component. When an " +
    "environment is no longer listed, Pulumi removes its children from the stack at the end of the `up`. If the service has " +
    "deleted the environment, the run succeeds. If it still exists, its variables and branches stay, unless `onUnlisted` is " +
    '`"delete"`. If the list cannot be read, or a preview does not know `match`, the program fails, so Pulumi deletes nothing. If ' +
    "an environment cannot be declared, the program declares the others, then fails.",
  inputs,
  plain: ["match", "excludeNames", "pullRequestsOnly", "variablesFrom", ...plainChildInputs],
  outputs: z.object({
    environments: z
      .array(
        z.object({
          id,
          name,
          url,
          pullRequestNumber: z
            .int()
            .optional()
            .describe("The pull request of the first repository that fits `match` and has a pull request."),
        }),
      )
      .describe("The environments that are declared, sorted by name."),
  }),
};
