// Generated from provider/src/components/preview-environments.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";

/** The value of `match`. */
export interface PreviewEnvironmentsMatch {
  /** Name of the environment, exactly. */
  readonly name?: pulumi.Input<string>;
  /** Organization of one of its repositories. */
  readonly orgName?: pulumi.Input<string>;
  /** Name of one of its repositories. */
  readonly repoName?: pulumi.Input<string>;
  /** Branch of one of its repositories. */
  readonly branch?: pulumi.Input<string>;
  /** Pull request of one of its repositories. */
  readonly pullRequestNumber?: pulumi.Input<number>;
}

/** One entry of `variableSets`. */
export interface PreviewEnvironmentsVariableSet {
  /**
   * Visible variables, value by name, such as `LOG_LEVEL` with the value `debug`. The service's dashboard shows
   * these values. They are sent with `hidden: false`. A name that is removed from the program is deleted on the
   * service. With `previewenv.existing()` (outside of TypeScript: the text `previewenv:existing:v1`) as its value, a
   * variable keeps the value that the service has.
   */
  readonly variables?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
  /**
   * Hidden variables, value by name, such as `DATABASE_URL`. The service masks these values. They are sent with
   * `hidden: true`. A name that is removed from the program is deleted on the service. With `previewenv.existing()`
   * (outside of TypeScript: the text `previewenv:existing:v1`) as its value, a variable keeps the value that the
   * service has.
   */
  readonly secrets?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
  /** Services that see the variables of this set, such as `web`, in any order. Left out or empty: every service. */
  readonly services?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Services of single variables for which `services` is not right, by the name of the variable, such as
   * `FEATURE_CHECKOUT` with the list of `web`. An empty list means every service. Each name must be declared in
   * `variables` or `secrets`.
   */
  readonly scopes?: pulumi.Input<{ [key: string]: pulumi.Input<pulumi.Input<string>[]> }>;
  /**
   * What happens when the environment already has a declared variable with another value, visibility or services. A
   * variable that already matches is taken over in both cases. `fail`: The `up` fails before any write. The error
   * names all such variables. `overwrite`: The variables are written as the program declares them.
   * @default "fail"
   */
  readonly onConflict?: pulumi.Input<"fail" | "overwrite"> | undefined;
  /**
   * `true`: an update also deletes the variables of the environment that this set does not declare. A refresh must
   * have seen them, and a preview must have named them. A create deletes nothing.
   * @default false
   */
  readonly prune?: pulumi.Input<boolean> | undefined;
  /**
   * With `prune`: names that are not deleted, as globs (`SYSTEM_*`). A pattern must match the whole name, with the
   * same upper and lower case letters. `*` matches any characters or none, `?` one character, `[abc]` or `[a-z]` one
   * of these, `{A,B}` either text. After a backslash, a character stands for itself. No pattern can begin with `!`.
   */
  readonly keep?: pulumi.Input<pulumi.Input<string>[]>;
  /** Any change of this map, such as another value of `rotated`, writes every variable of the set again. */
  readonly triggers?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
  /**
   * Visible variables whose values differ by environment: what each variable gets, by its name. A name that also
   * stands in `variables` is an error. So is `pullRequestNumber` for an environment without a pull request: set
   * `pullRequestsOnly`.
   */
  readonly variablesFrom?: { [key: string]: "id" | "name" | "url" | "pullRequestNumber" | "branch" };
}

