import * as pulumi from "@pulumi/pulumi";
import { FROM_LIST_KEY } from "../../../provider/src/framework/host-keys";
import type { EnvVarSet } from "../generated/env-var-set";
import type { EnvironmentBranches, EnvironmentBranchesArgs } from "../generated/environment-branches";
import type { EnvironmentState } from "../generated/environment-state";
import type { getEnvironment, getEnvironmentOutput, GetEnvironmentResult } from "../generated/get-environment";
import type { getEnvironmentsOutput } from "../generated/get-environments";
import {
  argumentsOfPreviewEnvironment,
  type PreviewEnvironmentArgs,
  type PreviewEnvironmentOutputs,
} from "../generated/preview-environment";
import { checkArguments, warnOfOptions } from "./component-arguments";
import { type Host, isOfType } from "./host";
import { knownValue } from "./outputs";
import { failing } from "./program-failure";
import { refuseOtherHosts } from "./provider";

/** The parts of components: the classes and functions of one host. */
export interface Parts {
  readonly host: Host;
  readonly EnvVarSet: typeof EnvVarSet;
  readonly EnvironmentBranches: typeof EnvironmentBranches;
  readonly EnvironmentState: typeof EnvironmentState;
  readonly getEnvironment: typeof getEnvironment;
  readonly getEnvironmentOutput: typeof getEnvironmentOutput;
  readonly getEnvironmentsOutput: typeof getEnvironmentsOutput;
}

/** Of what children are made, below which component, and after what. */
export interface ChildOptions {
  readonly parts: Parts;
  readonly parent: pulumi.Resource;
  readonly dependsOn: NonNullable<pulumi.ComponentResourceOptions["dependsOn"]>;
}

/** The children of one environment: their place, and how their names begin. */
interface Children extends ChildOptions {
  readonly name: string;
  readonly environmentId: pulumi.Input<string>;
  /** Whether the program has the environment from a list: then `onUnlisted` says what happens when the list lacks it. */
  readonly isFromList: boolean;
}

/** The component of one environment. */
export class PreviewEnvironment extends pulumi.ComponentResource implements PreviewEnvironmentOutputs {
  protected static readonly parts: Parts;
  /** The type of every PreviewEnvironment for the engine, with both hosts. */
  public static readonly __pulumiType: string = "previewenv:index:PreviewEnvironment";

  declare public readonly environmentId: PreviewEnvironmentOutputs["environmentId"];
  declare public readonly url: PreviewEnvironmentOutputs["url"];
  declare public readonly name: PreviewEnvironmentOutputs["name"];
  declare public readonly projects: PreviewEnvironmentOutputs["projects"];

  /** Whether it is of this class, or of that of another copy of the package. */
  public static override isInstance(candidate: unknown): candidate is PreviewEnvironment {
    return isOfType(candidate, PreviewEnvironment.__pulumiType);
  }

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: PreviewEnvironmentArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { parts } = new.target;
    const label = `PreviewEnvironment ${JSON.stringify(name)}`;
    check(label, args);
    refuseOtherHosts(label, parts.host, opts);
    warnOfOptions(label, opts);
    // Without the arguments: a component's inputs are stored as they are, secrets as plain text.
    super(PreviewEnvironment.__pulumiType, name, {}, opts);
    const { dependsOn = [] } = opts;
    const isFromList = args.environment.url !== undefined;
    const environment = isFromList
      ? pulumi.output(listedEnvironment(args.environment))
      : failing(pulumi.output(lookUp(parts, args.environment, { parent: this, dependsOn })));
    const children = { parts, parent: this, dependsOn, name, environmentId: environment.id, isFromList };
    const deployed = declareChildren(children, args);

    this.environmentId = environment.id;
    this.url = deployed?.url ?? environment.url;
    this.name = environment.name;
    this.projects = deployed?.projects ?? environment.projects;
    const { environmentId, url, projects } = this;
    this.registerOutputs({ environmentId, url, name: environment.name, projects });
  }
}

/**
 * The environment that the arguments tell. The call waits for the resources in `dependsOn`. While one of them is still to be made, as in a
 * preview or with `--target`, its answer is not known, and Pulumi would plan to replace each child. An environment that exists already is
 * found without them.
 */
