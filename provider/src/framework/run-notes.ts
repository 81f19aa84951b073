import { isDeepStrictEqual } from "node:util";
import type { EnvironmentInRun } from "../run/environment-in-run";
import type { Run } from "./context";
import type { Checked, CheckFailure } from "./input-checks";
import type { Diff } from "./diff";
import { EXISTING } from "./existing-text";
import { isFromList } from "./list-mark";
import { fingerprint, isMap, isUnknown, pick, type Properties } from "./properties";
import type { Resource } from "./resource";
import { type Exclusive, namesIn } from "./resource-facts";

// Notes of what the engine shows of a resource in Check, Diff, a refresh and an import, for the other resources of the run.

/** A resource of the program that a Check is about. */
export interface ResourceInProgram {
  /** Tells it from all others of the program. Not known if a `transforms` function has made its inputs anew. */
  readonly identity: string | undefined;
  /** Its name for people, such as `EnvVarSet "vars"`. */
  readonly label: string;
}

/** A Check tells what the program declares. `isNew`: the resource is created, or a replacement begins. */
export function noteCheck(
  { exclusive }: Resource,
  checked: Checked,
  identity: ResourceInProgram["identity"],
  isNew: boolean,
  run: Run | undefined,
): void {
  const { inputs, failures } = checked;
  const inRun = environmentInRun(inputs, run);
  if (inRun === undefined) return;
  inRun.isFromList ||= isFromList(inputs);
  if (failures.length > 0) return;
  const declared = declaredNames(exclusive, inputs);
  if (exclusive?.kind === "branches") for (const name of declared) inRun.declaredRepositories.add(name);
  if (exclusive?.kind !== "variables") return;
  inRun.hasUnknownNames ||= exclusive.nameInputs.some((input) => isUnknown(inputs[input]));
  const inputsFingerprint = fingerprint(inputs);
  inRun.names.noteCheck(identity ?? inputsFingerprint, inputsFingerprint, declared, isNew);
}

/** A Diff tells what the resource has, and which of it stays declared. A resource that is replaced keeps nothing: its replacement has nothing yet. */
export function noteDiff(
  resource: Resource,
  old: Properties,
  news: Properties,
  diff: Diff,
  run: Run | undefined,
): void {
  const { exclusive } = resource;
  const owned = noteOwned(resource, old, run);
  const inRun = environmentInRun(news, run);
  const declared = new Set(declaredNames(exclusive, news));
  const held = owned.filter((name) => declared.has(name));
  if (inRun === undefined || exclusive?.kind !== "variables" || diff.replaces.length > 0) return;
  if (held.length > 0) inRun.names.noteHeld(fingerprint(news), held);
  const dropped = diff.changes.flatMap(({ path: [input = "", name], kind }) => {
    if (kind !== "delete" || name === undefined || declared.has(name) || !exclusive.nameInputs.includes(input))
      return [];
    const map = old[input];
    return isMap(map) && map[name] === EXISTING ? [] : [name];
  });
  if (dropped.length > 0 && inRun.names.isChecked(fingerprint(news)))
    for (const name of dropped) inRun.droppedVariables.add(name);
}

/** A read tells what the resource has, and that this run refreshes. */
export function noteRead(resource: Resource, old: Properties, run: Run): void {
  noteOwned(resource, old, run);
  run.noteRefresh();
}

/** A refresh tells that the service has other inputs than state had. */
export function noteDrift({ inputNames }: Resource, old: Properties, state: Properties, run: Run): void {
  if (isDeepStrictEqual(pick(old, inputNames), pick(state, inputNames))) return;
  environmentInRun(state, run)?.drifted.add(fingerprint(state));
}

/** Whether a refresh of this run has replaced what was deployed by this state. */
export function isDrifted(state: Properties, run: Run): boolean {
  return environmentInRun(state, run)?.drifted.has(fingerprint(state)) ?? false;
}

/** An import tells which state it answers: its names are nobody's yet. */
export function noteImport(state: Properties, run: Run | undefined): void {
  environmentInRun(state, run)?.imported.add(fingerprint(state));
}

/** Whether an import of this run has answered the state: it has only looked at the names. */
export function isImported(state: Properties, inRun: EnvironmentInRun | undefined): boolean {
  // Most runs import nothing, and a fingerprint of a large state takes time.
  return inRun !== undefined && inRun.imported.size > 0 && inRun.imported.has(fingerprint(state));
}

/** Why a resource cannot be declared beside one that was checked before. An input that a preview does not know yet is not compared. */
export function duplicatesInCheck(
  { exclusive }: Resource,
  { identity, label }: ResourceInProgram,
  inputs: Properties,
  run: Run | undefined,
): readonly CheckFailure[] {
  if (exclusive === undefined || identity === undefined) return [];
  const known = Object.entries(inputs).filter(([, value]) => !isUnknown(value));
  const reason = run?.declarations.add({ label, identity }, exclusive, Object.fromEntries(known));
  return reason === undefined ? [] : [{ path: "", reason }];
}

/** What the run knows of the environment that a bag is about. A preview may not know the environment yet. */
export function environmentInRun({ environmentId }: Properties, run: Run | undefined): EnvironmentInRun | undefined {
  return typeof environmentId === "string" && !isUnknown(environmentId) ? run?.environment(environmentId) : undefined;
}

/** The names that a state owns: the stack's own, unless an import has just answered that state. */
function noteOwned(resource: Resource, state: Properties, run: Run | undefined): readonly string[] {
  const owned = resource.owned(state);
  const inRun = environmentInRun(state, run);
  if (owned.length > 0 && !isImported(state, inRun)) inRun?.names.noteSeen(owned);
  return owned;
}

/** The names of variables or repositories that inputs or state declare. */
function declaredNames(exclusive: Exclusive | undefined, bag: Properties): readonly string[] {
  if (exclusive === undefined || exclusive.kind === "state") return [];
  return exclusive.nameInputs.flatMap((input) => (isUnknown(bag[input]) ? [] : namesIn(bag[input])));
}
