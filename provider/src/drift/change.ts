import * as z from "zod";
import type { Step } from "./engine-event";
import type { DriftItem, DriftKind } from "./report-schema";
import { readPlaceholder } from "../env-vars/placeholder";

/** What happened to a resource, or to a part of it. */
export type Change = Pick<DriftItem, "name" | "kind" | "detail" | "since">;
/** Outputs as an event has them. */
export type Outputs = Step["old"]["outputs"];

const EVERY_SERVICE = "every service";

/** A map in outputs; empty when there is none. */
export const mapSchema = z.record(z.string(), z.unknown()).catch({});
/** A text in outputs, if it is one. */
export const textSchema = z.string().optional().catch(undefined);
const listSchema = z.array(z.string()).catch([]);

/** Services as a report names them. */
export function servicesOf(services: unknown): string {
  const names = listSchema.parse(services);
  return names.length === 0 ? EVERY_SERVICE : names.join(", ");
}

/** A variable may be called `constructor`, which every object has without being an entry. */
export function own<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** What a refresh noted about one variable. */
export interface Note {
  readonly kind?: DriftKind;
  readonly detail?: string;
  readonly since?: string;
}

/** Reads the placeholder that a refresh left in place of a value; empty for everything else. A mask in it is passed over. */
export function readNote(value: unknown): Note {
  const placeholder = typeof value === "string" ? readPlaceholder(value) : undefined;
  if (placeholder === undefined) return {};
  return {
    ...describeNote(placeholder.note),
    ...(placeholder.updatedAt !== undefined && { since: placeholder.updatedAt }),
  };
}

/** What a note says: that of a placeholder, or one of `observed.notes`. */
export function describeNote(note: string): Note {
  return note === "hidden" || note === "visible" ? { kind: "hidden", detail: `now ${note}` } : {};
}
