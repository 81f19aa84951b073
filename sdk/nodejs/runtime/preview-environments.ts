import * as pulumi from "@pulumi/pulumi";
import { previewEnvironmentKinds } from "../generated/component-args";
import type { GetEnvironmentsEnvironment, GetEnvironmentsOutputArgs } from "../generated/get-environments";
import type { PreviewEnvironmentArgs } from "../generated/preview-environment";
import { failing, functionError } from "./failure";
import { checkPlainArgs, isPlainMap } from "./inputs";
import { type KnownValue, knownValue } from "./outputs";
import {
  checkChildArgs,
  declareChildren,
  dynamicParts,
  type Parts,
  type Position,
  refuseOtherNames,
} from "./preview-environment-children";
import { refuseOtherHosts } from "./provider";

/** Which environments: the filters of `getEnvironments`. Only environments that are not deleted match. */
export type PreviewEnvironmentsMatch = Omit<GetEnvironmentsOutputArgs, "deleted" | "complete">;

/** What to declare for one environment: the arguments of a PreviewEnvironment without `environment`. */
export type PreviewEnvironmentsChildren = Omit<PreviewEnvironmentArgs, "environment">;

/** What a program passes to {@link PreviewEnvironments}. */
export interface PreviewEnvironmentsArgs {
  /** Which environments, by at least one filter, such as `repoName`. A preview must know its values. */
  readonly match: PreviewEnvironmentsMatch;
  /** Leaves out the environments for which it returns `true`. Default: none. */
  readonly exclude?: (environment: GetEnvironmentsEnvironment) => boolean;
  /** Is called with each environment, as `getEnvironments` returns it. Returns what to declare for it. */
  readonly each: (environment: GetEnvironmentsEnvironment) => PreviewEnvironmentsChildren;
  /**
   * What happens when a build is due and an environment is stopped or retired, unless `each` says so itself. Default: `"skip"`,
   * so that a stopped environment is built when it runs again, and does not delay the others. `"wake"` has no effect on an
   * environment that `each` declares with the state `"stopped"`.
   * @default "skip"
   */
  readonly whenStopped?: PreviewEnvironmentArgs["whenStopped"];
  /**
   * What an `up` does with the variables and branches of an environment that it does not list any more, because the service's list,
   * `match` or `exclude` leaves it out, and that still exists. `"keep"` (default): they stay on the service as they are, and a
   * warning names the environment. `"delete"`: they are deleted and restored as `onDestroy` says. It counts as it was in the last `up`
   * that listed the environment. `pulumi destroy` deletes in both cases.
   * @default "keep"
   */
  readonly onUnlisted?: "keep" | "delete" | undefined;
}

/** One environment of {@link PreviewEnvironments}. */
export interface PreviewEnvironmentsEnvironment {
  /** UUID of the environment. */
  readonly id: string;
  /** Name of the environment. */
  readonly name: string;
  /** Address of the deployed environment, as the list of environments has it; empty when the list has none. */
  readonly url: string;
  /** The pull request of the first repository that fits `match` and has a pull request. */
  readonly pullRequestNumber?: number | undefined;
}

const properties = [
  "match",
  "exclude",
  "each",
  "whenStopped",
  "onUnlisted",
] as const satisfies readonly (keyof PreviewEnvironmentsArgs)[];

/** The component whose children are declared. */
interface Component extends Position {
  /** Its name for people. */
  readonly label: string;
}

type Filters = pulumi.Unwrap<PreviewEnvironmentsMatch>;

/** Filters about one repository of an environment. */
const projectFilters = ["orgName", "repoName", "branch", "pullRequestNumber"] as const;
const filterNames = ["name", ...projectFilters] as const satisfies readonly (keyof Filters)[];
const childNames = Object.keys(previewEnvironmentKinds.args).filter((name) => name !== "environment");
const MAX_LISTED = 10;

