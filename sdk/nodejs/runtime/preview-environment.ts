import * as pulumi from "@pulumi/pulumi";
import { dynamicHost } from "./dynamic-host";
import { EnvVarSet, type EnvVarSetArgs } from "../generated/env-var-set";
import {
  EnvironmentBranches,
  type EnvironmentBranchesArgs,
  type EnvironmentBranchesProject,
} from "../generated/environment-branches";
import { EnvironmentState } from "../generated/environment-state";
import { getEnvironmentOutput, type GetEnvironmentOutputArgs } from "../generated/get-environment";
import { isPlainMap } from "./inputs";
import { type ChildClasses, checkChildArgs, declareChildren, waitingFor } from "./preview-environment-children";
import { refuseOtherHosts } from "./provider";

/** One entry of `variableSets`: the arguments of an EnvVarSet, without the environment. */
export type PreviewEnvironmentVariableSet = Omit<EnvVarSetArgs, "environmentId">;

/** What a program passes to {@link PreviewEnvironment}. */
export interface PreviewEnvironmentArgs extends Pick<
  EnvironmentBranchesArgs,
  "branches" | "waitForBuild" | "buildTimeoutSeconds" | "onDestroy" | "whenStopped" | "requires"
> {
  /**
   * Which environment: its `id`, or filters that exactly one matches, such as `repoName` and `pullRequestNumber`; with
   * `waitSeconds` for one that the service is still creating.
   */
  readonly environment: GetEnvironmentOutputArgs;
  /**
   * Variables, in one or several sets: each entry becomes the EnvVarSet `<name of the component>-<name of the entry>`.
   * Pulumi deletes what a program no longer declares at the end of an `up`, after the build: to take a whole set out of
   * the running environment, empty its maps first and remove the entry later.
   */
  readonly variableSets?: Readonly<Record<string, PreviewEnvironmentVariableSet>> | undefined;
  /** More values that cause a rebuild when they change, beside the variables. */
  readonly rebuildOn?: readonly pulumi.Input<unknown>[] | undefined;
  /**
   * `running` starts the environment before anything is written to it. A service that builds when an environment starts does
   * so in addition to the one build of this component. `stopped` writes the variables, then stops the environment, and builds
   * nothing: `branches` and `rebuildOn` have no effect until the state is `running` again or left out. A plain value, no
   * Output. Left out: this component neither stops nor starts the environment.
   */
  readonly state?: "running" | "stopped" | undefined;
}

/** What a PreviewEnvironment is made of: classes and functions of one host. */
export interface PreviewEnvironmentParts extends ChildClasses {
  readonly getEnvironmentOutput: typeof getEnvironmentOutput;
}

/**
 * A preview environment as one component: finds it, writes its variables, then deploys its branches with one build at
 * most per `pulumi up`, and waits for that. A rebuild happens only when variables changed and no branch did. Its children
 * are named after it, so that renaming it with `aliases: [{ name: "old" }]` changes nothing.
 */
export class PreviewEnvironment extends pulumi.ComponentResource {
  /** What the component is made of; that of `pulumi-previewenv/native` is made of native resources. */
  protected static readonly parts: PreviewEnvironmentParts = {
    host: dynamicHost,
    EnvVarSet,
    EnvironmentBranches,
    EnvironmentState,
    getEnvironmentOutput,
  };

  /** The environment that was found, by its UUID. */
  declare public readonly environmentId: pulumi.Output<string>;
  /** Address of the deployed environment. */
  declare public readonly url: pulumi.Output<string>;
  /** Name of the environment. */
  declare public readonly name: pulumi.Output<string>;
  /** The repositories of the environment, with branch and commit. */
  declare public readonly projects: pulumi.Output<EnvironmentBranchesProject[]>;

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: PreviewEnvironmentArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { parts } = new.target;
    const label = `PreviewEnvironment ${JSON.stringify(name)}`;
    check(label, args);
    refuseOtherHosts(label, parts.host, opts);
    // Without the arguments: a component's inputs are stored as they are, secrets as plain text.
    super("previewenv:index:PreviewEnvironment", name, {}, opts);
    const { dependsOn = [] } = opts;
    const found = parts.getEnvironmentOutput(args.environment, waitingFor({ parent: this, dependsOn }, []));
    const deployed = declareChildren(parts, { parent: this, dependsOn, name, environmentId: found.id }, args);

    this.environmentId = found.id;
    this.url = deployed?.url ?? found.url;
    this.name = found.name;
    this.projects = deployed?.projects ?? found.projects;
    const { environmentId, url, projects } = this;
    this.registerOutputs({ environmentId, url, name: found.name, projects });
  }
}

/** Refuses arguments that would have no effect, and Outputs where the value decides which children there are. */
function check(label: string, args: unknown): void {
  if (!isPlainMap(args)) throw new pulumi.RunError(`${label}: the second argument must be an object.`);
  checkChildArgs(label, args, ["environment"]);
  if (!isPlainMap(args["environment"]))
    throw new pulumi.RunError(
      `${label}: environment must be an object with \`id\`, or with filters such as \`repoName\`.`,
    );
}
