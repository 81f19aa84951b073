import type { EnvVar } from "../client/env-vars";
import type { Environment } from "../client/environments";
import { displayableName, environmentTitle, quotedList } from "../client/error-text";
import { type Repository, whyNotDeclarable } from "../builds/projects";
import { commonestScope, splitByDeclarable } from "../env-vars/declarable";
import { isExisting, isPlaceholder } from "../env-vars/placeholder";
import { declaredScopes } from "../env-vars/variable";
import { RefusedError } from "../framework/resource-errors";
import { configKeys } from "./config-keys";
import type { Language } from "./usage";

/** The declarations that take over an environment as it is. Names in every map and list are sorted. */
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
  /** The variables and branches that the program cannot declare, and why, as people may see it: `variable "A", because it is an empty name`. */
  readonly leftOut: readonly string[];
}

/** The facts of the environment. */
export interface Found extends Pick<Environment, "id" | "name"> {
  readonly projects: readonly Repository[];
}

/**
 * The declarations of a program in a language for an environment and its own variables.
 * @throws RefusedError when a visible value is one of this provider's markers: declared, it would mean something else.
 */
export function adoptionOf(environment: Found, listed: readonly EnvVar[], language: Language): Adoption {
  const { name, projects } = environment;
  const { declarable, others } = splitByDeclarable(listed);
  const declared = declarable.filter((variable) => whyNotIn(language, variable.name) === undefined);
  refuseMarkers(declared);
  const hidden = declared.filter((variable) => variable.hidden).map((variable) => variable.name);
  const visible = declared.filter((variable) => !variable.hidden);
  const services = commonestScope(declared);
  const whyNotRepository = (project: Repository): string | undefined =>
    whyNotDeclarable(project, projects) ?? whyNotIn(language, project.repoName);
  const branches = projects.filter((project) => whyNotRepository(project) === undefined);
  return {
    title: environmentTitle(environment),
    name,
    variables: sortedMap(visible.map((variable) => [variable.name, variable.value])),
    hidden: configKeys(hidden.toSorted()),
    services,
    scopes: sortedMap(Object.entries(declaredScopes(scopesOf(declared), services))),
    branches: sortedMap(branches.map(({ repoName, branch }) => [repoName, branch])),
    leftOut: [
      ...leftOutTexts("variable", [
        ...others.map((variable) => [variable.name, variable.reason] as const),
        ...declarable.map((variable) => [variable.name, whyNotIn(language, variable.name)] as const),
      ]),
      ...leftOutTexts(
        "repository",
        projects.map((project) => [project.repoName, whyNotRepository(project)]),
      ),
    ],
  };
}

/** The names that are left out, by their reasons. A name without a reason is declared. */
function leftOutTexts(kind: string, reasons: readonly (readonly [string, string | undefined])[]): readonly string[] {
  const leftOut = sortedMap(reasons.filter(([, reason]) => reason !== undefined));
  return Array.from(leftOut, ([name, reason]) => `${kind} "${displayableName(name)}", because it ${reason}`);
}

function refuseMarkers(declared: readonly EnvVar[]): void {
  const marked = declared.filter(({ hidden, value }) => !hidden && (isExisting(value) || isPlaceholder(value)));
  if (marked.length === 0) return;
  throw new RefusedError(
    `These visible variables have the value "previewenv:existing:v1", or one that begins with "previewenv:unknown:v1:": ` +
      `${quotedList(marked.map(({ name }) => name))}. In a program, such a text is not a value. Nothing was written. Give them ` +
      "their real values in the dashboard, or delete them there.",
  );
}

function scopesOf(declared: readonly EnvVar[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(declared.map(({ name, services }) => [name, services]));
}

/** Why a language has no way to write a name, however it is quoted, as text after the name. `undefined` when it has one. */
function whyNotIn(language: Language, name: string): string | undefined {
  if (language !== "yaml") return undefined;
  if (/^fn::/iu.test(name)) return "has a name that begins with `fn::`, which Pulumi YAML takes for a function";
  return name === "<<" ? "has the name by which YAML merges maps" : undefined;
}

/** The same entries, sorted by name: the service may list them in any order. */
function sortedMap<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  return new Map([...entries].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
