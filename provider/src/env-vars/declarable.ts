import type { EnvVar } from "../client/env-vars";
import { byName } from "../environment/variables";
import { isDeclarableLine, isDeclarableText, isMapKey, nameProblem } from "../framework/name-rules";
import { scope } from "./variable";

// The declarations of a program when it takes over variables that exist: for imports, and for programs that are written.

/** A variable that no program can declare as it is. */
export interface Undeclarable {
  readonly name: string;
  /** After the name: `has a value that no program can mean`. It shows no value. */
  readonly reason: string;
}

/** Variables of an environment, by whether a program can declare them as they are. Of two with one name the last counts. */
export function splitByDeclarable(listed: readonly EnvVar[]): {
  readonly declarable: readonly EnvVar[];
  readonly others: readonly Undeclarable[];
} {
  const variables = [...byName(listed).values()];
  const problems = variables.map((item) => ({ item, reason: whyNotDeclarable(item) }));
  return {
    declarable: problems.flatMap(({ item, reason }) => (reason === undefined ? [item] : [])),
    others: problems.flatMap(({ item: { name }, reason }) => (reason === undefined ? [] : [{ name, reason }])),
  };
}

function whyNotDeclarable({ name, hidden, value, services }: EnvVar): string | undefined {
  const problem = nameProblem(name);
  if (problem !== undefined) return problem;
  if (!isMapKey(name) || !isDeclarableText(name)) return "has a name that a map in a program cannot have";
  if (!services.every(isDeclarableLine))
    return "is limited to a service whose name is empty, or has a character that no program can declare";
  // A hidden value is not declared.
  if (hidden) return undefined;
  return isDeclarableText(value) ? undefined : "has a value that no program can mean";
}

/** The scope that most of them have. Of several, the one for all services, else the alphabetically first. Sorted. */
export function commonestScope(variables: readonly EnvVar[]): readonly string[] {
  const scopes = variables.map(({ services }) => scope(services));
  const groups = [...Map.groupBy(scopes, (services) => services.join("\0"))];
  const [first] = groups.toSorted(([one, a], [other, b]) => b.length - a.length || (one < other ? -1 : 1));
  return first?.[1][0] ?? [];
}
