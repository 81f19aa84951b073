import type { CallOptions } from "../client/call";
import type { Environment, Project } from "../client/environment-answer";
import type { EnvironmentFilters } from "../client/environments";
import { displayable, displayableName, environmentTitle } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import { didYouMean } from "../framework/nearest";
import { RefusedError } from "../framework/errors";
import type { FunctionContext } from "../framework/function";

const MAX_LISTED = 10;
/** How many names a suggestion compares: enough for most organizations, with few requests for large ones. */
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
  const asked = Object.entries({ orgName, repoName, branch, pullRequestNumber }).filter(
    ([, value]) => value !== undefined,
  );
  return (
    asked.length === 0 ||
    environment.projects.some((project) => {
      const fields = new Map<string, unknown>(Object.entries(project));
      return asked.every(([field, value]) => fields.get(field) === value);
    })
  );
}

/** Every environment that matches, each once. */
export async function allMatches(
  { client, signal, hasSecretArguments: isNameSecret }: FunctionContext,
  filters: EnvironmentFilters,
  call: CallOptions = {},
): Promise<readonly Environment[]> {
  const matching: Environment[] = [];
  for await (const environment of client.environments.list(filters, { signal, isNameSecret, ...call }))
    if (matches(environment, filters)) matching.push(environment);
  return matching;
}

/**
 * The same for callers that take an environment that is not in the list for one that is gone. An environment that moves to
 * an earlier page between two requests is on neither of them. So a list of several pages is read until two walks in a row give
 * the same environments; when it must be complete, a list of one page too.
 * @throws RefusedError after five walks that all differ
 */
export async function settledMatches(
  { client, signal, hasSecretArguments: isNameSecret }: FunctionContext,
  filters: EnvironmentFilters,
  mustBeComplete: boolean = false,
): Promise<readonly Environment[]> {
  let before: string | undefined;
  for (let walks = 0; walks < MAX_WALKS; walks += 1) {
    const pages: (readonly Environment[])[] = [];
    for await (const page of client.environments.pages(filters, { signal, isNameSecret })) pages.push(page);
    const matching = pages.flat().filter((environment) => matches(environment, filters));
    const ids = JSON.stringify(matching.map(({ id }) => id).toSorted());
    if ((pages.length < 2 && !mustBeComplete) || ids === before) return matching;
    before = ids;
  }
  throw new RefusedError(
    `getEnvironments: could not read the list of environments: it was read ${MAX_WALKS} times and was different each time. Environments ` +
      "are being added or removed. Give more filters, or run the command again later.",
  );
}

/** The deleted environments that match, when nothing else does; none when they were asked for, or cannot be listed. */
export async function deletedMatches(
  context: FunctionContext,
  filters: EnvironmentFilters,
): Promise<readonly Environment[]> {
  if (filters.deleted === true) return [];
  try {
    return await allMatches(context, { ...filters, deleted: true });
  } catch (error) {
    // It is only a hint: the error itself says that nothing matched.
    if (error instanceof PreviewenvError) return [];
    throw error;
  }
}

/**
 * The end of an error when nothing matched: ` Did you mean "web"?`, for the name of an environment or of a repository that
 * does exist; "" when there is no such name, or the list cannot be read.
 */
export async function suggestion(context: FunctionContext, filters: EnvironmentFilters): Promise<string> {
  const { name, repoName, deleted } = filters;
  if (name === undefined && repoName === undefined) return "";
  const names = new Set<string>();
  const repositories = new Set<string>();
  try {
    for await (const environment of context.client.environments.list({ deleted }, { signal: context.signal })) {
      names.add(displayableName(environment.name));
      for (const project of environment.projects) repositories.add(displayableName(project.repoName));
      if (names.size >= MAX_COMPARED) break;
    }
  } catch (error) {
    // It is only a hint: the error itself says that nothing matched.
    if (error instanceof PreviewenvError) return "";
    throw error;
  }
  return hintFor(name, names) + hintFor(repoName, repositories);
}

function hintFor(name: string | undefined, existing: ReadonlySet<string>): string {
  return name === undefined || existing.has(name) ? "" : didYouMean(name, existing);
}

/** Filters for people: `repoName "web", pullRequestNumber 42`. */
export function describeFilters(filters: EnvironmentFilters): string {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(", ");
}

/** The same without values, for a text that must not show them. */
export function nameFilters(filters: EnvironmentFilters): string {
  const names = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return `the given ${names.join(", ")} (not shown, because an argument is a secret)`;
}

/** Environments for people, one a line; at most ten, and how many more there are. */
export function listEnvironments(environments: readonly Environment[]): string {
  const lines = environments.slice(0, MAX_LISTED).map((environment) => {
    const { projects } = environment;
    return `  - ${environmentTitle(environment)}: ${displayable(projects.map(describeProject).join(", "))}`;
  });
  const more = environments.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}

function describeProject({ repoName, branch, pullRequestNumber }: Project): string {
  return `${repoName}@${branch}${pullRequestNumber === undefined ? "" : `#${pullRequestNumber}`}`;
}
