import { nameList } from "../client/error-text";
import { fitsError, MAX_ERROR_BYTES, sizeOf } from "../framework/errors";
import { isMap, type Properties } from "../framework/properties";
import { EXISTING, placeholder } from "./placeholder";
import { updateTimes } from "./set-state";

/** A service may give each of thousands of names a reason of its own; these are shown, of the others only the names. */
const MAX_REASONS = 20;

/** Why a variable cannot be sent although it is declared. */
export const UNKNOWN_VALUE =
  "not sent, because its value is not known (a refresh or an import left a placeholder in its place): " +
  "declare the value in the program, and take the name out of ignoreChanges";

/**
 * The text of a partial failure: a summary first, then a line for each reason with the names it is about. One text,
 * because the engine counts texts as errors. Long lists are cut, and say how much is left out.
 */
export function failureText(summary: string, failed: ReadonlyMap<string, string>): string {
  const byReason = new Map<string, string[]>();
  for (const [name, reason] of failed) {
    const names = byReason.get(reason);
    if (names === undefined) byReason.set(reason, [name]);
    else names.push(name);
  }
  const groups = [...byReason];
  const lines = groups.slice(0, MAX_REASONS).map(([reason, names]) => `  ${nameList(names)}: ${reason}`);
  const others = groups.slice(MAX_REASONS).flatMap(([, names]) => names);
  if (others.length > 0) lines.push(`  for ${groups.length - MAX_REASONS} other reasons: ${nameList(others)}`);
  return [summary, ...lines].join("\n");
}

/** `1 variable`, `2 variables`. */
export function variableCount(number: number): string {
  return `${number} ${number === 1 ? "variable" : "variables"}`;
}

const NOTE = "too large for an error";

/** State that arrives, and the names whose values it does not hold. */
export interface StateForError {
  readonly state: Properties;
  readonly dropped: readonly string[];
}

/**
 * The state of a set as far as an error can carry it: the largest values make place first. A placeholder takes their place,
 * which differs from whatever is declared, so that the next `up` writes them again; no name is lost.
 */
export function setStateForError(state: Properties, mostBytes: number = MAX_ERROR_BYTES): StateForError {
  let bytes = sizeOf(state);
  if (bytes <= mostBytes) return { state, dropped: [] };
  const times = updateTimes(state);
  const maps = new Map(["variables", "secrets"].map((map) => [map, entriesOf(state[map])]));
  const all = [...maps].flatMap(([map, entries]) =>
    [...entries].filter(([, value]) => value !== EXISTING).map(([name, value]) => ({ map, name, value })),
  );
  const dropped: string[] = [];
  for (const { map, name, value } of all.toSorted((one, other) => sizeOf(other.value) - sizeOf(one.value))) {
    if (bytes <= mostBytes) break;
    const place = placeholder(times.get(name) ?? "", NOTE);
    maps.get(map)?.set(name, place);
    bytes += sizeOf(place) - sizeOf(value);
    dropped.push(name);
  }
  const fitting = [...maps].filter(([, entries]) => entries.size > 0);
  return {
    state: { ...state, ...Object.fromEntries(fitting.map(([map, entries]) => [map, Object.fromEntries(entries)])) },
    dropped,
  };
}

/** The same for a single variable: its value, or the mask that the service shows, makes place. */
export function variableStateForError(state: Properties): Properties {
  if (fitsError(state)) return state;
  const { updatedAt } = state;
  return { ...state, value: placeholder(typeof updatedAt === "string" ? updatedAt : "", NOTE) };
}

function entriesOf(map: unknown): Map<string, unknown> {
  return new Map(isMap(map) ? Object.entries(map) : []);
}
