import * as pulumi from "@pulumi/pulumi";
import { globProblem, matchesAny } from "../../../provider/src/framework/globs";
import { outputInText } from "../../../provider/src/framework/output-in-text";
import type {
  GetEnvironmentsEnvironment,
  GetEnvironmentsEnvironmentProject,
  GetEnvironmentsOutputArgs,
} from "../generated/get-environments";
import { argumentsOfPreviewEnvironment, type PreviewEnvironmentArgs } from "../generated/preview-environment";
import {
  argumentsOfPreviewEnvironments,
  type PreviewEnvironmentsArgs as PlainArgs,
  type PreviewEnvironmentsEnvironment,
  type PreviewEnvironmentsMatch,
  type PreviewEnvironmentsOutputs,
} from "../generated/preview-environments";
import { failing, programError } from "./program-failure";
import { type ArgumentFacts, checkArguments, checkForm, refuseOtherNames, warnOfOptions } from "./component-arguments";
import { isOfType } from "./host";
import { type KnownValue, knownValue } from "./outputs";
import { type ChildOptions, declareChildren, type Parts } from "./preview-environment";
import { refuseOtherHosts } from "./provider";
import { withValues } from "./variables-from";

/** The declarations for one environment: the arguments of a PreviewEnvironment without `environment`. */
export type PreviewEnvironmentsChildren = Omit<PreviewEnvironmentArgs, "environment">;

/** The arguments of {@link PreviewEnvironments}. */
export interface PreviewEnvironmentsArgs extends PlainArgs {
  /** Leaves out the environments for which it returns `true`. Default: none. */
  readonly exclude?: (environment: GetEnvironmentsEnvironment) => boolean;
  /**
   * Is called with each environment, as `getEnvironments` returns it. Returns what to declare for it, as the arguments of a
   * PreviewEnvironment without `environment`. An argument that it returns overrides the component's. With
   * `state: "stopped"`, the component's `whenStopped: "wake"` acts as `"skip"`.
   */
  readonly each?: (environment: GetEnvironmentsEnvironment) => PreviewEnvironmentsChildren;
}

/** The component whose children are declared. */
interface Component extends ChildOptions {
  /** Its name for people. */
  readonly label: string;
}

type Filters = pulumi.Unwrap<PreviewEnvironmentsMatch>;

/** Filters about one repository of an environment. */
const projectFilters = ["orgName", "repoName", "branch", "pullRequestNumber"] as const;
const filterNames = ["name", ...projectFilters] as const satisfies readonly (keyof Filters)[];
/** The arguments that TypeScript programs may pass. */
const inputs: Readonly<Record<keyof PreviewEnvironmentsArgs, ArgumentFacts>> = {
  ...argumentsOfPreviewEnvironments,
  exclude: { plain: "a function" },
  each: { plain: "a function" },
};
const { environment: _environment, ...childInputs } = argumentsOfPreviewEnvironment;
const MAX_LISTED = 10;

/** The component of all environments that match. */
export class PreviewEnvironments
  extends pulumi.ComponentResource<PreviewEnvironmentsEnvironment[]>
  implements PreviewEnvironmentsOutputs
{
  protected static readonly parts: Parts;
  /** The type of every PreviewEnvironments for the engine, with both hosts. */
  public static readonly __pulumiType: string = "previewenv:index:PreviewEnvironments";

  /** The environments that are declared, sorted by name. */
  declare public readonly environments: PreviewEnvironmentsOutputs["environments"];
  readonly #declare: () => Promise<PreviewEnvironmentsEnvironment[]>;

  /** Whether it is of this class, or of that of another copy of the package. */
  public static override isInstance(candidate: unknown): candidate is PreviewEnvironments {
    return isOfType(candidate, PreviewEnvironments.__pulumiType);
  }

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: PreviewEnvironmentsArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { parts } = new.target;
    const label = `PreviewEnvironments ${JSON.stringify(name)}`;
    check(label, args);
    refuseOtherHosts(label, parts.host, opts);
    warnOfOptions(label, opts);
    // Without the arguments: functions cannot be stored, and a component's inputs are stored as they are.
    super(PreviewEnvironments.__pulumiType, name, {}, opts);
    const { dependsOn = [] } = opts;
    this.#declare = () => declareEnvironments({ label, parts, parent: this, dependsOn }, args);
    this.environments = failing(pulumi.output(this.getData()));
    // The runtime does not let the program end before these outputs are known: until all children are declared.
    this.registerOutputs({ environments: this.environments });
  }

  /** Declares the children. A resource that depends on this component waits for it, and so for all of them. */
  protected override async initialize(): Promise<PreviewEnvironmentsEnvironment[]> {
    // It is called by the constructor of the base class. The own constructor goes on first.
    await Promise.resolve();
    return this.#declare();
  }
}

function check(label: string, args: PreviewEnvironmentsArgs): void {
  checkArguments(label, args, inputs);
  const { match, excludeNames = [] } = args;
  refuseOtherNames(label, match, filterNames, "match.");
  if (Object.keys(match).length === 0)
    throw new pulumi.RunError(
      `${label}: match needs at least one filter (${filterNames.join(", ")}): without any, every environment would match.`,
    );
  for (const [index, glob] of excludeNames.entries()) {
    checkForm(label, `excludeNames[${index}]`, glob, "a string");
    const problem = outputInText(glob) ?? globProblem(glob);
    if (problem !== undefined) throw new pulumi.RunError(`${label}: excludeNames: ${JSON.stringify(glob)} ${problem}.`);
  }
}

/**
 * Lists the environments, and declares the children of each. Rejects when the list cannot be read, before anything is
 * declared. And when an environment cannot be declared, after all others were.
 */
