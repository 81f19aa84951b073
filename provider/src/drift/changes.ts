import { SIGNATURE } from "../framework/properties";
import { formatPath, parsePath } from "../framework/property-path";
import {
  type Change,
  mapSchema,
  type Outputs,
  own,
  servicesOf,
  textSchema,
  readNote,
  describeNote,
  type Note,
} from "./change";
import { BRANCHES, SINGLE_VARIABLE, type Step } from "./engine-event";
import { unfinishedBuild } from "./pending-build";
import type { DriftKind } from "./report-schema";
import { namesToWriteAgain, readObserved, updateTimes } from "../env-vars/set-state";

/** A single variable has no notes beside its encrypted value. */
const ENCRYPTED_DETAIL = "value or hidden flag";
/** A single variable that is hidden does not tell what changed beside its services. */
const UNCERTAIN_DETAIL = `; its ${ENCRYPTED_DETAIL} may differ, too`;
const OWED_DETAIL = "owed, and the environment runs";
const UNSEEN_DETAIL = "the last one was not seen to succeed";
const LONE_DETAIL = "or its environment is gone";

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
  const build = ownType === BRANCHES ? unfinishedBuild(now.outputs) : undefined;
  if (build?.isDue === true) {
    // An owed build is what brings the declared branches: nobody has switched them.
    const others = differences.filter(
      ({ path: [property], kind }) => property === "branches" && !(build.isOwed && kind === "changed"),
    );
    const due: Change = { kind: "build", detail: build.isOwed ? OWED_DETAIL : UNSEEN_DETAIL };
    return [due, ...others.flatMap(({ path, kind }) => entry(path, kind, step))];
  }
  if (differences.length === 0) return failedWrites(now.outputs);
  return differences.flatMap(({ path, kind }) => entry(path, kind, step));
}

function nameOf(outputs: Outputs): { readonly name?: string } {
  const name = textSchema.parse(outputs["name"]);
  return name === undefined ? {} : { name };
}

function single({ old: { outputs: old }, new: { outputs: now }, detailedDiff }: Step): readonly Change[] {
  const since = textSchema.parse(now["updatedAt"]);
  const isHidden = old["hidden"] !== false;
  const isValue = Object.keys(detailedDiff).some((path) => parsePath(path)[0] === "value");
  const services = servicesOf(now["services"]);
  const isScope = services !== servicesOf(old["services"]);
  const common = { ...nameOf(old), ...(since && { since }) };
  const uncertain = isHidden && isValue ? UNCERTAIN_DETAIL : "";
  const scope: Change = { ...common, kind: "services", detail: `now ${services}${uncertain}` };
  const hidden = isHidden && { detail: ENCRYPTED_DETAIL };
  const value: Change = { ...common, kind: "changed", ...hidden, ...readNote(now["value"]) };
  if (!isScope) return [value];
  return isValue && !isHidden ? [value, scope] : [scope];
}

function entry(path: readonly string[], kind: DriftKind, step: Step): readonly Change[] {
  const [property = "", name] = path;
  const { old, new: now } = step;
  if (property === "state") return [{ kind: "state", ...moved(old.outputs["state"], now.outputs["state"]) }];
  if (property === "branches" && name !== undefined) return [branch(name, kind, [old.outputs, now.outputs])];
  return setChange(path, kind, step) ?? [{ ...(name !== undefined && { name }), kind, detail: property }];
}

function branch(name: string, kind: DriftKind, states: readonly Outputs[]): Change {
  if (kind === "deleted") return { name, kind, detail: "repository" };
  const [from, to] = states.map((outputs) => own(mapSchema.parse(outputs["branches"]), name));
  return { name, kind: "branch", ...moved(from, to) };
}

function moved(from: unknown, to: unknown): { readonly detail?: string } {
  return typeof from === "string" && typeof to === "string" ? { detail: `${from} -> ${to}` } : {};
}

function kindOf(diffKind: string): DriftKind {
  if (diffKind.startsWith("add")) return "added";
  return diffKind.startsWith("delete") ? "deleted" : "changed";
}

