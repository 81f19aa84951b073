import * as z from "zod";
import type { OwnStep } from "./engine-event";
import type { DriftItem } from "./report-schema";

/** What happened to a resource, or to a part of it. */
export type Change = Pick<DriftItem, "name" | "kind" | "detail" | "since">;
/** Outputs as an event has them. */
export type Outputs = OwnStep["old"]["outputs"];

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