async function declareEnvironments(
  component: Component,
  args: PreviewEnvironmentsArgs,
): Promise<PreviewEnvironmentsEnvironment[]> {
  const { match } = args;
  // Pulumi deletes the children of environments that the list lacks: one wrong answer must not decide.
  const listed = await list(component, { ...match, complete: true });
  const filters = await requireKnown(component.label, pulumi.output({ ...match }));
  if (listed.length === 0 && (await list(component, { ...match, deleted: true })).length === 0)
    await warnOfNothing(component, filters, args.onUnlisted);
  const declared: PreviewEnvironmentsEnvironment[] = [];
  const failures: string[] = [];
  for (const environment of listed.toSorted(byName))
    try {
      if (!isExcluded(args, environment)) declared.push(declareOne(component, args, environment, filters.value));
    } catch (error) {
      failures.push(`  - ${JSON.stringify(environment.name)} (${environment.id}): ${reasonOf(error)}`);
    }
  if (failures.length === 0) return declared;
  const text = `${component.label}: ${failures.length} of ${listed.length} environments cannot be declared. This run deletes no resource.`;
  throw programError([text, ...failures.slice(0, MAX_LISTED)].join("\n"));
}

async function list(
  { label, parent, parts }: Component,
  match: GetEnvironmentsOutputArgs,
): Promise<readonly GetEnvironmentsEnvironment[]> {
  return (await requireKnown(label, parts.getEnvironmentsOutput(match, { parent }))).value.environments;
}

/** Children that depend on what is unknown would be missing, and Pulumi would show them as deleted. */
async function requireKnown<T>(label: string, output: pulumi.Output<T>): Promise<KnownValue<T>> {
  const known = await knownValue(output);
  if (known !== undefined) return known;
  throw programError(
    `${label}: match, or a setting of its provider, is not known in this preview, or a resource that it comes from failed, so it ` +
      "cannot tell which environments there are. Use plain values, stack config, or outputs of resources that exist already.",
  );
}

/** The last pull request may just have been closed, but then the service usually still lists its environment as deleted. */
async function warnOfNothing(
  { label }: Component,
  { value, isSecret }: KnownValue<Filters>,
  onUnlisted: PreviewEnvironmentsArgs["onUnlisted"],
): Promise<void> {
  const filters = isSecret ? "" : ` (${JSON.stringify(value)})`;
  await pulumi.log.warn(
    `${label}: no environment matches${filters}, and no deleted one does. Is match right? Whatever this component declared ` +
      (onUnlisted === "delete"
        ? "before is deleted, on the service too."
        : "before leaves this stack. What exists on the service stays as it is."),
  );
}

function isExcluded(
  { exclude = () => false, excludeNames = [], pullRequestsOnly = false }: PreviewEnvironmentsArgs,
  environment: GetEnvironmentsEnvironment,
): boolean {
  const excluded: unknown = exclude(environment);
  // A promise, for example, would exclude every environment.
  if (typeof excluded !== "boolean") throw new pulumi.RunError("exclude must return true or false.");
  const { name, projects } = environment;
  const hasPullRequest = projects.some(({ pullRequestNumber }) => pullRequestNumber !== undefined);
  return excluded || matchesAny(name, excludeNames) || (pullRequestsOnly && !hasPullRequest);
}

function declareOne(
  component: Component,
  args: PreviewEnvironmentsArgs,
  environment: GetEnvironmentsEnvironment,
  filters: Filters,
): PreviewEnvironmentsEnvironment {
  const { each, variableSets = {}, whenStopped = "skip", onUnlisted } = args;
  const { id, name, url } = environment;
  const project = projectOf(environment, filters);
  const own: PreviewEnvironmentsChildren = each === undefined ? {} : each(environment);
  checkArguments("each", own, childInputs);
  const sets = Object.entries(variableSets).map(
    ([set, setArgs]) => [set, withValues(`variableSets.${set}`, setArgs, environment, project)] as const,
  );
  // The default of all others would start this one again.
  const usual = own.state === "stopped" && whenStopped === "wake" ? "skip" : whenStopped;
  declareChildren(
    { ...component, name: id, environmentId: id, isFromList: true },
    {
      ...args,
      variableSets: Object.fromEntries(sets),
      ...own,
      whenStopped: own.whenStopped ?? usual,
      onUnlisted: own.onUnlisted ?? onUnlisted,
    },
  );
  const { pullRequestNumber } = project ?? {};
  return { id, name, url, ...(pullRequestNumber !== undefined && { pullRequestNumber }) };
}

function byName(first: GetEnvironmentsEnvironment, second: GetEnvironmentsEnvironment): number {
  return `${first.name} ${first.id}` < `${second.name} ${second.id}` ? -1 : 1;
}

/** The first repository that fits `match` and has a pull request, or else the first that fits. */
function projectOf(
  { projects }: GetEnvironmentsEnvironment,
  filters: Filters,
): GetEnvironmentsEnvironmentProject | undefined {
  const matching = projects.filter((project) =>
    projectFilters.every((filter) => filters[filter] === undefined || filters[filter] === project[filter]),
  );
  return matching.find(({ pullRequestNumber }) => pullRequestNumber !== undefined) ?? matching[0];
}

/** The text of an error. For a bug of the program also the line where it happened. */
function reasonOf(error: unknown): string {
  if (pulumi.RunError.isInstance(error)) return error.message;
  const [place] = /^\s+at .+$/mu.exec((error instanceof Error && error.stack) || "") ?? [];
  return place === undefined ? String(error) : `${String(error)} (${place.trim()})`;
}
