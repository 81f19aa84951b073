import { displayable } from "../client/error-text";
import { isEnvironmentId } from "../client/text-rules";
import { RefusedError } from "../framework/resource-errors";

/** The id of an environment: the whole id for an import, or `part` of it. @throws RefusedError that shows the form. */
export function readEnvironmentId(id: string, format: string, part = id): string {
  if (!isEnvironmentId(part)) throw malformedId(id, format, `${quoted(part)} is not the UUID of an environment`);
  return part;
}

/** The error for an id that has not the form for an import. */
export function malformedId(id: string, format: string, reason: string): RefusedError {
  return new RefusedError(`cannot import ${quoted(id)}: ${reason}. The id for an import is ${format}.`);
}

/** A text for an error. */
export function quoted(text: string): string {
  // Spaces around it count, and would not be seen.
  return JSON.stringify(text.trim() === text ? displayable(text) : text);
}
