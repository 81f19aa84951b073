import * as z from "zod";
import { readPlaceholder } from "../env-vars/placeholder";
import { readObserved, updateTimes } from "../env-vars/env-var-set-state";
import { SIGNATURE } from "../framework/properties";
import { formatPath, parsePath } from "../framework/diff";
import { type Outputs, SINGLE_VARIABLE, type Step, textOf, unfinishedBuildOf } from "./engine-event";
import type { DriftItem, DriftKind } from "./report-schema";

/** What happened to a resource, or to a part of it. */
type Change = Pick<DriftItem, "name" | "kind" | "detail" | "since">;

/** A single variable has no notes beside its encrypted value. */
const ENCRYPTED_DETAIL = "value or hidden flag";
const HIDDEN_DETAIL = "value";
const OWED_DETAIL = "owed, and the environment runs";
const UNSEEN_DETAIL = "the last one was not seen to succeed";
const LONE_DETAIL = "or its environment is gone";
/** The maps of a set, value by name. */
const MAPS: ReadonlySet<string> = new Set(["variables", "secrets"]);

/** A map in outputs. Empty when there is none. */
const mapSchema = z.record(z.string(), z.unknown()).catch({});
const listSchema = z.array(z.string()).catch([]);

/** What a previewed refresh found of one resource. */
export function changes(step: Step, isEnvironmentSeen: boolean): readonly Change[] {
  const { op, ownType, old, new: now, detailedDiff } = step;
  if (op === "delete")
    return [{ ...nameOf(old.outputs), kind: "deleted", ...(!isEnvironmentSeen && { detail: LONE_DETAIL }) }];
  if (op !== "update") return [];
  if (ownType === SINGLE_VARIABLE) return single(step);
  const differences = Object.entries(detailedDiff).map(([path, { diffKind }]) => ({
    path: parsePath(path),
    kind: kindOf(diffKind),
  }));
  const build = unfinishedBuildOf(ownType, now.outputs);
  if (build !== undefined && build.postponed === undefined) {
    const isOwed = build.status === "owed";
    // An owed build is what brings the declared branches: nobody has switched them.
    const others = differences.filter(
      ({ path: [property], kind }) => property === "branches" && !(isOwed && kind === "changed"),
    );
    const due: Change = { kind: "build", detail: isOwed ? OWED_DETAIL : UNSEEN_DETAIL };
    return [due, ...others.flatMap(({ path, kind }) => entry(path, kind, step))];
  }
  if (differences.length === 0) {
    // State of a later version is an error, and not taken for a change.
    readObserved(now.outputs);
    return [{ kind: "changed" }];
  }
  return differences.flatMap(({ path, kind }) => entry(path, kind, step));
}

function nameOf(outputs: Outputs): { readonly name?: string } {
  const name = textOf(outputs, "name");
  return name === undefined ? {} : { name };
}

function single({ old: { outputs: old }, new: { outputs: now }, detailedDiff }: Step): readonly Change[] {
  const since = textOf(now, "updatedAt");
  const common = { ...nameOf(old), ...(since && { since }) };
  const isHidden = old["hidden"] !== false;
  const isValue = Object.hasOwn(detailedDiff, "value");
  const value: Change = {
    ...common,
    kind: "changed",
    ...(isHidden && { detail: ENCRYPTED_DETAIL }),
    ...noteIn(now["value"]),
  };
  if (servicesOf(now["services"]) === servicesOf(old["services"])) return [value];
  // A variable that is hidden does not tell what changed beside its services.
  const scope = { ...common, ...moved(now["services"], isHidden && isValue && ENCRYPTED_DETAIL) };
  return isValue && !isHidden ? [value, scope] : [scope];
}

function kindOf(diffKind: string): DriftKind {
  if (diffKind.startsWith("add")) return "added";
  return diffKind.startsWith("delete") ? "deleted" : "changed";
}

function entry([property = "", name]: readonly string[], kind: DriftKind, step: Step): readonly Change[] {
  const { old, new: now } = step;
  const isMap = MAPS.has(property);
  if (property === "state") return [{ kind: "state", ...fromTo(old.outputs["state"], now.outputs["state"]) }];
  if (name === undefined) return isMap ? secretMap(property, old.outputs, now.outputs) : [{ kind, detail: property }];
  if (property === "branches") return [branch(name, kind, [old.outputs, now.outputs])];
  if (property === "scopes") return [scoped(name, step)];
  if (property === "secrets" && isRescoped(name, step)) return [];
  return [isMap ? variable(property, name, kind, now.outputs) : { name, kind, detail: property }];
}

