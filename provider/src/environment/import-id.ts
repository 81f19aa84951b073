import { displayable } from "../client/error-text";
import { environmentIdField } from "../framework/environment-id";
import { RefusedError } from "../framework/partial-failure";
import { nameProblem } from "../env-vars/variable";

/** The id of an environment, alone. @throws RefusedError that shows the form. */
export function readEnvironmentId(id: string, format: string): string {
  if (!environmentIdField.safeParse(id).success)
    throw malformed(id, format, `${quoted(id)} is not the UUID of an environment`);
  return id;
}

/** `<environmentId>/<NAME>`: the name as it is, since the id in state has it as it is. @throws RefusedError */
export function readVariableId(id: string, format: string): { readonly environmentId: string; readonly name: string } {
  const slash = id.indexOf("/");
  if (slash === -1) throw malformed(id, format, "it has no slash");
  const name = id.slice(slash + 1);
  const problem = nameProblem(name);
  if (problem !== undefined) throw malformed(id, format, `it ${problem}`);
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
    throw malformed(id, format, `the only thing that may follow "?" is "names=", once`);
  const names = query
    .slice("names=".length)
    .split(",")
    .map((name) => decoded(id, format, name));
  for (const name of names) {
    const problem = nameProblem(name);
    if (problem !== undefined) throw malformed(id, format, `it ${problem}`);
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
    throw malformed(id, format, `${quoted(name)} is not percent-encoded as it should be`);
  }
}

function malformed(id: string, format: string, reason: string): RefusedError {
  return new RefusedError(`cannot import ${quoted(id)}: ${reason}. The id for an import is ${format}.`);
}

function quoted(text: string): string {
  // Spaces around it count, and would not be seen.
  return JSON.stringify(text.trim() === text ? displayable(text) : text);
}
