import * as z from "zod";
import { describedEnum, environmentIdField, fieldFacts, lineField } from "../framework/fields";
import type { Known } from "../framework/resource";

/** The input `whenStopped`, without its default: it decides about a build that is due while the environment does not run. */
export const whenStoppedField = describedEnum(["fail", "skip", "wake"], {
  fail:
    "The `up` fails if it makes a build due. If the build was due before, or has failed before, the `up` postpones it, with a warning. A " +
    "`pulumi destroy` fails if it has branches to restore. An `up` that removes the resource, or a `destroy --run-program`, only warns.",
  skip:
    "The `up` postpones the build, with a warning. Once a refresh has seen the environment running, the next `up` requests the build. A " +
    "destroy restores nothing, with a warning.",
  wake:
    "The build starts the environment: the provider requests the build first, then starts the environment if it does not run yet. " +
    "A destroy restores nothing, with a warning.",
});
export type WhenStopped = z.output<typeof whenStoppedField>;

/**
 * What a value of `whenStopped` means for a build that is due, while the environment is stopped or retired. `refused`: it is an error, unless it
 * was due before: then it is postponed. A destroy that has branches to restore is an error, too. `postponed`: it waits until the environment
 * runs. `requested`: it starts the environment.
 */
export const whenStoppedMeans: Readonly<Record<WhenStopped, "refused" | "postponed" | "requested">> = {
  fail: "refused",
  skip: "postponed",
  wake: "requested",
};

/** The inputs of an EnvironmentBranches. */
export const inputs = z.strictObject({
  environmentId: environmentIdField,
  branches: z
    .record(lineField, lineField)
    .optional()
    .describe(
      "A map of repositories to branches, such as `web` to `feature/checkout`. Other repositories keep their branch.",
    )
    .register(fieldFacts, { shownInMessages: true }),
  rebuildOn: z
    .array(z.unknown())
    .optional()
    .describe(
      "Values, such as the `revision` of an EnvVarSet. If they change and no branch does, the `up` rebuilds the environment once. A " +
        "create also rebuilds it once if no branch changes, unless the list is empty.",
    ),
  waitForBuild: z
    .boolean()
    .default(true)
    .describe(
      "`true`: the `up` waits until a new build with the declared branches succeeds. `false`: it does not wait for " +
        'that build, but `whenStopped: "wake"` waits until the environment runs, which may take as long. If the service refuses a rebuild ' +
        "while another build runs, the `up` waits for the end of that one.",
    ),
  buildTimeoutSeconds: z
    .int()
    .positive()
    .default(1800)
    .describe(
      "How many seconds to wait in total for the build, for the start of the environment, and for another build before it. After " +
        "that time, the `up` fails, and the next `up` looks at the build again.",
    ),
  onDestroy: describedEnum(["retain", "restore"], {
    retain: "The environment keeps its branches.",
    restore:
      "The declared repositories get back their original branches, the output `originalBranches` of the EnvironmentBranches. If one is not " +
      "known, such as after a repository was renamed, a warning says so. If a branch was switched since the last refresh, or the last " +
      "`up` that changed the resource, it stays, with a warning. If the service refuses the original branches, a `pulumi destroy` fails. " +
      "An `up` that removes the resource, or a `destroy --run-program`, keeps the branches instead, with a warning.",
  })
    .default("retain")
    .describe("What happens to the branches when this resource is destroyed."),
  whenStopped: whenStoppedField
    .default("fail")
    .describe(
      "What happens if a build is due and the environment is stopped or retired. If it is deleted, an `up` acts as with `fail`, " +
        'and a destroy with `onDestroy: "restore"` treats it like a stopped one.',
    ),
  requires: z
    .array(z.string())
    .optional()
    .describe(
      "Names of variables, such as `DATABASE_URL`, that the environment must have or inherit before a build. If one is missing, the " +
        "`up` names it, requests no build and fails. This input does not wait for the sets that declare the variables: use " +
        "`dependsOn` for that. If the provider cannot read the name of an inherited variable, it only warns about missing names.",
    )
    .register(fieldFacts, { shownInMessages: true }),
});

/** The declaration of an EnvironmentBranches. */
export type BranchesInput = z.output<typeof inputs>;

/** The same, as far as a preview knows it. */
export type KnownInput = Known<typeof inputs>;
