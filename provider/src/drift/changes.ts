import * as z from "zod";
import { noteIn } from "../env-vars/placeholder";
import { MAPS, readObserved, updateTimes } from "../env-vars/env-var-set-state";
import { SIGNATURE } from "../framework/properties";
import { formatPath, parsePath } from "../framework/diff";
import {
  buildForNextUpIn,
  buildsOf,
  isUnfinished,
  type Outputs,
  SINGLE_VARIABLE,
  type ReportedStep,
  textOf,
} from "./engine-event";
import type { DriftItem, DriftKind } from "./report-schema";

/** A change of a resource, or of a part of it. */
type Change = Pick<DriftItem, "name" | "kind" | "detail" | "since">;

/** A single variable has no notes beside its encrypted value. */
const ENCRYPTED_DETAIL = "value or hidden flag";
const HIDDEN_DETAIL = "value";
/** A refresh keeps no value of a declared variable whose hidden flag has changed. */
const FLAG_AND_VALUE = ", and its value may differ too";
/** The note of a refresh, by the flag that it stands for. A flag that is a secret is blanked, and has none. */
const FLAG_NOTES: ReadonlyMap<unknown, string> = new Map([
  [true, "hidden"],
  [false, "visible"],
]);
const OWED_DETAIL = "owed, and the environment runs";
const UNSEEN_DETAIL = "the last one was not seen to succeed";
/** The engine then has the inputs of neither the last `up` nor the service. */
export const UNFINISHED_DETAIL = "the last update did not finish, and until one does, nothing else shows";
/** A map in outputs. Empty when there is none. */
const mapSchema = z.record(z.string(), z.unknown()).catch({});
const listSchema = z.array(z.string()).default([]);

/** The changes that a previewed refresh shows of one resource that it would update, or whose last update did not finish. */
export function changesOf(step: ReportedStep): readonly Change[] {
  const { ownType, new: now, detailedDiff } = step;
  const build = buildForNextUpIn(ownType, now.outputs);
  if (isUnfinished(step.old) && build === undefined) return [{ kind: "changed", detail: UNFINISHED_DETAIL }];
  if (ownType === SINGLE_VARIABLE) return changesOfSingle(step);
  const differences = Object.entries(detailedDiff).map(([path, { diffKind }]) => ({
    path: parsePath(path),
    kind: kindOf(diffKind),
  }));
  if (build !== undefined) {
    const isOwed = build.status === "owed";
    // A build that no state had is that of branches which somebody has switched: they tell it.
    const isKnown = buildsOf(step.old.outputs).pending !== undefined;
    // An owed build is what brings the declared branches: nobody has switched them.
    const others = differences.filter(
      ({ path: [property], kind }) => property === "branches" && !(isKnown && isOwed && kind === "changed"),
    );
    const due: Change = { kind: "build", detail: isOwed ? OWED_DETAIL : UNSEEN_DETAIL };
    const switched = others.flatMap(({ path, kind }) => changesAt(path, kind, step));
    return [...(isKnown || switched.length === 0 ? [due] : []), ...switched];
  }
  if (differences.length === 0) {
    // State of a later version is an error, and not taken for a change.
    readObserved(now.outputs);
    return [{ kind: "changed" }];
  }
  return differences.flatMap(({ path, kind }) => changesAt(path, kind, step));
}

