import * as z from "zod";
import { describedEnum, environmentIdField, fieldFacts, lineField } from "../framework/fields";
import type { Known } from "../framework/resource";

/** The input `whenStopped`, without its default: it decides about a build that is due while the environment does not run. */
export const whenStoppedField = describedEnum(["fail", "skip", "wake"], {
  fail:
    "An `up` that makes a build due fails. A build that was due before, or that has failed before, is postponed, with a warning. A destroy " +
    "that has branches to restore fails too.",
  skip:
    "The `up` warns and postpones the build. The first `up` after a refresh has seen the environment running requests it. A " +
    "destroy warns and restores nothing.",
  wake:
    "The build starts the environment. When branches differ, they are built first, and the environment is started after that " +
    "build unless it runs already. A destroy warns and restores nothing.",
});
export type WhenStopped = z.output<typeof whenStoppedField>;

/** The meaning of a value of `whenStopped` while the environment is stopped or retired. */
interface WhenStoppedMeaning {
  /** The fate of a build that is due: an error, or it is postponed until the environment runs, or it is requested and starts the environment. */
  readonly dueBuild: "refused" | "postponed" | "requested";
  /** Whether a destroy fails that has branches to restore. Otherwise it warns. */
  readonly refusesToDestroy: boolean;
}

export const whenStoppedMeans: Readonly<Record<WhenStopped, WhenStoppedMeaning>> = {
  fail: { dueBuild: "refused", refusesToDestroy: true },
  skip: { dueBuild: "postponed", refusesToDestroy: false },
  wake: { dueBuild: "requested", refusesToDestroy: false },
};

/** The inputs of an EnvironmentBranches. */
export const inputs = z.strictObject({
  environmentId: environmentIdField,
  branches: z
    .record(lineField, lineField)
    .optional()
    .describe(
      "Branch by repository, such as `web` with the branch `feature/checkout`. Repositories that you do not name keep their branch.",
    )
    .register(fieldFacts, { repeated: true }),
  rebuildOn: z
    .array(z.unknown())
    .optional()
    .describe(
      "Values, such as the `revision` of an EnvVarSet. If they change and no branch does, the `up` rebuilds the environment once. A " +
        "create rebuilds it once if no branch has to change.",
    )
    .register(fieldFacts, { compared: true }),
  waitForBuild: z
    .boolean()
    .default(true)
    .describe(
      "`true`: the `up` waits until a new build with the declared branches succeeds. `false`: it requests the build and does not " +
        "wait.",
    ),
  buildTimeoutSeconds: z
    .int()
    .positive()
    .default(1800)
    .describe(
      "How many seconds to wait for the build. This includes the start of the environment, or another build, before it. After that " +
        "time, the `up` fails, and the next `up` looks at the build again.",
    ),
  onDestroy: describedEnum(["retain", "restore"], {
    retain: "The environment keeps its branches.",
    restore: "The declared repositories get back the branches that they had at create.",
  })
    .default("retain")
    .describe("What happens to the branches when this resource is destroyed."),
  whenStopped: whenStoppedField
    .default("fail")
    .describe(
      "What happens when a build is due and the environment is stopped or retired. When it is deleted, every `up` goes by `fail`. " +
        'For a destroy with `onDestroy: "restore"`, a deleted environment counts as stopped.',
    ),
  requires: z
    .array(z.string())
    .optional()
    .describe(
      "Names of variables, such as `DATABASE_URL`, that the environment must have or inherit before a build. If one is missing, the " +
        "`up` names it, requests no build and fails. This input does not wait for the sets that declare the variables: use " +
        "`dependsOn` for that. If the provider cannot read the name of an inherited variable, it only warns about missing names.",
    )
    .register(fieldFacts, { repeated: true }),
});

/** The declaration of an EnvironmentBranches. */
export type BranchesInput = z.output<typeof inputs>;

/** The same, as far as a preview knows it. */
export type KnownInput = Known<typeof inputs>;
