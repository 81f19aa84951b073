import { displayable } from "../client/error-text";
import { isEnvironmentId } from "../client/text-rules";
import { RefusedError } from "../framework/resource-errors";

/** The id of an environment: the whole id of an import or a `get`, or `part` of it. @throws RefusedError that shows the form. */
export function readEnvironmentId(id: string, format: string, part = id): string {
  if (!isEnvironmentId(part)) throw malformedId(id, format, `${quoted(part)} is not the UUID of an environment`);
  return part;
}

/** The error for an id of an import or a `get` that has not its form. */
export function malformedId(id: string, format: string, reason: string): RefusedError {
  return new RefusedError(`cannot read ${quoted(id)}: ${reason}. The id is ${format}.`);
}

/** A text for an error. */
export function quoted(text: string): string {
  // Spaces around it count, and would not be seen.
  return JSON.stringify(text.trim() === text ? displayable(text) : text);
}
