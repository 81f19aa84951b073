export { isMap } from "../client/answer";

/** A resource's inputs or state as a host passes it: plain JSON values, not parsed yet. */
export type Properties = Readonly<Record<string, unknown>>;

/** The string that stands for a value the engine does not know yet (`sdk/nodejs/runtime/rpc.ts`). */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine has one text for each type (`pkg/resource/plugin/rpc.go`); the Node SDK sends only that of strings. */
const sentinels: ReadonlySet<unknown> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Whether the engine does not know this value yet (previews only). */
export function isUnknown(value: unknown): boolean {
  return sentinels.has(value);
}

/** The properties that are set; `null` on the wire to the engine means not set. */
export function withoutNil(bag: Properties): Properties {
  return Object.fromEntries(Object.entries(bag).filter(([, value]) => value !== undefined && value !== null));
}

/** The named properties of a bag, those that are set. */
export function pick(bag: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(withoutNil(bag)).filter(([name]) => names.includes(name)));
}
