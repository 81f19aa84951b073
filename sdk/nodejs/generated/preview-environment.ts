// Generated from provider/src/components/preview-environment.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";

/** The value of `environment`. */
export interface PreviewEnvironmentEnvironment {
  /** The environment, by its UUID. Then no filter may be given. */
  readonly id?: pulumi.Input<string>;
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
  /** `true`: only deleted environments. `false` or left out: only those that are not deleted. */
  readonly deleted?: pulumi.Input<boolean> | undefined;
  /**
   * How long to wait until such an environment exists, in seconds: the service may still be creating it.
   * @default 0
   */
  readonly waitSeconds?: pulumi.Input<number> | undefined;
  /**
   * Only for an environment that `getEnvironments` listed, with its `id` and `name`: with its `url`, also an empty
   * one, it is not looked up again.
   */
  readonly url?: pulumi.Input<string>;
}

/** One entry of `variableSets`. */
export interface PreviewEnvironmentVariableSet {
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
}

/** What a program passes to {@link PreviewEnvironment}. */
export interface PreviewEnvironmentArgs {
  /**
   * The `id` of the environment, or filters that exactly one environment matches, such as `repoName` and
   * `pullRequestNumber`. With `waitSeconds`, it waits for an environment that the service is still creating. Or an
   * environment that `getEnvironments` listed with `complete: true`, by its `id`, `name` and `url`: then it is not
   * looked up again, and `onUnlisted` says what happens when the program does not list it any more.
   */
  readonly environment: PreviewEnvironmentEnvironment;
  /**
   * Variables, in one or several sets. Each entry becomes the EnvVarSet `<name of the component>-<name of the
   * entry>`. A preview must know the names. Pulumi deletes what a program no longer declares at the end of an `up`,
   * after the build. To take a whole set out of the running environment, empty its maps first, and remove the entry
   * in a later `up`.
   */
  readonly variableSets?: { [key: string]: PreviewEnvironmentVariableSet };
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
   * What happens when a build is due and the environment is stopped or retired. When it is deleted, the `up` always
   * fails. For a destroy with `onDestroy: "restore"`, a deleted environment counts as stopped. `fail`: The `up`
   * fails. A destroy that has branches to restore fails too. `skip`: The `up` warns and postpones the build. The
   * first `up` after a refresh has seen the environment running requests it. A destroy warns and restores nothing.
   * `wake`: The build starts the environment. When branches differ, they are built first, and the environment is
   * started after that build unless it runs already. A destroy warns and restores nothing.
   * @default "fail"
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

/** One item of `projects`. */
export interface PreviewEnvironmentProject {
  /** Name of the repository. */
  readonly repoName: string;
  /** Organization of the repository. */
  readonly orgName?: string | undefined;
  /** Branch that is deployed. */
  readonly branch: string;
  /** Commit that is deployed. */
  readonly commitHash?: string | undefined;
  /** Pull request of the branch, where it has one. */
  readonly pullRequestNumber?: number | undefined;
}

/** What a PreviewEnvironment gives back. */
export interface PreviewEnvironmentOutputs {
  /** The environment that was found, by its UUID. */
  readonly environmentId: pulumi.Output<string>;
  /** Address of the deployed environment. */
  readonly url: pulumi.Output<string>;
  /** Name of the environment. */
  readonly name: pulumi.Output<string>;
  /** The repositories of the environment, with branch and commit. */
  readonly projects: pulumi.Output<PreviewEnvironmentProject[]>;
}
