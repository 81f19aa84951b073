import type * as z from "zod";
import { PreviewenvError } from "../client/errors";
import { isUnknown, parseWithUnknowns, type Properties, withoutNil } from "./properties";

/** State that this version cannot read: acting on the readable part could delete or lose what the other part names. */
export class UnreadableStateError extends PreviewenvError {
  readonly code = "unreadable_state";
}

/** The shape of the stored properties of a type, of every version so far. The schema decides which may be absent. */
export class StoredState<S extends z.ZodObject> {
  readonly #type: string;
  readonly #schema: S;
  /** Several parts of one call read the same bag, and nothing changes a bag. */
  readonly #known = new WeakMap<Properties, z.output<S>>();

  constructor(type: string, schema: S) {
    this.#type = type;
    this.#schema = schema;
  }

  /**
   * Parses stored properties. One of another shape was written by a later version.
   * @throws UnreadableStateError that names the property, and no value.
   */
  read(bag: Properties): z.output<S> {
    const known = this.#known.get(bag);
    if (known !== undefined) return known;
    const given = Object.fromEntries(Object.entries(withoutNil(bag)).filter(([, value]) => !isUnknown(value)));
    const parsed = parseWithUnknowns(this.#schema, given);
    if (parsed.success) {
      this.#known.set(bag, parsed.data);
      return parsed.data;
    }
    const names = [...new Set(parsed.error.issues.map(({ path: [name = ""] }) => String(name)))];
    throw unreadableState(this.#type, names.map((name) => `\`${name}\``).join(", "), bag["environmentId"]);
  }
}

/** The error for a part of state that cannot be read, such as "its id". */
export function unreadableState(type: string, part: string, environmentId?: unknown): UnreadableStateError {
  const where = typeof environmentId === "string" ? ` of environment ${environmentId}` : "";
  return new UnreadableStateError(
    `this version of pulumi-previewenv cannot read ${part} in the state of ${type}${where}: a later version wrote it. ` +
      "Install that version or a later one, and run the command again. Nothing was changed.",
  );
}
