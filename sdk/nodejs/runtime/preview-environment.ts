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
import type { Host } from "./host";
import { isPlainMap } from "./inputs";
import { refuseOtherHosts } from "./provider";

/** One entry of `variableSets`: the arguments of an EnvVarSet, without the environment. */
export type PreviewEnvironmentVariableSet = Omit<EnvVarSetArgs, "environmentId">;

/** What a program passes to {@link PreviewEnvironment}. */
export interface PreviewEnvironmentArgs extends Pick<
  EnvironmentBranchesArgs,
  "branches" | "waitForBuild" | "buildTimeoutSeconds" | "onDestroy"
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
export interface PreviewEnvironmentParts {
  readonly host: Host;
  readonly EnvVarSet: typeof EnvVarSet;
  readonly EnvironmentBranches: typeof EnvironmentBranches;
  readonly EnvironmentState: typeof EnvironmentState;
  readonly getEnvironmentOutput: typeof getEnvironmentOutput;
}

/** Every property of the arguments: without this list, a misspelled one would have no effect and cause no error. */
const properties: ReadonlySet<string> = new Set<keyof PreviewEnvironmentArgs>([
  "environment",
  "variableSets",
  "branches",
  "rebuildOn",
  "waitForBuild",
  "buildTimeoutSeconds",
  "onDestroy",
  "state",
]);

/** What decides about builds: kept as it was while the environment is stopped. */
const building: readonly (keyof EnvironmentBranchesArgs)[] = ["branches", "rebuildOn", "waitForBuild"];

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
    const after = (
      resources: readonly pulumi.Resource[],
    ): pulumi.InvokeOutputOptions & pulumi.CustomResourceOptions => {
      const merged = pulumi.mergeOptions({ dependsOn }, { dependsOn: [...resources] });
      return { parent: this, dependsOn: merged.dependsOn ?? [] };
    };
    const found = parts.getEnvironmentOutput(args.environment, after([]));
    const withState = (
      state: PreviewEnvironmentArgs["state"],
      before: readonly pulumi.Resource[],
    ): EnvironmentState[] =>
      state === undefined || state !== args.state
        ? []
        : [new parts.EnvironmentState(`${name}-state`, { environmentId: found.id, state }, after(before))];

    const started = withState("running", []);
    const sets = Object.entries(args.variableSets ?? {})
      // Sorted by name: an entry that moves within the program is no reason to build.
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(
        ([set, given]) => new parts.EnvVarSet(`${name}-${set}`, { ...given, environmentId: found.id }, after(started)),
      );
    const stopped = withState("stopped", sets);

    const { branches, waitForBuild, buildTimeoutSeconds, onDestroy } = args;
    const builds =
      args.state === "stopped"
        ? { rebuildOn: [], waitForBuild: false }
        : { branches, rebuildOn: [...sets.map(({ revision }) => revision), ...(args.rebuildOn ?? [])], waitForBuild };
    const deployed =
      branches === undefined && sets.length === 0 && args.rebuildOn === undefined
        ? undefined
        : new parts.EnvironmentBranches(
            `${name}-branches`,
            { environmentId: found.id, ...builds, buildTimeoutSeconds, onDestroy },
            {
              ...after([...started, ...sets, ...stopped]),
              ...(args.state === "stopped" && { ignoreChanges: [...building] }),
            },
          );

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
  const refuse = (text: string): never => {
    throw new pulumi.RunError(`${label}: ${text}`);
  };
  if (!isPlainMap(args)) return refuse("the second argument must be an object.");
  const unknown = Object.keys(args).find((property) => !properties.has(property));
  if (unknown !== undefined)
    refuse(`there is no property ${JSON.stringify(unknown)}. There are: ${[...properties].join(", ")}.`);
  const { environment, variableSets, rebuildOn, state } = args;
  if (!isPlainMap(environment)) refuse("environment must be an object with `id`, or with filters such as `repoName`.");
  if (state !== undefined && state !== "running" && state !== "stopped")
    refuse(
      'state must be "running" or "stopped", as plain text: it decides the order of the steps, so it cannot be an Output.',
    );
  if (rebuildOn !== undefined && !Array.isArray(rebuildOn))
    refuse("rebuildOn must be a list; its items may be Outputs.");
  if (variableSets === undefined) return;
  if (!isPlainMap(variableSets))
    return refuse("variableSets must be a plain object of sets by name; the properties of a set may be Outputs.");
  for (const [set, given] of Object.entries(variableSets))
    if (!isPlainMap(given)) refuse(`variableSets.${set} must be a plain object; its properties may be Outputs.`);
}
