import * as z from "zod";
import type { DriftItem, DriftKind } from "./drift-item";
import { type OwnStep, ownSteps, resourceName } from "./engine-event";
import { describeNote, type Note, readNote } from "./note";
import { namesToWriteAgain, readObserved } from "../env-vars/set-state";
import { parsePath } from "../framework/property-path";

type Change = Pick<DriftItem, "name" | "kind" | "detail" | "since">;
type Outputs = OwnStep["old"]["outputs"];

const mapSchema = z.record(z.string(), z.unknown()).catch({});
const listSchema = z.array(z.string()).catch([]);
const textSchema = z.string().optional().catch(undefined);

const HIDDEN_DETAIL = "value";
/** A single variable has no notes beside its encrypted value. */
const ENCRYPTED_DETAIL = "value or hidden flag";
const FAILED_DETAIL = "its last write failed";
const EVERY_SERVICE = "every service";
const LONE_DETAIL = "or its environment is gone";

/** Turns the events of a previewed refresh into what drifted of this package's resources. */
export function collect(events: readonly unknown[]): readonly DriftItem[] {
  // What was looked up with `.get()` belongs to somebody else, who may change it.
  const steps = ownSteps(events).filter(({ old }) => !old.external);
  const gone = new Set(steps.filter(isGone).map(environmentOf));
  const seen = new Set(steps.filter(({ op }) => op !== "delete").map(environmentOf));
  const drift = steps.flatMap((step) => {
    const environment = environmentOf(step);
    const found: readonly Change[] =
      step.op === "delete" && gone.has(environment) ? [{ kind: "gone" }] : changes(step, seen.has(environment));
    return found.map((change) => toItem(step, change));
  });
  return drift.toSorted(compare);
}

function isUpdate({ op }: OwnStep): boolean {
  return op === "update";
}

/** An EnvVar leaves with its variable; the other types leave only together with their environment. */
function isGone({ op, ownType }: OwnStep): boolean {
  return op === "delete" && ownType !== "EnvVar";
}

function environmentOf({ old }: OwnStep): string | undefined {
  return textSchema.parse(old.outputs["environmentId"]);
}

function toItem(step: OwnStep, change: Change): DriftItem {
  const environmentId = environmentOf(step);
  return {
    urn: step.urn,
    resource: resourceName(step.urn),
    type: step.ownType,
    ...(environmentId !== undefined && { environmentId }),
    ...change,
  };
}

function changes(step: OwnStep, isEnvironmentSeen: boolean): readonly Change[] {
  const { op, ownType, old, new: found, detailedDiff } = step;
  if (op === "delete")
    return [{ ...nameOf(old.outputs), kind: "deleted", ...(!isEnvironmentSeen && { detail: LONE_DETAIL }) }];
  if (!isUpdate(step)) return [];
  if (ownType === "EnvVar") return [single(old.outputs, found.outputs)];
  const entries = Object.entries(detailedDiff);
  if (entries.length === 0) return failedWrites(found.outputs);
  return entries.flatMap(([path, { diffKind }]) => entry(parsePath(path), kindOf(diffKind), step));
}

function nameOf(outputs: Outputs): { readonly name?: string } {
  const name = textSchema.parse(outputs["name"]);
  return name === undefined ? {} : { name };
}

function single(old: Outputs, found: Outputs): Change {
  const since = textSchema.parse(found["updatedAt"]);
  const services = servicesOf(found["services"]);
  const isOther = services !== servicesOf(old["services"]);
  const scope = isOther && ({ kind: "services", detail: `now ${services}` } as const);
  const hidden = old["hidden"] !== false && { detail: ENCRYPTED_DETAIL };
  return { ...nameOf(old), kind: "changed", ...(since && { since }), ...hidden, ...scope, ...readNote(found["value"]) };
}

