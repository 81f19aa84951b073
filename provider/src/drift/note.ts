import { readPlaceholder } from "../env-vars/placeholder";
import type { DriftKind } from "./report-schema";

/** What a refresh noted about one variable. */
export interface Note {
  readonly kind?: DriftKind;
  readonly detail?: string;
  readonly since?: string;
}

/** Reads the placeholder that a refresh left in place of a value; empty for everything else. A mask in it is passed over. */
export function readNote(value: unknown): Note {
  const found = typeof value === "string" ? readPlaceholder(value) : undefined;
  if (found === undefined) return {};
  return { ...describeNote(found.note), ...(found.updatedAt !== undefined && { since: found.updatedAt }) };
}

/** What a note says: that of a placeholder, or one of `observed.notes`. */
export function describeNote(note: string): Note {
  return note === "hidden" || note === "visible" ? { kind: "hidden", detail: `now ${note}` } : {};
}
