import * as z from "zod";
import { type OwnStep, ownSteps, resourceName } from "./engine-event";
import { EnvironmentNames } from "./environment-names";
import { describeNote, type Note, readNote } from "./note";
import type { DriftItem, DriftKind } from "./report-schema";
import { VisibleValues } from "./visible-values";
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
/** A single variable that is hidden does not tell what changed beside its services. */
const UNCERTAIN_DETAIL = `; its ${ENCRYPTED_DETAIL} may differ, too`;
/** Kinds of drift that are about the value of a variable. */
const OF_VALUES: ReadonlySet<DriftKind> = new Set(["changed", "added", "deleted"]);

/** How the events of a previewed refresh are read. */
export interface Reading {
  /** Whether values of visible variables are given. */
  readonly showVisibleValues: boolean;
}

/** Turns the events of a previewed refresh into what drifted of this package's resources. */
export function collect(events: readonly unknown[], { showVisibleValues }: Reading): readonly DriftItem[] {
  const all = ownSteps(events);
  // What was looked up with `.get()` belongs to somebody else, who may change it.
  const steps = all.filter(({ old }) => !old.external);
  const gone = new Set(steps.filter(isGone).map(environmentOf));
  const seen = new Set(steps.filter(({ op }) => op !== "delete").map(environmentOf));
  const names = new EnvironmentNames(all);
  const values = showVisibleValues ? new VisibleValues(all) : undefined;
  const drift = steps.flatMap((step) => {
    const { op, urn, ownType: type } = step;
    const id = environmentOf(step);
    const found: readonly Change[] = op === "delete" && gone.has(id) ? [{ kind: "gone" }] : changes(step, seen.has(id));
    return found.map((change): DriftItem => ({
      urn,
      resource: resourceName(urn),
      type,
      ...names.of(id),
      ...change,
      ...(change.name !== undefined && OF_VALUES.has(change.kind) && values?.of(step, change.name)),
    }));
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

function changes(step: OwnStep, isEnvironmentSeen: boolean): readonly Change[] {
  const { op, ownType, old, new: found, detailedDiff } = step;
  if (op === "delete")
    return [{ ...nameOf(old.outputs), kind: "deleted", ...(!isEnvironmentSeen && { detail: LONE_DETAIL }) }];
  if (!isUpdate(step)) return [];
  if (ownType === "EnvVar") return single(step);
  const entries = Object.entries(detailedDiff);
  if (entries.length === 0) return failedWrites(found.outputs);
  return entries.flatMap(([path, { diffKind }]) => entry(parsePath(path), kindOf(diffKind), step));
}

function nameOf(outputs: Outputs): { readonly name?: string } {
  const name = textSchema.parse(outputs["name"]);
  return name === undefined ? {} : { name };
}

function single({ old: { outputs: old }, new: { outputs: found }, detailedDiff }: OwnStep): readonly Change[] {
  const since = textSchema.parse(found["updatedAt"]);
  const isHidden = old["hidden"] !== false;
  const isValue = Object.keys(detailedDiff).some((path) => parsePath(path)[0] === "value");
  const services = servicesOf(found["services"]);
  const isScope = services !== servicesOf(old["services"]);
  const common = { ...nameOf(old), ...(since && { since }) };
  const uncertain = isHidden && isValue ? UNCERTAIN_DETAIL : "";
  const scope: Change = { ...common, kind: "services", detail: `now ${services}${uncertain}` };
  const hidden = isHidden && { detail: ENCRYPTED_DETAIL };
  const value: Change = { ...common, kind: "changed", ...hidden, ...readNote(found["value"]) };
  if (!isScope) return [value];
  return isValue && !isHidden ? [value, scope] : [scope];
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
  const key = ({ resource, name = "", kind }: DriftItem): string => `${resource}\0${name}\0${kind}`;
  return key(left) < key(right) ? -1 : 1;
}
