import { createHash } from "node:crypto";
import { isMap, type Properties } from "../framework/properties";

/** The same for the same inputs, in whatever order the engine sends their keys. */
export function fingerprint(inputs: Properties): string {
  const text = JSON.stringify(inputs, (_key, value: unknown) =>
    isMap(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return createHash("sha256").update(text).digest("base64");
}