/**
 * Every environment that matches, such as those of all open pull requests of a repository, as one component. The
 * environments are listed in each run of the program, until two lists in a row are the same. Each environment gets the children of a {@link PreviewEnvironment}, named
 * `<id of the environment>-<name of the entry>`, so that the component can be renamed. When an environment is no
 * longer listed, its children are removed from the stack at the end of the `up`. When the service has deleted the environment, that
 * is no error. When it still exists, its variables and branches stay as they are, unless `onUnlisted` is `"delete"`.
 *
 * The program fails, and so Pulumi deletes nothing, when the list cannot be read or a preview does not know `match`. It
 * also fails when `exclude` or `each` fails for an environment, but still declares the other environments.
 * @example
 * ```typescript
 * import * as previewenv from "pulumi-previewenv";
 *
 * // One for each environment of an open pull request of the repository `web`.
 * const previews = new previewenv.PreviewEnvironments("web", {
 *   match: { repoName: "web" },
 *   exclude: ({ projects }) => projects.every(({ pullRequestNumber }) => pullRequestNumber === undefined),
 *   each: ({ url }) => ({ variableSets: { app: { variables: { LOG_LEVEL: "debug", PUBLIC_URL: url } } } }),
 * });
 * export const urls = previews.environments.apply((all) => all.map(({ url }) => url));
 * ```
 */
export class PreviewEnvironments extends pulumi.ComponentResource<PreviewEnvironmentsEnvironment[]> {
  protected static readonly parts: Parts = dynamicParts;

  /** The environments that are declared, sorted by name. */
  declare public readonly environments: pulumi.Output<PreviewEnvironmentsEnvironment[]>;
  readonly #declare: () => Promise<PreviewEnvironmentsEnvironment[]>;