function failedWrites(found: Outputs): readonly Change[] {
  const names = namesToWriteAgain(readObserved(found));
  if (names.length === 0) return [{ kind: "changed" }];
  return names.map((name) => ({ name, kind: "changed", detail: FAILED_DETAIL }));
}

function entry([property = "", name]: readonly string[], kind: DriftKind, step: OwnStep): readonly Change[] {
  const { ownType, old, new: found } = step;
  if (ownType === "EnvironmentState" && property === "state")
    return [{ kind: "state", ...moved(old.outputs["state"], found.outputs["state"]) }];
  if (property === "secrets" && name === undefined) return secretMap(old.outputs, found.outputs);
  if (name === undefined) return [{ kind, detail: property }];
  if (property === "branches") return [branch(name, kind, [old.outputs, found.outputs])];
  if (property === "scopes") return [scoped(name, found.outputs)];
  const at = own(timesOf(found.outputs), name);
  const note = { ...readNote(own(mapSchema.parse(found.outputs[property]), name)), ...notesOf(found.outputs, name) };
  const since = at ? { since: at } : note.since === undefined ? {} : { since: note.since };
  // Of a variable that nobody declares, only the time counts.
  if (kind !== "changed") return [{ name, kind, ...since }];
  return [{ name, kind, ...(property === "secrets" && { detail: HIDDEN_DETAIL }), ...note, ...since }];
}

/** A variable that is seen by other services than declared: those of its own, or else those of its set. */
function scoped(name: string, found: Outputs): Change {
  const services = own(mapSchema.parse(found["scopes"]), name) ?? found["services"];
  const { scopeChangedAt = {} } = readObserved(found);
  const since = own(scopeChangedAt, name) ?? own(timesOf(found), name);
  return { name, kind: "services", detail: `now ${servicesOf(services)}`, ...(since && { since }) };
}

function servicesOf(services: unknown): string {
  const names = listSchema.parse(services);
  return names.length === 0 ? EVERY_SERVICE : names.join(", ");
}

function branch(name: string, kind: DriftKind, states: readonly Outputs[]): Change {
  if (kind === "deleted") return { name, kind, detail: "repository" };
  const [from, to] = states.map((outputs) => own(mapSchema.parse(outputs["branches"]), name));
  return { name, kind: "branch", ...moved(from, to) };
}

function moved(from: unknown, to: unknown): { readonly detail?: string } {
  return typeof from === "string" && typeof to === "string" ? { detail: `${from} -> ${to}` } : {};
}

/** A map that is one secret shows no names. The changed ones are those whose time stamp changed. */
function secretMap(old: Outputs, found: Outputs): readonly Change[] {
  const [before, after] = [timesOf(old), timesOf(found)];
  const visible = { ...mapSchema.parse(old["variables"]), ...mapSchema.parse(found["variables"]) };
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => own(before, name) !== own(after, name) && !Object.hasOwn(visible, name));
  if (changed.length === 0) return [{ kind: "changed", detail: "secrets" }];
  return changed.map((name) => {
    const since = own(after, name);
    if (since === undefined) return { name, kind: "deleted" };
    return { name, kind: "changed", detail: HIDDEN_DETAIL, ...notesOf(found, name), since };
  });
}

/** A variable may be called `constructor`, which every object has without being an entry. */
function own<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function timesOf(outputs: Outputs): Readonly<Record<string, string>> {
  return readObserved(outputs).at;
}

/** What a refresh noted beside the encrypted value of a secret. */
function notesOf(outputs: Outputs, name: string): Note {
  const note = own(readObserved(outputs).notes ?? {}, name);
  return note === undefined ? {} : describeNote(note);
}

function kindOf(diffKind: string): DriftKind {
  if (diffKind.startsWith("add")) return "added";
  return diffKind.startsWith("delete") ? "deleted" : "changed";
}

function compare(left: DriftItem, right: DriftItem): number {
  const key = ({ resource, name = "" }: DriftItem): string => `${resource}\0${name}`;
  return key(left) < key(right) ? -1 : 1;
}