function branch(name: string, kind: DriftKind, states: readonly Outputs[]): Change {
  if (kind === "deleted") return { name, kind, detail: "repository" };
  const [from, to] = states.map((outputs) => own(mapSchema.parse(outputs["branches"]), name));
  return { name, kind: "branch", ...fromTo(from, to) };
}

function fromTo(from: unknown, to: unknown): { readonly detail?: string } {
  return typeof from === "string" && typeof to === "string" ? { detail: `${from} -> ${to}` } : {};
}

function variable(property: string, name: string, kind: DriftKind, now: Outputs): Change {
  const since = updateTimes(now).get(name) ?? own(readObserved(now).seenAt ?? {}, name);
  const common = { name, kind, ...(since && { since }) };
  // Of a variable that nobody declares, only the time counts.
  if (kind !== "changed") return common;
  const note = { ...noteIn(own(mapSchema.parse(now[property]), name)), ...noteOf(now, name) };
  return { ...common, ...(property === "secrets" && { detail: HIDDEN_DETAIL }), ...note };
}

/** A variable that is seen by other services than declared: those of its own, or else those of its set. */
function scoped(name: string, step: Step): Change {
  const now = step.new.outputs;
  const services = own(mapSchema.parse(now["scopes"]), name) ?? now["services"];
  const since = updateTimes(now).get(name);
  return { name, ...moved(services, isRescoped(name, step) && HIDDEN_DETAIL), ...(since && { since }) };
}

/** Other services. `uncertain` may have changed with them. */
function moved(services: unknown, uncertain: string | false): Pick<Change, "kind" | "detail"> {
  const detail = `now ${servicesOf(services)}`;
  return { kind: "services", detail: uncertain ? `${detail}, and its ${uncertain} may differ too` : detail };
}

/** Whether a hidden variable has another scope and another time: that of its value, or of its scope alone. */
function isRescoped(name: string, { detailedDiff, new: now }: Step): boolean {
  const [value, scope] = ["secrets", "scopes"].map((map) => own(detailedDiff, formatPath([map, name])));
  const isEdited = value !== undefined && kindOf(value.diffKind) === "changed";
  return isEdited && scope !== undefined && noteOf(now.outputs, name).kind === undefined;
}

/** A map that is one secret shows no names. The changed ones are those whose time stamp changed, and that no other map shows. */
function secretMap(property: string, old: Outputs, now: Outputs): readonly Change[] {
  const [before, after] = [updateTimes(old), updateTimes(now)];
  const shown = new Set([old, now].flatMap((outputs) => [...MAPS].flatMap((map) => shownNames(outputs[map]))));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names.filter((name) => before.get(name) !== after.get(name) && !shown.has(name));
  if (changed.length === 0) return [{ kind: "changed", detail: property }];
  return changed.map((name) => variable(property, name, after.has(name) ? "changed" : "deleted", now));
}

/** Names in a map, unless it is one secret: the engine has blanked it then. */
function shownNames(value: unknown): readonly string[] {
  const map = mapSchema.parse(value);
  return Object.hasOwn(map, SIGNATURE) ? [] : Object.keys(map);
}

/** What the placeholder says that a refresh left instead of a value. Empty for everything else. A mask in it is passed over. */
function noteIn(value: unknown): Partial<Change> {
  return described(typeof value === "string" ? readPlaceholder(value)?.note : undefined);
}

/** What a refresh noted beside the encrypted value of a secret. */
function noteOf(outputs: Outputs, name: string): Partial<Change> {
  return described(own(readObserved(outputs).notes ?? {}, name));
}

function described(note: string | undefined): Partial<Change> {
  return note === "hidden" || note === "visible" ? { kind: "hidden", detail: `now ${note}` } : {};
}

/** Services as a report names them. */
function servicesOf(services: unknown): string {
  return listSchema.parse(services).join(", ") || "every service";
}

/** A variable may be called `constructor`, which every object has without being an entry. */
function own<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
