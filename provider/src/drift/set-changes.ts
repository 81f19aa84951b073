import { namesToWriteAgain, readObserved } from "../env-vars/set-state";
import { type Change, mapSchema, type Outputs, own, servicesOf } from "./change";
import type { OwnStep } from "./engine-event";
import { describeNote, type Note, readNote } from "./note";
import type { DriftKind } from "./report-schema";
import { isSecret } from "./visible-values";

const HIDDEN_DETAIL = "value";
const FAILED_DETAIL = "its last write failed";
/** The maps of a set, value by name. */
const MAPS: ReadonlySet<string> = new Set(["variables", "secrets"]);

/** A difference at a path of a set; `undefined` when it is about none of its variables. */
export function setChange(
  [property = "", name]: readonly string[],
  kind: DriftKind,
  step: OwnStep,
): readonly Change[] | undefined {
  const { old, new: found } = step;
  if (name === undefined) return MAPS.has(property) ? secretMap(property, old.outputs, found.outputs) : undefined;
  if (property === "scopes") return [scoped(name, found.outputs)];
  return MAPS.has(property) ? [variable(property, name, kind, found.outputs)] : undefined;
}

/** A set that is as declared, and still is to be updated: of some names the last write failed. */
export function failedWrites(found: Outputs): readonly Change[] {
  const names = namesToWriteAgain(readObserved(found));
  if (names.length === 0) return [{ kind: "changed" }];
  return names.map((name) => ({ name, kind: "changed", detail: FAILED_DETAIL }));
}

function variable(property: string, name: string, kind: DriftKind, found: Outputs): Change {
  const at = own(timesOf(found), name) ?? own(readObserved(found).seenAt ?? {}, name);
  const note = { ...readNote(own(mapSchema.parse(found[property]), name)), ...notesOf(found, name) };
  const since = at ? { since: at } : note.since === undefined ? {} : { since: note.since };
  // Of a variable that nobody declares, only the time counts.
  if (kind !== "changed") return { name, kind, ...since };
  return { name, kind, ...(property === "secrets" && { detail: HIDDEN_DETAIL }), ...note, ...since };
}

/** A variable that is seen by other services than declared: those of its own, or else those of its set. */
function scoped(name: string, found: Outputs): Change {
  const services = own(mapSchema.parse(found["scopes"]), name) ?? found["services"];
  const { scopeChangedAt = {} } = readObserved(found);
  const since = own(scopeChangedAt, name) ?? own(timesOf(found), name);
  return { name, kind: "services", detail: `now ${servicesOf(services)}`, ...(since && { since }) };
}

/** A map that is one secret shows no names. The changed ones are those whose time stamp changed, and that no other map shows. */
function secretMap(property: string, old: Outputs, found: Outputs): readonly Change[] {
  const [before, after] = [timesOf(old), timesOf(found)];
  const shown = Object.assign({}, ...[old, found].flatMap((bag) => [...MAPS].map((map) => readable(bag[map]))));
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => own(before, name) !== own(after, name) && !Object.hasOwn(shown, name));
  if (changed.length === 0) return [{ kind: "changed", detail: property }];
  return changed.map((name) => {
    const since = own(after, name);
    if (since === undefined) return { name, kind: "deleted" };
    return {
      name,
      kind: "changed",
      ...(property === "secrets" && { detail: HIDDEN_DETAIL }),
      ...notesOf(found, name),
      since,
    };
  });
}

/** A map, unless it is one secret. */
function readable(value: unknown): Readonly<Record<string, unknown>> {
  const map = mapSchema.parse(value);
  return isSecret(map) ? {} : map;
}

function timesOf(outputs: Outputs): Readonly<Record<string, string>> {
  return readObserved(outputs).at;
}

/** What a refresh noted beside the encrypted value of a secret. */
function notesOf(outputs: Outputs, name: string): Note {
  const note = own(readObserved(outputs).notes ?? {}, name);
  return note === undefined ? {} : describeNote(note);
}