/** What a program passes to {@link PreviewEnvironments}. */
export interface PreviewEnvironmentsArgs {
  /**
   * Which environments: the filters of `getEnvironments`, at least one. Only environments that are not deleted
   * match. A preview must know the values.
   */
  readonly match: PreviewEnvironmentsMatch;
  /**
   * Leaves out the environments with these names, as globs (`*-main`). A pattern must match the whole name, with the
   * same upper and lower case letters. `*` matches any characters or none, `?` one character, `[abc]` or `[a-z]` one
   * of these, `{A,B}` either text. After a backslash, a character stands for itself.
   */
  readonly excludeNames?: readonly string[];
  /**
   * `true`: leaves out the environments of which no repository has a pull request.
   * @default false
   */
  readonly pullRequestsOnly?: boolean | undefined;
  /**
   * Variables, in one or several sets. Each entry becomes the EnvVarSet `<id of the environment>-<name of the
   * entry>`. A preview must know the names. Pulumi deletes what a program no longer declares at the end of an `up`,
   * after the build. To take a whole set out of the running environment, empty its maps first, and remove the entry
   * in a later `up`.
   */
  readonly variableSets?: { [key: string]: PreviewEnvironmentsVariableSet };
  /**
   * Branch by repository, such as `web` with the branch `feature/checkout`. Repositories that are not named keep the
   * branch they have.
   */
  readonly branches?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
  /** Values that also cause a rebuild when they change, in addition to the variables. */
  readonly rebuildOn?: readonly unknown[];
  /**
   * `true`: the `up` waits until a new build with the declared branches succeeds. `false`: it requests the build and
   * goes on.
   * @default true
   */
  readonly waitForBuild?: pulumi.Input<boolean> | undefined;
  /**
   * How long to wait for the build, in seconds. After that, the `up` fails and the next one looks at the build
   * again.
   * @default 1800
   */
  readonly buildTimeoutSeconds?: pulumi.Input<number> | undefined;
  /**
   * What happens to the branches when this resource is destroyed. `retain`: Nothing changes: the environment keeps
   * the branches it has. `restore`: The declared repositories get back the branches that were found at create.
   * @default "retain"
   */
  readonly onDestroy?: pulumi.Input<"retain" | "restore"> | undefined;
  /**
   * What happens when a build is due and an environment is stopped or retired. With the default, a stopped
   * environment is built when it runs again, and does not delay the others. `fail`: The `up` fails. A destroy that
   * has branches to restore fails too. `skip`: The `up` warns and postpones the build. The first `up` after a
   * refresh has seen the environment running requests it. A destroy warns and restores nothing. `wake`: The build
   * starts the environment. When branches differ, they are built first, and the environment is started after that
   * build unless it runs already. A destroy warns and restores nothing.
   * @default "skip"
   */
  readonly whenStopped?: pulumi.Input<"fail" | "skip" | "wake"> | undefined;
  /**
   * Names of variables, own or inherited ones, that the environment must have before a build is requested. When one
   * is missing, the `up` fails and names it, and requests no build. When the name of an inherited variable cannot be
   * read, a missing name is a warning.
   */
  readonly requires?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Starts the environment before anything is written to it, or stops it after the variables are written. When the
   * service builds at each start of an environment, that is a second build. While the environment is `stopped`,
   * nothing is built: `branches` and `rebuildOn` have no effect. Left out: this component neither stops nor starts
   * the environment. A preview must know the state. `running`: The environment is not stopped, not retired and not
   * deleted. `stopped`: The environment is stopped, retired or deleted.
   */
  readonly state?: "running" | "stopped" | undefined;
  /**
   * What an `up` does with the variables and branches of an environment that the program does not list any more, and
   * that still exists. It counts as it was in the last `up` that listed the environment. `pulumi destroy` deletes in
   * both cases. For an environment that was not listed it has no effect. `keep`: They stay on the service as they
   * are, and a warning names the environment. `delete`: They are deleted and restored as `onDestroy` says.
   * @default "keep"
   */
  readonly onUnlisted?: "keep" | "delete" | undefined;
}

/** One item of `environments`. */
export interface PreviewEnvironmentsEnvironment {
  /** UUID of the environment. */
  readonly id: string;
  /** Name of the environment. */
  readonly name: string;
  /** Address of the deployed environment. Empty when the service does not say. */
  readonly url: string;
  /** The pull request of the first repository that fits `match` and has a pull request. */
  readonly pullRequestNumber?: number | undefined;
}

/** What a PreviewEnvironments gives back. */
export interface PreviewEnvironmentsOutputs {
  /** The environments that are declared, sorted by name. */
  readonly environments: pulumi.Output<PreviewEnvironmentsEnvironment[]>;
}