async function lookUp(
  parts: Parts,
  args: PreviewEnvironmentArgs["environment"],
  opts: pulumi.InvokeOutputOptions & { readonly parent: pulumi.Resource },
): Promise<pulumi.Input<GetEnvironmentResult>> {
  const answer = parts.getEnvironmentOutput(args, opts);
  if ((await knownValue(answer.id)) !== undefined) return answer;
  const known = await knownValue(pulumi.output(args));
  if (known === undefined) return answer;
  const found = parts.getEnvironment({ ...known.value, waitSeconds: 0 }, { parent: opts.parent });
  return found.then((one) => (known.isSecret ? pulumi.secret(one) : one)).catch(() => answer);
}

/** An environment that a program has from `getEnvironments`, perhaps with no more of it than `id`, `name` and `url`. */
function listedEnvironment({ id = "", name = "", url = "", ...more }: PreviewEnvironmentArgs["environment"]) {
  const projects: pulumi.Unwrap<PreviewEnvironmentOutputs["projects"]> = Reflect.get(more, "projects") ?? [];
  return { id, name, url, projects };
}

function check(label: string, args: PreviewEnvironmentArgs): void {
  checkArguments(label, args, argumentsOfPreviewEnvironment);
  const { id, name, url } = args.environment;
  if (url !== undefined && (id === undefined || name === undefined))
    throw new pulumi.RunError(
      `${label}: environment.url is only for an environment that getEnvironments listed: pass its id and name, too.`,
    );
}

/**
 * Declares one environment: its state, its variables, then its branches with one build at most. Returns what deploys, when
 * there is anything to deploy.
 */
export function declareChildren(
  { parts, parent, dependsOn, name, environmentId, isFromList }: Children,
  args: Omit<PreviewEnvironmentArgs, "environment">,
): EnvironmentBranches | undefined {
  const { variableSets = {}, state, branches, rebuildOn, requires, onUnlisted = "keep" } = args;
  // The provider then asks for the environment before it deletes anything.
  const mark = isFromList ? { [FROM_LIST_KEY]: onUnlisted === "keep" } : {};
  // The destroy of an EnvironmentState deletes nothing. It only tells that the list has the environment.
  const listed = isFromList ? { [FROM_LIST_KEY]: false } : {};
  const after = (others: readonly pulumi.Resource[]): pulumi.CustomResourceOptions =>
    pulumi.mergeOptions({ parent, dependsOn }, { dependsOn: [...others] });
  const withState = (wanted: typeof state, before: readonly pulumi.Resource[]): readonly EnvironmentState[] =>
    state === undefined || state !== wanted
      ? []
      : [new parts.EnvironmentState(`${name}-state`, { environmentId, state, ...listed }, after(before))];

  const started = withState("running", []);
  const sets = Object.entries(variableSets)
    // Sorted by name: an entry that moves within the program is no reason to build.
    .toSorted(([name1], [name2]) => (name1 < name2 ? -1 : 1))
    .map(
      ([set, inputs]) => new parts.EnvVarSet(`${name}-${set}`, { ...inputs, environmentId, ...mark }, after(started)),
    );
  const stopped = withState("stopped", sets);
  if (branches === undefined && sets.length === 0 && rebuildOn === undefined) return undefined;
  const { waitForBuild, buildTimeoutSeconds, onDestroy, whenStopped } = args;
  const revisions = sets.map(({ revision }) => revision);
  const builds =
    state === "stopped"
      ? { rebuildOn: [], waitForBuild: false }
      : { ...(branches && { branches }), rebuildOn: [...revisions, ...(rebuildOn ?? [])], waitForBuild };
  // The inputs that decide about builds stay as they were while the environment is stopped.
  const ignoreChanges = ["branches", "rebuildOn", "waitForBuild"] satisfies (keyof EnvironmentBranchesArgs)[];
  return new parts.EnvironmentBranches(
    `${name}-branches`,
    { environmentId, ...builds, buildTimeoutSeconds, onDestroy, whenStopped, ...(requires && { requires }), ...mark },
    { ...after([...started, ...sets, ...stopped]), ...(state === "stopped" && { ignoreChanges }) },
  );
}
