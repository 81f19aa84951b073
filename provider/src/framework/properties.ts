import { createHash } from "node:crypto";
import type * as z from "zod";
import { isMap } from "../client/answer";
import { PreviewenvError } from "../client/errors";
import { see } from "../client/troubleshooting";

export { isMap };

/** A resource's inputs or state as a host passes it: plain JSON values, not parsed yet. */
export type Properties = Readonly<Record<string, unknown>>;

/** The place of a value in properties, step by step: `["variables", "TOKEN"]`. */
export type Path = readonly string[];

/** The string that stands for a value the engine does not know yet (`sdk/nodejs/runtime/rpc.ts`). */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The key that tells a special value of the engine, such as a secret, from a map (`sdk/go/common/resource/sig`). */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The engine has one text for each type (`pkg/resource/plugin/rpc.go`). The Node SDK sends only that of strings. */
const sentinels: ReadonlySet<unknown> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** The kind of a secret among these special values. */
export const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** The kind of a reference to a resource. */
export const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";

/** A value as the engine takes it for a secret, from either host. */
export function asSecret<T>(value: T): { readonly [SIGNATURE]: string; readonly value: T } {
  return { [SIGNATURE]: SECRET, value };
}

/** Whether a value of the engine has no entries, though it looks like a map: a reference to a resource, an asset or an archive. */
export function isSpecial(value: unknown): boolean {
  return isMap(value) && Object.hasOwn(value, SIGNATURE);
}

/** Whether the engine does not know this value yet (previews only). */
export function isUnknown(value: unknown): boolean {
  return sentinels.has(value);
}

/** Whether a value is unknown, or has something unknown in it. */
export function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => hasUnknown(item));
  return isUnknown(value) || (isMap(value) && Object.values(value).some((item) => hasUnknown(item)));
}

/** The properties that are set: `null` on the wire to the engine means that one is not, too. */
export function withoutNil(bag: Properties): Properties {
  return Object.fromEntries(Object.entries(bag).filter(([, value]) => value !== undefined && value !== null));
}

/** The named properties of a bag, those that are set. */
export function pick(bag: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(withoutNil(bag)).filter(([name]) => names.includes(name)));
}

/** Parses properties. An unknown value within them is a text to the schema, or a list of one text. */
export function parseWithUnknowns<S extends z.ZodObject>(
  schema: S,
  bag: Properties,
): z.ZodSafeParseResult<z.output<S>> {
  const first = schema.safeParse(bag, { reportInput: true });
  if (first.success) return first;
  const lists = first.error.issues.filter((issue) => issue.code === "invalid_type" && issue.expected === "array");
  if (lists.length === 0) return first;
  return schema.safeParse(withLists(bag, new Set(lists.map(({ path }) => JSON.stringify(path)))), {
    reportInput: true,
  });
}

/** The properties with a list of one unknown text at each of these paths where something unknown stands. */
function withLists(bag: Properties, paths: ReadonlySet<string>): Properties {
  const replaced = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (isUnknown(value)) return paths.has(JSON.stringify(path)) ? [UNKNOWN] : value;
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, replaced(entry, [...path, name])]));
  };
  return Object.fromEntries(Object.entries(bag).map(([name, value]) => [name, replaced(value, [name])]));
}

/** A text that tells inputs from all other inputs, in whatever order the engine sends their keys. */
export function fingerprint(inputs: Properties): string {
  const sorted = (_key: string, value: unknown): unknown =>
    isMap(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([name], [next]) => (name < next ? -1 : 1)))
      : value;
  return createHash("sha256").update(JSON.stringify(inputs, sorted)).digest("base64");
}

/** State that this version cannot read: acting on the readable part could delete or lose what the other part names. */
export class UnreadableStateError extends PreviewenvError {}

/** The shape of the stored properties of a type, of every version so far. The schema decides which may be absent. */
export class StateShape<S extends z.ZodObject> {
  readonly #type: string;
  readonly #schema: S;
  /** Several parts of one call read the same bag, and nothing changes a bag. */
  readonly #parsed = new WeakMap<Properties, z.output<S>>();

  constructor(type: string, schema: S) {
    this.#type = type;
    this.#schema = schema;
  }

  /**
   * Parses stored properties. Those of another shape were edited or damaged, or a later version wrote them.
   * @throws UnreadableStateError that names the property, and no value.
   */
  parse(bag: Properties): z.output<S> {
    const earlier = this.#parsed.get(bag);
    if (earlier !== undefined) return earlier;
    const stored = Object.fromEntries(Object.entries(withoutNil(bag)).filter(([, value]) => !isUnknown(value)));
    const parsed = parseWithUnknowns(this.#schema, stored);
    if (parsed.success) {
      this.#parsed.set(bag, parsed.data);
      return parsed.data;
    }
    const names = [...new Set(parsed.error.issues.map(({ path: [name = ""] }) => String(name)))];
    const part = names
      .map((name) => (Object.hasOwn(stored, name) ? `\`${name}\`` : `\`${name}\` (missing)`))
      .join(", ");
    throw unreadableState(this.#type, part, bag);
  }
}

/** The error for a part of state that cannot be read, such as "its id". */
export function unreadableState(type: string, part: string, { environmentId }: Properties): UnreadableStateError {
  const where = typeof environmentId === "string" ? ` of environment ${environmentId}` : "";
  return new UnreadableStateError(
    `this version of pulumi-previewenv cannot read ${part} in the state of ${type}${where}: the state was edited or is damaged, unless ` +
      "a later version wrote it. Put back the state of a backup with `pulumi stack import`, or install the later version. " +
      `Nothing was changed. ${see("unreadable-state")}`,
  );
}
