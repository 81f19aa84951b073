import * as z from "zod";
import { environmentBranches } from "../builds/environment-branches";
import { envVarSet } from "../env-vars/env-var-set";
import { describedEnum } from "../framework/fields";
import { environmentState } from "../lifecycle/environment-state";

/** One entry of `variableSets`. */
export const setInputs = envVarSet.inputs.omit({ environmentId: true });

const VARIABLE_SETS =
  "A preview must know the names of the entries. If you remove an entry, its variables are deleted after the build. They stay if a list has the " +
  "environment, and its component declares nothing else for it. To delete them in any case, and before the build, first empty " +
  "the entry's maps, then remove it in a later `up`.";

/** Variables in sets. `named` says how the EnvVarSet of an entry is called. */
export function variableSetsField<T extends z.ZodObject>(set: T, named: string) {
  return z
    .record(z.string(), set)
    .optional()
    .describe(`Variables, in one or several sets. Each entry becomes the EnvVarSet \`${named}\`. ${VARIABLE_SETS}`);
}

/** The declarations of a component for one environment, beside its variables. */
export const childInputs = z
  .strictObject(
    environmentBranches.inputs.pick({
      branches: true,
      rebuildOn: true,
      waitForBuild: true,
      buildTimeoutSeconds: true,
      onDestroy: true,
      whenStopped: true,
    }).shape,
  )
  .extend({
    rebuildOn: z
      .array(z.unknown())
      .optional()
      .describe("Further values that cause a rebuild when they change, in addition to the variables."),
    requires: z
      .array(z.string())
      .optional()
      .describe(
        "Names of variables that the environment must have or inherit before a build. If one is missing, the `up` names it, requests " +
          "no build and fails. If the provider cannot read the name of an inherited variable, it only warns about missing names.",
      ),
    state: environmentState.inputs.shape["state"]
      .optional()
      .meta({ undefinedIsLeftOut: true })
      .describe(
        "Starts the environment before the component writes to it, or stops it after the component has written the variables. If the " +
          "service builds at each start, this causes a second build. With `stopped`, nothing is built: `branches` and `rebuildOn` have " +
          "no effect. By default, the component neither stops nor starts the environment. A preview must know the state.",
      ),
    onUnlisted: describedEnum(["keep", "delete"], {
      keep: "They stay on the service, and a warning names the environment.",
      delete: "The variables are deleted, and the branches are handled as `onDestroy` says.",
    })
      .default("keep")
      .describe(
        "What an `up` does with the variables and branches of an existing environment that the program no longer lists. The value in " +
          "the last `up` that listed the environment counts. `pulumi destroy` without `--run-program` deletes in both cases. " +
          "This input has no effect on an environment that does not come from a list.",
      ),
  });

/** Inputs that decide which children there are. */
export const plainChildInputs = ["variableSets", "rebuildOn", "state", "onUnlisted"];
