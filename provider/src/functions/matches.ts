import { isDeepStrictEqual } from "node:util";
import type { CallOptions } from "../client/call";
import type { Environment, EnvironmentFilters, Project } from "../client/environments";
import { displayable, displayableName, environmentTitle } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import { didYouMean } from "../command/did-you-mean";
import { RefusedError } from "../framework/resource-errors";
import type { FunctionContext } from "../framework/function";
import { pick, withoutNil } from "../framework/properties";

const MAX_LISTED = 10;
/** How many environments a suggestion compares: enough for most organizations, with few requests for large ones. */
const MAX_COMPARED = 200;
/** How often a list of several pages is read until it is the same twice in a row. */
const MAX_WALKS = 5;

/**
 * Whether an environment matches the filters exactly: how the service applies them is not specified. Filters about a
 * repository must all match the same one.
 */
function matches(environment: Environment, filters: EnvironmentFilters): boolean {
  const { name, deleted = false, orgName, repoName, branch, pullRequestNumber } = filters;
  if ((name !== undefined && environment.name !== name) || environment.deleted !== deleted) return false;
  const ofRepository = withoutNil({ orgName, repoName, branch, pullRequestNumber });
  const fields = Object.keys(ofRepository);
  if (fields.length === 0) return true;
  return environment.projects.some((project) => isDeepStrictEqual(pick({ ...project }, fields), ofRepository));
}

/** Every environment that matches. */
export async function allMatches(
  { client, signal, hasSecretArguments: isAskedWithSecret }: FunctionContext,
  filters: EnvironmentFilters,
  call: CallOptions = {},
): Promise<readonly Environment[]> {
  const listed = await Array.fromAsync(client.environments.list(filters, { signal, isAskedWithSecret, ...call }));
  return listed.filter((environment) => matches(environment, filters));
}

/**
 * The same for callers that take an environment that is not in the list for one that is gone. An environment that moves to
 * an earlier page between two requests is on neither of them. So a list of several pages is read until two walks in a row give
 * the same environments. When it must be complete, a list of one page too.
 * @throws RefusedError after five walks that all differ
 */
export async function settledMatches(
  { client, signal, hasSecretArguments: isAskedWithSecret }: FunctionContext,
  filters: EnvironmentFilters,
  mustBeComplete: boolean,
): Promise<readonly Environment[]> {
  let idsBefore: string | undefined;
  for (let walks = 0; walks < MAX_WALKS; walks += 1) {
    const pages = await Array.fromAsync(client.environments.pages(filters, { signal, isAskedWithSecret }));
    const matching = pages.flat().filter((environment) => matches(environment, filters));
    const ids = JSON.stringify(matching.map(({ id }) => id).toSorted());
    if ((pages.length < 2 && !mustBeComplete) || ids === idsBefore) return matching;
    idsBefore = ids;
  }
  throw new RefusedError(
    `getEnvironments: could not read the list of environments: it was read ${MAX_WALKS} times and was different each time. Environments ` +
      "are being added or removed. Give more filters, or run the command again later.",
  );
}

/** The id as text: from the look-up that fails, an EnvironmentState would never get it. */
const REVIVE_FOUND =
  'with an EnvironmentState that has the id as text and whose state is "running", or in the dashboard';

/** Says that deleted environments match. "" when none does, when they were asked for, or cannot be listed. */
export async function deletedHint(context: FunctionContext, filters: EnvironmentFilters): Promise<string> {
  if (filters.deleted === true) return "";
  const deleted = await allMatches(context, { ...filters, deleted: true }).catch(asNothing);
  if (deleted.length === 0) return "";
  const list = listEnvironments(context, deleted);
  return ` What matches is deleted, as after its pull request was closed${list}Revive it ${REVIVE_FOUND}, remove it from the program, or add \`deleted: true\` to find it.`;
}

/** A hint that cannot be given changes nothing: the error itself says that nothing matched. */
function asNothing(error: unknown): readonly Environment[] {
  if (error instanceof PreviewenvError) return [];
  throw error;
}

/**
 * The end of an error when nothing matched: ` Did you mean "web"?`, for the name of an environment or of a repository that
 * does exist. "" when there is no such name, the list cannot be read, or an argument is a secret.
 */
export async function suggestion(context: FunctionContext, filters: EnvironmentFilters): Promise<string> {
  const { name, repoName, deleted } = filters;
  if (context.hasSecretArguments === true || (name === undefined && repoName === undefined)) return "";
  const listed = await firstEnvironments(context, { deleted }).catch(asNothing);
  const names = new Set(listed.map((environment) => displayableName(environment.name)));
  const repositories = new Set(
    listed.flatMap(({ projects }) => projects.map((project) => displayableName(project.repoName))),
  );
  return hintFor(name, names) + hintFor(repoName, repositories);
}

async function firstEnvironments(
  { client, signal }: FunctionContext,
  filters: EnvironmentFilters,
): Promise<readonly Environment[]> {
  const listed: Environment[] = [];
  for await (const environment of client.environments.list(filters, { signal }))
    if (listed.push(environment) >= MAX_COMPARED) break;
  return listed;
}

function hintFor(name: string | undefined, existing: ReadonlySet<string>): string {
  return name === undefined || existing.has(name) ? "" : didYouMean(name, existing);
}

/** Filters for people: `repoName "web", pullRequestNumber 42`. Without values when an argument is a secret. */
export function describeFilters({ hasSecretArguments }: FunctionContext, filters: EnvironmentFilters): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (hasSecretArguments === true)
    return `the given ${given.map(([name]) => name).join(", ")} (not shown, because an argument is a secret)`;
  return given.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ");
}

/** The text when more than one environment matches. */
export function ambiguityText(
  context: FunctionContext,
  filters: EnvironmentFilters,
  matching: readonly Environment[],
): string {
  const asked = describeFilters(context, filters);
  return `${matching.length} environments match ${asked}${listEnvironments(context, matching)}Give more filters, or the id.`;
}

/** What to do when no environment matches. */
export const NO_MATCH_ADVICE = "Check the filters, and that the token belongs to the organization.";

/** Environments for people, one a line, between two sentences. At most ten, and how many more there are. A match with a secret would show it. */
function listEnvironments({ hasSecretArguments }: FunctionContext, environments: readonly Environment[]): string {
  if (hasSecretArguments === true) return ". ";
  const lines = environments.slice(0, MAX_LISTED).map((environment) => {
    const { projects } = environment;
    return `  - ${environmentTitle(environment)}: ${displayable(projects.map(describeProject).join(", "))}`;
  });
  const more = environments.length - lines.length;
  return `:\n${[...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n")}\n`;
}

function describeProject({ repoName, branch, pullRequestNumber }: Project): string {
  return `${repoName}@${branch}${pullRequestNumber === undefined ? "" : `#${pullRequestNumber}`}`;
}
