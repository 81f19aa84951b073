import { isStandIn } from "../env-vars/placeholder";
import type { DriftKind } from "./drift-item";

const NOTE = /(?:^|:)(?<flag>hidden|visible)$/u;
const TIME = /^previewenv:unknown:v1:(?<since>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)/u;

/** What a stand-in says. */
export interface Note {
  readonly kind?: DriftKind;
  readonly detail?: string;
  readonly since?: string;
}

/**
 * Reads the stand-in that a refresh left in place of a value (see docs/decisions/0001); an empty note for everything
 * else. A mask in it is passed over.
 */
export function readNote(value: unknown): Note {
  if (typeof value !== "string" || !isStandIn(value)) return {};
  const since = TIME.exec(value)?.groups?.["since"];
  return { ...describeNote(value), ...(since !== undefined && { since }) };
}

/** What a note says: the end of a stand-in, or what stands in `observed.notes`. */
export function describeNote(note: string): Note {
  const { flag } = NOTE.exec(note)?.groups ?? {};
  return flag === undefined ? {} : { kind: "hidden", detail: `now ${flag}` };
}
