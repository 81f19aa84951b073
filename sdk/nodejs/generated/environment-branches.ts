// Generated from provider/src/builds/environment-branches.ts by `npm run generate`. Do not edit.

import type * as pulumi from "@pulumi/pulumi";
import { PreviewenvResource } from "../runtime/resource";

/** What a program passes to {@link EnvironmentBranches}. */
export interface EnvironmentBranchesArgs {
  /** The environment, by its UUID. Changing it replaces the resource. */
  environmentId: pulumi.Input<string>;
  /**
   * Branch by repository, such as `web` with the branch `feature/checkout`. Repositories that are not named keep the
   * branch they have.
   */
  branches?: pulumi.Input<{ [key: string]: pulumi.Input<string> }>;
  /**
   * Values, such as the `revision` of an EnvVarSet. When they change and no branch does, the environment is rebuilt
   * once. At create, it is rebuilt once if no branch has to change.
   */
  rebuildOn?: pulumi.Input<pulumi.Input<unknown>[]>;
  /**
   * `true`: the `up` waits until a new build with the declared branches succeeds. `false`: it requests the build and
   * goes on.
   * @default true
   */
  waitForBuild?: pulumi.Input<boolean> | undefined;
  /**
   * How long to wait for the build, in seconds. After that, the `up` fails and the next one looks at the build
   * again.
   * @default 1800
   */
  buildTimeoutSeconds?: pulumi.Input<number> | undefined;
  /**
   * What happens to the branches when this resource is destroyed. `retain`: Nothing changes: the environment keeps
   * the branches it has. `restore`: The declared repositories get back the branches that were found at create.
   * @default "retain"
   */
  onDestroy?: pulumi.Input<"retain" | "restore"> | undefined;
  /**
   * What happens when a build is due and the environment is stopped or retired. When it is deleted, the `up` always
   * fails. For a destroy with `onDestroy: "restore"`, a deleted environment counts as stopped. `fail`: The `up`
   * fails. A destroy that has branches to restore fails too. `skip`: The `up` warns and postpones the build. The
   * first `up` after a refresh has seen the environment running requests it. A destroy warns and restores nothing.
   * `wake`: The build starts the environment. When branches differ, they are built first, and the environment is
   * started after that build unless it runs already. A destroy warns and restores nothing.
   * @default "fail"
   */
  whenStopped?: pulumi.Input<"fail" | "skip" | "wake"> | undefined;
  /**
   * Names of variables, such as `DATABASE_URL`, own or inherited ones, that the environment must have before a build
   * is requested. When one is missing, the `up` fails and names it, and requests no build. This input does not wait
   * for the sets that declare the variables: use `dependsOn` for that. When the name of an inherited variable cannot
   * be read, a missing name is a warning.
   */
  requires?: pulumi.Input<pulumi.Input<string>[]>;
}

