import type * as z from "zod";
import { PreviewenvError } from "../client/errors";
import { isUnknown, parseWithUnknowns, type Properties, withoutNil } from "./properties";

/** State that this version cannot read: acting on the readable part could delete or lose what the other part names. */
export class UnreadableStateError extends PreviewenvError {
  readonly code = "unreadable_state";
}

/**
 * Parses stored properties. The schema decides which may be absent. A property of another shape was written by a later
 * version.
 * @throws UnreadableStateError that names the property, and no value.
 */
export function readStored<S extends z.ZodObject>(type: string, schema: S, bag: Properties): z.output<S> {
  const given = Object.fromEntries(Object.entries(withoutNil(bag)).filter(([, value]) => !isUnknown(value)));
  const parsed = parseWithUnknowns(schema, given);
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map(({ path: [name = ""] }) => String(name)))];
  throw unreadableState(type, names.map((name) => `\`${name}\``).join(", "), bag["environmentId"]);
}

/** The error for a part of state that cannot be read, such as "its id". */
export function unreadableState(type: string, part: string, environmentId?: unknown): UnreadableStateError {
  const where = typeof environmentId === "string" ? ` of environment ${environmentId}` : "";
  return new UnreadableStateError(
    `this version of pulumi-previewenv cannot read ${part} in the state of ${type}${where}: a later version wrote it. ` +
      "Install that version or a later one, and run the command again. Nothing was changed.",
  );
}