function changesOfSingle({
  old: { outputs: stored },
  new: { outputs: now },
  detailedDiff,
}: ReportedStep): readonly Change[] {
  const [name, since] = [textOf(stored, "name"), textOf(now, "updatedAt")];
  const variable = { ...(name !== undefined && { name }), ...(since && { since }) };
  const isHidden = stored["hidden"] !== false;
  const [isValue, isFlag] = [Object.hasOwn(detailedDiff, "value"), Object.hasOwn(detailedDiff, "hidden")];
  const value: Change = {
    ...variable,
    kind: "changed",
    ...(isHidden && { detail: ENCRYPTED_DETAIL }),
    // Only of an `existing()` does a refresh change the flag itself.
    ...(isFlag ? hiddenChange(FLAG_NOTES.get(now["hidden"])) : hiddenChange(noteIn(now["value"]), FLAG_AND_VALUE)),
  };
  const isScope = Object.keys(detailedDiff).some((path) => parsePath(path)[0] === "services");
  if (!isScope) return [value];
  // A variable that is hidden does not tell what changed beside its services.
  const services = { ...variable, ...servicesChange(now["services"], isHidden && isValue && ENCRYPTED_DETAIL) };
  return isFlag || (isValue && !isHidden) ? [value, services] : [services];
}

function kindOf(diffKind: string): DriftKind {
  if (diffKind.startsWith("add")) return "added";
  return diffKind.startsWith("delete") ? "deleted" : "changed";
}

/** The changes at one path of the engine's diff: a property, or an entry of it. */
function changesAt([property = "", name]: readonly string[], kind: DriftKind, step: ReportedStep): readonly Change[] {
  const { outputs: stored } = step.old;
  const { outputs: now } = step.new;
  if (property === "state") return [{ kind: "state", ...fromTo(stored["state"], now["state"]) }];
  if (name === undefined) return isMap(property) ? secretMapChanges(property, step) : [{ kind, detail: property }];
  if (property === "branches") return branchChanges(name, kind, stored, now);
  if (property === "scopes") return [scopeChange(name, step)];
  // The scope of the variable tells it.
  if (property === "secrets" && isRescoped(name, step)) return [];
  if (!isMap(property)) return [{ name, kind, detail: property }];
  return hasMoved(name, kind, step)
    ? moveChanges(property, name, kind, step)
    : [variableChange(property, name, kind, now)];
}

/**
 * Whether a variable is in another map of its set than before. Then somebody has changed its hidden flag. A refresh moves only those with
 * `existing()`, and those that nobody declares. The others stay in their map, with a note.
 */
function hasMoved(name: string, kind: DriftKind, { old, new: now }: ReportedStep): boolean {
  return kind !== "changed" && timesIn(old.outputs).has(name) && timesIn(now.outputs).has(name);
}

/** The map that has the variable now tells it. If that map is one secret, it shows no names, and the map from before tells it. */
function moveChanges(property: string, name: string, kind: DriftKind, step: ReportedStep): readonly Change[] {
  const isOtherShown = MAPS.some(
    (map) => map !== property && Object.hasOwn(step.detailedDiff, formatPath([map, name])),
  );
  if (kind === "deleted" && isOtherShown) return [];
  const isHidden = (property === "secrets") === (kind === "added");
  return [{ ...variableChange(property, name, kind, step.new.outputs), ...hiddenChange(FLAG_NOTES.get(isHidden)) }];
}

function branchChanges(name: string, kind: DriftKind, stored: Outputs, now: Outputs): readonly Change[] {
  if (kind === "deleted") return [{ name, kind, detail: "repository" }];
  const [from, to] = [entryOf(stored["branches"], name), entryOf(now["branches"], name)];
  // After an update that did not finish, the engine compares the inputs from before it.
  return from === to ? [] : [{ name, kind: "branch", ...fromTo(from, to) }];
}

function fromTo(from: unknown, to: unknown): { readonly detail?: string } {
  return typeof from === "string" && typeof to === "string" ? { detail: `${from} -> ${to}` } : {};
}

function variableChange(property: string, name: string, kind: DriftKind, now: Outputs): Change {
  const { notes = {} } = readObserved(now);
  const since = timesIn(now).get(name);
  const variable = { name, kind, ...(since && { since }) };
  // Of a variable that nobody declares, only the time counts.
  if (kind !== "changed") return variable;
  const note = Object.hasOwn(notes, name) ? notes[name] : noteIn(entryOf(now[property], name));
  return {
    ...variable,
    ...(property === "secrets" && { detail: HIDDEN_DETAIL }),
    ...hiddenChange(note, FLAG_AND_VALUE),
  };
}

