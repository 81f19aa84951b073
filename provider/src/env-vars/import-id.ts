import { malformedId, quoted, readEnvironmentId } from "../environment/import-id";
import { nameProblem } from "./variable";

/** `<environmentId>/<NAME>`: the name as it is, since the id in state has it as it is. @throws RefusedError */
export function readVariableId(id: string, format: string): { readonly environmentId: string; readonly name: string } {
  const slash = id.indexOf("/");
  if (slash === -1) throw malformedId(id, format, "it has no slash");
  const name = id.slice(slash + 1);
  const problem = nameProblem(name);
  if (problem !== undefined) throw malformedId(id, format, `it ${problem}`);
  return { environmentId: readEnvironmentId(id.slice(0, slash), format), name };
}

/** An environment, and names of variables if the id selects some: `<environmentId>?names=A,B`. @throws RefusedError */
export function readSelection(
  id: string,
  format: string,
): { readonly environmentId: string; readonly names: readonly string[] | undefined } {
  const mark = id.indexOf("?");
  const environmentId = readEnvironmentId(mark === -1 ? id : id.slice(0, mark), format);
  if (mark === -1) return { environmentId, names: undefined };
  const query = id.slice(mark + 1);
  if (!query.startsWith("names=") || query.includes("&"))
    throw malformedId(id, format, `only "names=" may follow "?", and only once`);
  const names = query
    .slice("names=".length)
    .split(",")
    .map((name) => decoded(id, format, name));
  for (const name of names) {
    const problem = nameProblem(name);
    if (problem !== undefined) throw malformedId(id, format, `it ${problem}`);
  }
  return { environmentId, names: [...new Set(names)] };
}

/** The id that selects variables by name. */
export function selectionId(environmentId: string, names: readonly string[]): string {
  return `${environmentId}?names=${names.map((name) => encodeURIComponent(name)).join(",")}`;
}

function decoded(id: string, format: string, name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw malformedId(id, format, `${quoted(name)} is not valid percent-encoding`);
  }
}
