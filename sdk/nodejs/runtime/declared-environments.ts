import * as pulumi from "@pulumi/pulumi";
import type { GetEnvironmentsEnvironment, GetEnvironmentsOutputArgs } from "../generated/get-environments";
import { checkPlainArgs, isPlainMap } from "./inputs";
import { functionError } from "./failure";
import { type KnownValue, knownValue } from "./outputs";
import { type Children, checkChildArgs, declareChildren } from "./preview-environment-children";
import type {
  PreviewEnvironmentsArgs,
  PreviewEnvironmentsEnvironment,
  PreviewEnvironmentsMatch,
  PreviewEnvironmentsParts,
} from "./preview-environments";

/** The component whose children are declared. */
export interface Component extends Pick<Children, "parent" | "dependsOn"> {
  /** Its name for people. */
  readonly label: string;
}

type Filters = pulumi.Unwrap<PreviewEnvironmentsMatch>;

/** Why an environment is not declared. */
interface Failure {
  readonly environment: GetEnvironmentsEnvironment;
  readonly reason: string;
}

const filterNames = [
  "name",
  "orgName",
  "repoName",
  "branch",
  "pullRequestNumber",
] as const satisfies readonly (keyof Filters)[];
/** Filters about one repository of an environment. */
const projectFilters = [
  "orgName",
  "repoName",
  "branch",
  "pullRequestNumber",
] as const satisfies readonly (keyof Filters)[];
const MAX_LISTED = 10;

/**
 * Lists the environments, and declares the children of each. Rejects when the list cannot be read, before anything is
 * declared; and when an environment cannot be declared, after all others were.
 */
export async function declareEnvironments(
  parts: PreviewEnvironmentsParts,
  component: Component,
  args: PreviewEnvironmentsArgs,
): Promise<PreviewEnvironmentsEnvironment[]> {
  const { match } = args;
  const known = await knownFilters(component, match);
  // What the list lacks, Pulumi deletes: one wrong answer must not decide.
  const listed = await list(parts, component, { ...match, complete: true });
  if (listed.length === 0 && (await list(parts, component, { ...match, deleted: true })).length === 0)
    await warnOfNothing(component, known, args.onUnlisted);
  const declared: PreviewEnvironmentsEnvironment[] = [];
  const failures: Failure[] = [];
  for (const environment of listed.toSorted(byName))
    try {
      if (declareOne(parts, component, args, environment)) declared.push(summaryOf(environment, known.value));
    } catch (error) {
      failures.push({ environment, reason: reasonOf(error) });
    }
  if (failures.length > 0) throw functionError(failureText(component, failures, listed.length));
  return declared;
}

/**
 * Refuses filters that would let more environments match than the program says. Outputs are looked at when they are known.
 * @throws pulumi.RunError
 */
export function checkMatch(label: string, match: unknown): void {
  const refuse = (text: string): never => {
    throw functionError(`${label}: ${text}`);
  };
  if (!isPlainMap(match)) return refuse("match must be an object with filters such as `repoName`.");
  const names: readonly string[] = filterNames;
  const given = Object.keys(match);
  if (given.length === 0)
    refuse(`match needs at least one filter (${names.join(", ")}): without any, every environment would match.`);
  const unknown = given.find((filter) => !names.includes(filter));
  if (unknown !== undefined)
    refuse(
      `match has no filter ${JSON.stringify(unknown)}. There are: ${names.join(", ")}. Deleted environments never match.`,
    );
  checkPlainArgs(label, match, {}, "match.");
}

/** The values of `match`. Children that depend on what is unknown would be missing, and Pulumi would show them as deleted. */
async function knownFilters({ label }: Component, match: PreviewEnvironmentsMatch): Promise<KnownValue<Filters>> {
  const known = await knownValue(pulumi.output({ ...match }));
  if (known === undefined)
    throw functionError(
      `${label}: match is not known in this preview, so it cannot tell which environments there are. Use plain values, stack ` +
        "config, or outputs of resources that exist already.",
    );
  checkMatch(label, known.value);
  return known;
}

async function list(
  parts: PreviewEnvironmentsParts,
  { label, parent }: Component,
  match: GetEnvironmentsOutputArgs,
): Promise<readonly GetEnvironmentsEnvironment[]> {
  const answer = await knownValue(parts.getEnvironmentsOutput(match, { parent }));
  if (answer === undefined)
    throw functionError(
      `${label}: the settings of its provider are not known in this preview, so it cannot tell which environments there are. ` +
        "Use plain values, stack config, or outputs of resources that exist already.",
    );
  const { environments } = answer.value;
  // Mocks of a unit test may give anything. No list is not an empty list.
  if (!Array.isArray(environments))
    throw functionError(`${label}: the answer to getEnvironments has no list \`environments\`.`);
  return environments;
}

/** The last pull request may just have been closed, but then the service usually still lists its environment as deleted. */
async function warnOfNothing(
  { label }: Component,
  { value, isSecret }: KnownValue<Filters>,
  onUnlisted: PreviewEnvironmentsArgs["onUnlisted"] = "keep",
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
  parts: PreviewEnvironmentsParts,
  { parent, dependsOn }: Component,
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
  checkChildArgs("each", children);
  const isKept = onUnlisted === "keep";
  declareChildren(parts, { parent, dependsOn, name: id, environmentId: id, isKept }, children);
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
  const found = matching.find(({ pullRequestNumber }) => pullRequestNumber !== undefined);
  return { id, name, url, ...(found && { pullRequestNumber: found.pullRequestNumber }) };
}

function failureText({ label }: Component, failures: readonly Failure[], count: number): string {
  const lines = failures
    .slice(0, MAX_LISTED)
    .map(({ environment: { id, name }, reason }) => `  - ${JSON.stringify(name)} (${id}): ${reason}`);
  const more = failures.length - lines.length;
  return [
    `${label}: ${failures.length} of ${count} environments cannot be declared. This run deletes nothing.`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join("\n");
}

/** The text of an error; for a bug of the program also the line where it happened. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack = "" } = error;
  if (pulumi.RunError.isInstance(error)) return message;
  const [place] = /^\s+at .+$/mu.exec(stack) ?? [];
  return place === undefined ? String(error) : `${String(error)} (${place.trim()})`;
}
