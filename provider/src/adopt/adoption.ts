import type { Environment, EnvVar, Project } from "../client";
import { displayableName, environmentTitle, quotedList } from "../client/error-text";
import { isAmbiguous } from "../builds/projects";
import { commonestScope, separate, isDeclarableText } from "../env-vars/as-found";
import { isExisting, isPlaceholder } from "../env-vars/placeholder";
import { declaredScopes } from "../env-vars/variable";
import { isMapKey } from "../client/names";
import { RefusedError } from "../framework/errors";
import { configKeys } from "./config-keys";

/** What a program declares to take over an environment as it is. Names in every map and list are sorted. */
export interface Adoption {
  /** The environment for people, on one line: its name and id. */
  readonly title: string;
  /** The environment's name, as the service gives it. */
  readonly name: string;
  /** The values that everybody may read. */
  readonly variables: ReadonlyMap<string, string>;
  /** The variables whose values the service hides, with the key that each value can have in the stack's config. */
  readonly hidden: ReadonlyMap<string, string>;
  /** Empty: every service. */
  readonly services: readonly string[];
  /** Services of single variables, where they differ from `services`. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  /** Branch by repository. */
  readonly branches: ReadonlyMap<string, string>;
  readonly leftOut: readonly LeftOut[];
}

/**
 * What a program in a language declares for an environment and its own variables.
 * @throws RefusedError when a visible value is one of this provider's markers: declared, it would mean something else.
 */
export function adoptionOf(environment: Environment, listed: readonly EnvVar[], rule: NameRule): Adoption {
  const { declarable, others } = separate(listed);
  const declared = declarable.filter(({ name }) => rule(name) === undefined);
  const reasons = new Map(others.map(({ name, reason }) => [name, reason]));
  for (const { name } of declarable) {
    const reason = rule(name);
    if (reason !== undefined) reasons.set(name, reason);
  }
  refuseMarkers(declared);
  const services = commonestScope(declared);
  const { branches, leftOut } = separateProjects(environment.projects, rule);
  return {
    title: environmentTitle(environment),
    name: environment.name,
    variables: sortedMap(declared.filter(({ hidden }) => !hidden).map(({ name, value }) => [name, value])),
    hidden: configKeys(
      declared
        .filter(({ hidden }) => hidden)
        .map(({ name }) => name)
        .toSorted(),
    ),
    services,
    scopes: sortedMap(Object.entries(declaredScopes(scopesOf(declared), services))),
    branches,
    leftOut: [...[...sortedMap(reasons)].map(leftOutVariable), ...leftOut],
  };
}

function refuseMarkers(declared: readonly EnvVar[]): void {
  const marked = declared.filter(({ hidden, value }) => !hidden && (isExisting(value) || isPlaceholder(value)));
  if (marked.length === 0) return;
  throw new RefusedError(
    `These visible variables have a value that begins with "previewenv:existing:" or "previewenv:unknown:": ` +
      `${quotedList(marked.map(({ name }) => name))}. In a program, such a text is not a value. Nothing was written. Give them ` +
      "their real values in the dashboard, or delete them there.",
  );
}

function scopesOf(declared: readonly EnvVar[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(declared.map(({ name, services }) => [name, services]));
}

function leftOutVariable([name, reason]: readonly [string, string]): LeftOut {
  return { what: `variable "${displayableName(name)}"`, reason };
}

/** Something of the environment that the program cannot declare. */
export interface LeftOut {
  /** Such as `variable "A"`, as it may be shown to people: on one line, without control characters. */
  readonly what: string;
  /** After that: `has an empty name`. */
  readonly reason: string;
}

/** Why a language has no way to write a name, as text after the name; `undefined` when it has one. */
export type NameRule = (name: string) => string | undefined;

/** The same entries, sorted by name: the service may list them in any order. */
function sortedMap<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  return new Map([...entries].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The branches that a program can declare as they are. */
function separateProjects(
  projects: readonly Project[],
  rule: NameRule,
): { readonly branches: ReadonlyMap<string, string>; readonly leftOut: readonly LeftOut[] } {
  const branches = new Map<string, string>();
  const leftOut = new Map<string, string>();
  for (const { repoName, branch } of projects) {
    const reason = whyNotDeclarable(repoName, branch, projects) ?? rule(repoName);
    if (reason === undefined) branches.set(repoName, branch);
    else leftOut.set(repoName, reason);
  }
  return {
    branches: sortedMap(branches),
    leftOut: [...sortedMap(leftOut)].map(([repoName, reason]) => ({
      what: `repository "${displayableName(repoName)}"`,
      reason,
    })),
  };
}

function whyNotDeclarable(repoName: string, branch: string, projects: readonly Project[]): string | undefined {
  if (repoName === "") return "has an empty name";
  if (!isMapKey(repoName)) return "has a name that a map in a program cannot have";
  if (branch === "" || !isDeclarableText(branch)) return "has a branch that no program can declare";
  return isAmbiguous({ repoName, branch }, projects)
    ? "has the name of another repository, which has another branch"
    : undefined;
}