const HIDDEN_DETAIL = "value";
const FAILED_DETAIL = "its last write failed";
/** The maps of a set, value by name. */
const MAPS: ReadonlySet<string> = new Set(["variables", "secrets"]);

/** A difference at a path of a set; `undefined` when it is about none of its variables. */
function setChange(
  [property = "", name]: readonly string[],
  kind: DriftKind,
  step: Step,
): readonly Change[] | undefined {
  const { old, new: now } = step;
  if (name === undefined) return MAPS.has(property) ? secretMap(property, old.outputs, now.outputs) : undefined;
  if (property === "scopes") return [scoped(name, step)];
  if (property === "secrets" && isRescoped(name, step)) return [];
  return MAPS.has(property) ? [variable(property, name, kind, now.outputs)] : undefined;
}

/** A set that is as declared, and still is to be updated: of some names the last write failed. */
function failedWrites(now: Outputs): readonly Change[] {
  const names = namesToWriteAgain(readObserved(now));
  if (names.length === 0) return [{ kind: "changed" }];
  return names.map((name) => ({ name, kind: "changed", detail: FAILED_DETAIL }));
}

function variable(property: string, name: string, kind: DriftKind, now: Outputs): Change {
  const at = updateTimes(now).get(name) ?? own(readObserved(now).seenAt ?? {}, name);
  const note = { ...readNote(own(mapSchema.parse(now[property]), name)), ...notesOf(now, name) };
  const since = at ? { since: at } : note.since === undefined ? {} : { since: note.since };
  // Of a variable that nobody declares, only the time counts.
  if (kind !== "changed") return { name, kind, ...since };
  return { name, kind, ...(property === "secrets" && { detail: HIDDEN_DETAIL }), ...note, ...since };
}

/** A variable that is seen by other services than declared: those of its own, or else those of its set. */
function scoped(name: string, step: Step): Change {
  const now = step.new.outputs;
  const services = own(mapSchema.parse(now["scopes"]), name) ?? now["services"];
  const since = updateTimes(now).get(name);
  const uncertain = isRescoped(name, step) ? `; its ${HIDDEN_DETAIL} may differ, too` : "";
  return { name, kind: "services", detail: `now ${servicesOf(services)}${uncertain}`, ...(since && { since }) };
}

/** Whether a hidden variable has another scope and another time: that of its value, or of its scope alone. */
function isRescoped(name: string, { detailedDiff, new: now }: Step): boolean {
  const [value, scope] = ["secrets", "scopes"].map((map) => own(detailedDiff, formatPath([map, name])));
  const isEdited = value !== undefined && kindOf(value.diffKind) === "changed";
  return isEdited && scope !== undefined && notesOf(now.outputs, name).kind === undefined;
}

/** A map that is one secret shows no names. The changed ones are those whose time stamp changed, and that no other map shows. */
function secretMap(property: string, old: Outputs, now: Outputs): readonly Change[] {
  const [before, after] = [updateTimes(old), updateTimes(now)];
  const shown = Object.assign({}, ...[old, now].flatMap((bag) => [...MAPS].map((map) => readable(bag[map]))));
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => before.get(name) !== after.get(name) && !Object.hasOwn(shown, name));
  if (changed.length === 0) return [{ kind: "changed", detail: property }];
  return changed.map((name) => {
    const since = after.get(name);
    if (since === undefined) return { name, kind: "deleted" };
    return {
      name,
      kind: "changed",
      ...(property === "secrets" && { detail: HIDDEN_DETAIL }),
      ...notesOf(now, name),
      since,
    };
  });
}

/** A map, unless it is one secret: the engine has blanked it then. */
function readable(value: unknown): Readonly<Record<string, unknown>> {
  const map = mapSchema.parse(value);
  return Object.hasOwn(map, SIGNATURE) ? {} : map;
}

/** What a refresh noted beside the encrypted value of a secret. */
function notesOf(outputs: Outputs, name: string): Note {
  const note = own(readObserved(outputs).notes ?? {}, name);
  return note === undefined ? {} : describeNote(note);
}
