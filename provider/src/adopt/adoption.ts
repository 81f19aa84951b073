import type { Environment, EnvVar } from "../client";
import { displayable, displayableName, quotedList } from "../client/error-text";
import { commonestScope, separate } from "../env-vars/as-found";
import { isExisting, isPlaceholder } from "../env-vars/placeholder";
import { declaredScopes } from "../env-vars/variable";
import { RefusedError } from "../framework/partial-failure";
import { type LeftOut, type NameRule, sortedMap } from "./left-out";
import { separateProjects } from "./projects";

/** What a program declares to take over an environment as it is. Names in every map and list are sorted. */
export interface Adoption {
  /** The environment for people, on one line: its name and id. */
  readonly title: string;
  /** The environment's name, as the service gives it. */
  readonly name: string;
  /** The values that everybody may read. */
  readonly variables: ReadonlyMap<string, string>;
  /** Names of variables whose values the service hides. */
  readonly hidden: readonly string[];
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
  const found = declarable.filter(({ name }) => rule(name) === undefined);
  const reasons = new Map(others.map(({ name, reason }) => [name, reason]));
  for (const { name } of declarable) {
    const reason = rule(name);
    if (reason !== undefined) reasons.set(name, reason);
  }
  refuseMarkers(found);
  const services = commonestScope(found);
  const { branches, leftOut } = separateProjects(environment.projects, rule);
  return {
    title: `${displayable(environment.name)} (${displayableName(environment.id)})`,
    name: environment.name,
    variables: sortedMap(found.filter(({ hidden }) => !hidden).map(({ name, value }) => [name, value])),
    hidden: found
      .filter(({ hidden }) => hidden)
      .map(({ name }) => name)
      .toSorted(),
    services,
    scopes: sortedMap(Object.entries(declaredScopes(scopesOf(found), services))),
    branches,
    leftOut: [...[...sortedMap(reasons)].map(leftOutVariable), ...leftOut],
  };
}

function refuseMarkers(found: readonly EnvVar[]): void {
  const marked = found.filter(({ hidden, value }) => !hidden && (isExisting(value) || isPlaceholder(value)));
  if (marked.length === 0) return;
  throw new RefusedError(
    `A value that begins with "previewenv:existing:" or "previewenv:unknown:" means something else in a program, and these ` +
      `visible variables have one: ${quotedList(marked.map(({ name }) => name))}. Nothing was written. Give them their real ` +
      "values in the dashboard, or delete them there.",
  );
}

function scopesOf(found: readonly EnvVar[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(found.map(({ name, services }) => [name, services]));
}

function leftOutVariable([name, reason]: readonly [string, string]): LeftOut {
  return { what: `variable "${displayableName(name)}"`, reason };
}
