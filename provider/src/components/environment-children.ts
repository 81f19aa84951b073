import * as z from "zod";
import { environmentBranches } from "../builds/environment-branches";
import { envVarSet } from "../env-vars/env-var-set";
import { describedEnum } from "../framework/fields";
import { environmentState } from "../lifecycle/environment-state";

/** One entry of `variableSets`. */
export const setInputs = envVarSet.inputs.omit({ environmentId: true });

const VARIABLE_SETS =
  "A preview must know the names. Pulumi deletes what a program no longer declares at the end of an `up`, after the build. To take " +
  "a whole set out of the running environment, empty its maps first, and remove the entry in a later `up`.";

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
    onUnlisted: describedEnum(["keep", "delete"], {
      keep: "They stay on the service as they are, and a warning names the environment.",
      delete: "They are deleted and restored as `onDestroy` says.",
    })
      .default("keep")
      .describe(
        "What an `up` does with the variables and branches of an environment that the program does not list any more, and that " +
          "still exists. It counts as it was in the last `up` that listed the environment. `pulumi destroy` deletes in both cases. " +
          "For an environment that was not listed it has no effect.",
      ),
  });

/** Inputs that decide which children there are. */
export const plainChildInputs = ["variableSets", "rebuildOn", "state", "onUnlisted"];