/** One item of `projects`. */
export interface EnvironmentBranchesProject {
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

/** The value of `build`. */
export interface EnvironmentBranchesBuild {
  /** The service's id of the build. */
  readonly id: string;
  /** Whether the build was deployed. */
  readonly successfullyBuilt: boolean;
  /** When the build was queued: ISO 8601, UTC, with microseconds. */
  readonly queuedAt: string;
}

/**
 * Which branch of each repository is deployed in an environment. One `pulumi up` starts one build at most,
 * whatever changed, and waits for it. A repository that is removed from `branches` keeps the branch that it has. A
 * destroy changes nothing on the service, unless `onDestroy` is `"restore"`.
 * @see {@link https://github.com/previewenv/pulumi-previewenv/blob/HEAD/docs/reference.md#environmentbranches}
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * const vars = new previewenv.EnvVarSet("vars", {
 *   environmentId: "11111111-1111-4111-8111-111111111142",
 *   variables: { LOG_LEVEL: "debug" },
 * });
 * const branches = new previewenv.EnvironmentBranches("branches", {
 *   environmentId: vars.environmentId,
 *   branches: { web: "feature/checkout" },
 *   rebuildOn: [vars.revision], // one rebuild when variables changed and branches did not
 * });
 * export const url = branches.url;
 * ```
 */
export class EnvironmentBranches extends PreviewenvResource {
  /** The environment, by its UUID. */
  declare public readonly environmentId: pulumi.Output<string>;
  /**
   * Branch by repository, such as `web` with the branch `feature/checkout`. Repositories that are not named keep the
   * branch they have.
   */
  declare public readonly branches: pulumi.Output<{ [key: string]: string } | undefined>;
  /**
   * Values, such as the `revision` of an EnvVarSet. When they change and no branch does, the environment is rebuilt
   * once. At create, it is rebuilt once if no branch has to change.
   */
  declare public readonly rebuildOn: pulumi.Output<unknown[] | undefined>;
  /**
   * `true`: the `up` waits until a new build with the declared branches succeeds. `false`: it requests the build and
   * goes on.
   */
  declare public readonly waitForBuild: pulumi.Output<boolean>;
  /**
   * How long to wait for the build, in seconds. After that, the `up` fails and the next one looks at the build
   * again.
   */
  declare public readonly buildTimeoutSeconds: pulumi.Output<number>;
  /**
   * What happens to the branches when this resource is destroyed. `retain`: Nothing changes: the environment keeps
   * the branches it has. `restore`: The declared repositories get back the branches that were found at create.
   */
  declare public readonly onDestroy: pulumi.Output<"retain" | "restore">;
  /**
   * What happens when a build is due and the environment is stopped or retired. When it is deleted, the `up` always
   * fails. For a destroy with `onDestroy: "restore"`, a deleted environment counts as stopped. `fail`: The `up`
   * fails. A destroy that has branches to restore fails too. `skip`: The `up` warns and postpones the build. The
   * first `up` after a refresh has seen the environment running requests it. A destroy warns and restores nothing.
   * `wake`: The build starts the environment. When branches differ, they are built first, and the environment is
   * started after that build unless it runs already. A destroy warns and restores nothing.
   */
  declare public readonly whenStopped: pulumi.Output<"fail" | "skip" | "wake">;
  /**
   * Names of variables, such as `DATABASE_URL`, own or inherited ones, that the environment must have before a build
   * is requested. When one is missing, the `up` fails and names it, and requests no build. This input does not wait
   * for the sets that declare the variables: use `dependsOn` for that. When the name of an inherited variable cannot
   * be read, a missing name is a warning.
   */
  declare public readonly requires: pulumi.Output<string[] | undefined>;
  /** Name of the environment. */
  declare public readonly name: pulumi.Output<string>;
  /** Address of the deployed environment. */
  declare public readonly url: pulumi.Output<string>;
  /** Whether the service calls the environment ready. */
  declare public readonly ready: pulumi.Output<boolean>;
  /** The repositories of the environment, with branch and commit. */
  declare public readonly projects: pulumi.Output<EnvironmentBranchesProject[]>;
  /** The last build that was waited for. */
  declare public readonly build: pulumi.Output<EnvironmentBranchesBuild | undefined>;
  /** The branches that the environment had when this resource was created. */
  declare public readonly originalBranches: pulumi.Output<{ [key: string]: string }>;

  /**
   * Looks at one that exists and is managed elsewhere: nothing is written, nothing deleted. `id` is what an import
   * takes: `<environmentId>`. With `state` it is looked at as if these were its inputs. Without `state`, its inputs
   * are what an import would find.
   */
  public static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<EnvironmentBranchesArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): EnvironmentBranches {
    return Reflect.construct(this, [name, { ...state }, { ...opts, id }]);
  }

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: EnvironmentBranchesArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "EnvironmentBranches",
      name,
      args,
      {
        outputs: [
          "environmentId",
          "branches",
          "rebuildOn",
          "waitForBuild",
          "buildTimeoutSeconds",
          "onDestroy",
          "whenStopped",
          "requires",
          "name",
          "url",
          "ready",
          "projects",
          "build",
          "originalBranches",
        ],
        kinds: {
          environmentId: "required",
          branches: "map",
          rebuildOn: "anything",
          waitForBuild: "default",
          buildTimeoutSeconds: "default",
          onDestroy: "default",
          whenStopped: "default",
          requires: "list",
        },
        secrets: [],
        internals: ["pending"],
        exclusive: { kind: "branches", names: ["branches"], starts: { input: "whenStopped", value: "wake" } },
      },
      opts,
    );
  }
}