/** When the service last changed each variable in the outputs of a set, also those that nobody declares. */
function timesIn(outputs: Outputs): ReadonlyMap<string, string> {
  return new Map([...Object.entries(readObserved(outputs).seenAt ?? {}), ...updateTimes(outputs)]);
}

/** A variable that is seen by other services than declared: those of its own, or else those of its set. */
function scopeChange(name: string, step: ReportedStep): Change {
  const { outputs: now } = step.new;
  const services = entryOf(now["scopes"], name) ?? now["services"];
  const since = updateTimes(now).get(name);
  return { name, ...servicesChange(services, isRescoped(name, step) && HIDDEN_DETAIL), ...(since && { since }) };
}

/** Other services. `uncertain` may have changed with them. */
function servicesChange(services: unknown, uncertain: string | false): Pick<Change, "kind" | "detail"> {
  const detail = `now ${servicesText(services)}`;
  return { kind: "services", detail: uncertain ? `${detail}, and its ${uncertain} may differ too` : detail };
}

/** Whether a hidden variable has another scope and another time: that of its value, or of its scope alone. */
function isRescoped(name: string, { detailedDiff, new: { outputs: now } }: ReportedStep): boolean {
  const [value, scope] = ["secrets", "scopes"].map((map) => detailedDiff[formatPath([map, name])]);
  const isEdited = value !== undefined && kindOf(value.diffKind) === "changed";
  return isEdited && scope !== undefined && !Object.hasOwn(readObserved(now).notes ?? {}, name);
}

/** A map that is one secret shows no names. The changed ones are those whose time stamp changed, and that no other map shows. */
function secretMapChanges(property: string, step: ReportedStep): readonly Change[] {
  const { outputs: stored } = step.old;
  const { outputs: now } = step.new;
  const [timesBefore, times] = [updateTimes(stored), updateTimes(now)];
  const shown = new Set([stored, now].flatMap((outputs) => MAPS.flatMap((map) => shownNames(outputs[map]))));
  const names = [...new Set([...timesBefore.keys(), ...times.keys()])];
  const changed = names.filter((name) => timesBefore.get(name) !== times.get(name) && !shown.has(name));
  // A variable that has moved here, or from here, is why the map differs. The other map tells it.
  const isMove = Object.entries(step.detailedDiff).some(([path, { diffKind }]) => {
    const [map = "", name = ""] = parsePath(path);
    return isMap(map) && hasMoved(name, kindOf(diffKind), step);
  });
  if (changed.length === 0) return isMove ? [] : [{ kind: "changed", detail: property }];
  return changed.map((name) => variableChange(property, name, times.has(name) ? "changed" : "deleted", now));
}

/** Whether a property of a set has variables. */
function isMap(property: string): boolean {
  return MAPS.some((map) => map === property);
}

/** Names in a map, unless it is one secret: the engine has blanked it then. */
function shownNames(value: unknown): readonly string[] {
  const map = mapSchema.parse(value);
  return Object.hasOwn(map, SIGNATURE) ? [] : Object.keys(map);
}

/** A refresh's note of a variable that is hidden or visible, unlike declared. Other notes are masks: no report shows them. */
function hiddenChange(note: string | undefined, more = ""): Partial<Change> {
  return note === "hidden" || note === "visible" ? { kind: "hidden", detail: `now ${note}${more}` } : {};
}

/** Services as a report names them. The engine blanks a secret among them, or all of them. */
function servicesText(services: unknown): string {
  const { data } = listSchema.safeParse(services);
  return data === undefined ? "other services, which are a secret" : data.join(", ") || "every service";
}

/** An entry of a map in outputs. A variable may be called `constructor`, which every object has without being an entry. */
function entryOf(map: unknown, name: string): unknown {
  const entries = mapSchema.parse(map);
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}
