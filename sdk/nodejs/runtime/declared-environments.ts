import * as pulumi from "@pulumi/pulumi";
import { previewEnvironmentKinds } from "../generated/component-args";
import type { GetEnvironmentsEnvironment, GetEnvironmentsOutputArgs } from "../generated/get-environments";
import { functionError } from "./failure";
import { isPlainMap } from "./inputs";
import { type KnownValue, knownValue } from "./outputs";
import { checkChildArgs, declareChildren, type Position, refuseOtherNames } from "./preview-environment-children";
import type {
  PreviewEnvironmentsArgs,
  PreviewEnvironmentsEnvironment,
  PreviewEnvironmentsMatch,
} from "./preview-environments";

/** The component whose children are declared. */
export interface Component extends Position {
  /** Its name for people. */
  readonly label: string;
}

type Filters = pulumi.Unwrap<PreviewEnvironmentsMatch>;

/** Filters about one repository of an environment. */
const projectFilters = ["orgName", "repoName", "branch", "pullRequestNumber"] as const;
export const filterNames = ["name", ...projectFilters] as const satisfies readonly (keyof Filters)[];
const childNames = Object.keys(previewEnvironmentKinds.args).filter((name) => name !== "environment");
const MAX_LISTED = 10;

/**
 * Lists the environments, and declares the children of each. Rejects when the list cannot be read, before anything is
 * declared; and when an environment cannot be declared, after all others were.
 */
export async function declareEnvironments(
  component: Component,
  args: PreviewEnvironmentsArgs,
): Promise<PreviewEnvironmentsEnvironment[]> {
  const { match } = args;
  // What the list lacks, Pulumi deletes: one wrong answer must not decide.
  const listed = await list(component, { ...match, complete: true });
  const filters = known(component, await knownValue(pulumi.output({ ...match })));
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
  const more = failures.length > MAX_LISTED ? [`  and ${failures.length - MAX_LISTED} more`] : [];
  const text = `${component.label}: ${failures.length} of ${listed.length} environments cannot be declared. This run deletes nothing.`;
  throw functionError([text, ...failures.slice(0, MAX_LISTED), ...more].join("\n"));
}

async function list(
  { label, parent, parts }: Component,
  match: GetEnvironmentsOutputArgs,
): Promise<readonly GetEnvironmentsEnvironment[]> {
  const { environments } = known({ label }, await knownValue(parts.getEnvironmentsOutput(match, { parent }))).value;
  // Mocks of a unit test may give anything. No list is not an empty list.
  if (!Array.isArray(environments))
    throw functionError(`${label}: the answer to getEnvironments has no list \`environments\`.`);
  return environments;
}

/** Children that depend on what is unknown would be missing, and Pulumi would show them as deleted. */
function known<T>({ label }: Pick<Component, "label">, value: KnownValue<T> | undefined): KnownValue<T> {
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
        : "before leaves this stack; what exists on the service stays as it is there."),
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