  /** @throws pulumi.RunError for arguments that cannot work */
  constructor(name: string, args: PreviewEnvironmentsArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { parts } = new.target;
    const label = `PreviewEnvironments ${JSON.stringify(name)}`;
    check(label, args);
    refuseOtherHosts(label, parts.host, opts);
    // Without the arguments: functions cannot be stored, and a component's inputs are stored as they are.
    super("previewenv:index:PreviewEnvironments", name, {}, opts);
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

function check(label: string, args: unknown): void {
  const refuse = (text: string): never => {
    throw new pulumi.RunError(`${label}: ${text}`);
  };
  if (!isPlainMap(args)) return refuse("the second argument must be an object.");
  refuseOtherNames(label, args, properties);
  const { match, exclude, each, onUnlisted = "keep" } = args;
  if (typeof each !== "function") refuse("each must be a function that returns what to declare for an environment.");
  const values = { ...args, match: {}, each: {}, ...(typeof exclude === "function" && { exclude: {} }) };
  checkPlainArgs(label, values, { whenStopped: "default", onUnlisted: "default" });
  if (exclude !== undefined && typeof exclude !== "function")
    refuse("exclude must be a function that returns true or false for an environment.");
  if (onUnlisted !== "keep" && onUnlisted !== "delete") refuse('onUnlisted must be "keep" or "delete", as plain text.');
  if (!isPlainMap(match)) return refuse("match must be an object with filters such as `repoName`.");
  refuseOtherNames(label, match, filterNames, "match.");
  checkPlainArgs(label, match, {}, "match.");
  if (Object.keys(match).length === 0)
    refuse(`match needs at least one filter (${filterNames.join(", ")}): without any, every environment would match.`);
}

/**
 * Lists the environments, and declares the children of each. Rejects when the list cannot be read, before anything is
 * declared; and when an environment cannot be declared, after all others were.
 */
async function declareEnvironments(
  component: Component,
  args: PreviewEnvironmentsArgs,
): Promise<PreviewEnvironmentsEnvironment[]> {
  const { match } = args;
  // What the list lacks, Pulumi deletes: one wrong answer must not decide.
  const listed = await list(component, { ...match, complete: true });
  const filters = known(component.label, await knownValue(pulumi.output({ ...match })));
  if (listed.length === 0 && (await list(component, { ...match, deleted: true })).length === 0)
    await warnOfNothing(component, filters, args.onUnlisted);
  const declared: PreviewEnvironmentsEnvironment[] = [];
  const failures: string[] = [];
  for (const environment of listed.toSorted(byName))
    try {
      if (declareOne(component, args, environment)) declared.push(summaryOf(environment, filters.value));
    } catch (error) {
      failures.push(`  - ${JSON.stringify(environment.name)} (${environment.id}): ${reasonOf(error)}`);
    }
  if (failures.length === 0) return declared;
  const text = `${component.label}: ${failures.length} of ${listed.length} environments cannot be declared. This run deletes nothing.`;
  throw functionError([text, ...failures.slice(0, MAX_LISTED)].join("\n"));
}

async function list(
  { label, parent, parts }: Component,
  match: GetEnvironmentsOutputArgs,
): Promise<readonly GetEnvironmentsEnvironment[]> {
  const { environments } = known(label, await knownValue(parts.getEnvironmentsOutput(match, { parent }))).value;
  // Mocks of a unit test may give anything. No list is not an empty list.
  if (!Array.isArray(environments))
    throw functionError(`${label}: the answer to getEnvironments has no list \`environments\`.`);
  return environments;
}

/** Children that depend on what is unknown would be missing, and Pulumi would show them as deleted. */
function known<T>(label: string, value: KnownValue<T> | undefined): KnownValue<T> {
  if (value !== undefined) return value;
  throw functionError(
    `${label}: match, or a setting of its provider, is not known in this preview, so it cannot tell which environments there ` +
      "are. Use plain values, stack config, or outputs of resources that exist already.",
  );
}

/** The last pull request may just have been closed, but then the service usually still lists its environment as deleted. */
async function warnOfNothing(
  { label }: Component,
  { value, isSecret }: KnownValue<Filters>,
  onUnlisted: PreviewEnvironmentsArgs["onUnlisted"],
): Promise<void> {
  const given = isSecret ? "" : ` (${JSON.stringify(value)})`;
  await pulumi.log.warn(
    `${label}: no environment matches${given}, and no deleted one does. Is match right? Whatever this component declared ` +
      (onUnlisted === "delete"
        ? "before is deleted, on the service too."
        : "before leaves this stack. What exists on the service stays as it is."),
  );
}

/** Returns whether the environment is declared: not when it is excluded. */
function declareOne(
  component: Component,
  { exclude = () => false, each, whenStopped = "skip", onUnlisted = "keep" }: PreviewEnvironmentsArgs,
  environment: GetEnvironmentsEnvironment,
): boolean {
  const excluded: unknown = exclude(environment);
  // A promise, for example, would exclude every environment.
  if (typeof excluded !== "boolean") throw new pulumi.RunError("exclude must return true or false.");
  if (excluded) return false;
  const { id } = environment;
  const given = each(environment);
  if (!isPlainMap(given))
    throw new pulumi.RunError(
      "each must return an object: the arguments of a PreviewEnvironment without `environment`.",
    );
  // What all others do by default would start this one again.
  const usual = given.state === "stopped" && whenStopped === "wake" ? "skip" : whenStopped;
  const children = { ...given, whenStopped: given.whenStopped ?? usual };
  refuseOtherNames("each", children, childNames);
  checkChildArgs("each", children);
  const isKept = onUnlisted === "keep";
  declareChildren({ ...component, name: id, environmentId: id, isKept }, children);
  return true;
}

function byName(one: GetEnvironmentsEnvironment, other: GetEnvironmentsEnvironment): number {
  return `${one.name} ${one.id}` < `${other.name} ${other.id}` ? -1 : 1;
}

function summaryOf(environment: GetEnvironmentsEnvironment, filters: Filters): PreviewEnvironmentsEnvironment {
  const { id, name, url, projects } = environment;
  const matching = projects.filter((project) =>
    projectFilters.every((filter) => filters[filter] === undefined || filters[filter] === project[filter]),
  );
  const withPullRequest = matching.find(({ pullRequestNumber }) => pullRequestNumber !== undefined);
  return { id, name, url, ...(withPullRequest && { pullRequestNumber: withPullRequest.pullRequestNumber }) };
}

/** The text of an error; for a bug of the program also the line where it happened. */
function reasonOf(error: unknown): string {
  if (pulumi.RunError.isInstance(error)) return error.message;
  const [place] = /^\s+at .+$/mu.exec((error instanceof Error && error.stack) || "") ?? [];
  return place === undefined ? String(error) : `${String(error)} (${place.trim()})`;
}
