import type { EnvironmentSession, RunEnvironments } from "../run/environment-session";
import type { Checked } from "./check";
import type { Diff } from "./diff";
import type { Declarer, DuplicateDeclarations } from "./duplicate-declarations";
import { isListed } from "./list-mark";
import { fingerprint, isUnknown, type Properties } from "./properties";
import type { Resource } from "./resource";
import { type Exclusive, namesIn } from "./resource-facts";

// Notes of what the engine shows of a resource in Check, Diff, a refresh and an import, for the other resources of the run.

type Run = RunEnvironments | undefined;

/** Which resource a Check is about. */
export interface CheckedResource {
  /** It is created, or a replacement begins. */
  readonly isNew: boolean;
  /** Tells it from all others of the program. Programs of older SDKs do not say it. */
  readonly identity?: string | undefined;
}

/** A Check tells what the program declares. */
export function noteCheck(
  { exclusive }: Resource,
  checked: Checked,
  { isNew, identity }: CheckedResource,
  run: Run,
): void {
  const { inputs, failures } = checked;
  const session = environmentSessionOf(inputs, run);
  if (session === undefined) return;
  session.isListed ||= isListed(inputs);
  if (failures.length > 0) return;
  const declared = declaredNames(exclusive, inputs);
  if (exclusive?.kind === "branches") for (const name of declared) session.declaredRepositories.add(name);
  if (exclusive?.kind !== "variables") return;
  const print = fingerprint(inputs);
  session.names.noteCheck(identity ?? print, print, declared, isNew);
}

/** A Diff tells what the resource has, and which of it stays declared. A resource that is replaced keeps nothing: its replacement has nothing yet. */
export function noteDiff(resource: Resource, old: Properties, news: Properties, { replaces }: Diff, run: Run): void {
  const owned = noteOwned(resource, old, run);
  const declared = new Set(declaredNames(resource.exclusive, news));
  const held = owned.filter((name) => declared.has(name));
  if (held.length > 0 && replaces.length === 0)
    environmentSessionOf(news, run)?.names.noteHeld(fingerprint(news), held);
}

/** A read tells what the resource has, and that this run refreshes. */
export function noteRead(resource: Resource, old: Properties, run: RunEnvironments): void {
  noteOwned(resource, old, run);
  run.noteRefresh();
}

/** An import tells which state it answers: its names are nobody's yet. */
export function noteImport(state: Properties, run: Run): void {
  environmentSessionOf(state, run)?.names.noteImported(fingerprint(state));
}

/** Whether an import of this run has answered the state: it has only looked at the names. */
export function isImported(state: Properties, session: EnvironmentSession | undefined): boolean {
  return session?.names.isImported(() => fingerprint(state)) ?? false;
}

/** Why a resource conflicts with one that was checked before: one text at most. An input that a preview does not know yet is not compared. */
export function conflictsInCheck(
  declarations: DuplicateDeclarations,
  exclusive: Exclusive | undefined,
  declarer: Declarer,
  inputs: Properties,
): readonly string[] {
  if (exclusive === undefined) return [];
  const known = Object.entries(inputs).filter(([, value]) => !isUnknown(value));
  return declarations.add(declarer, exclusive, Object.fromEntries(known)).slice(0, 1);
}

/** The session of the environment that a bag is about. A preview may not know the environment yet. */
export function environmentSessionOf({ environmentId }: Properties, run: Run): EnvironmentSession | undefined {
  return typeof environmentId === "string" && !isUnknown(environmentId) ? run?.environment(environmentId) : undefined;
}

/** The names that a state owns: the stack's own, unless an import has just answered that state. */
function noteOwned(resource: Resource, state: Properties, run: Run): readonly string[] {
  const owned = resource.owned(state);
  const session = environmentSessionOf(state, run);
  if (owned.length > 0 && !isImported(state, session)) session?.names.noteSeen(owned);
  return owned;
}

/** The names of variables or repositories that inputs or state declare. */
function declaredNames(exclusive: Exclusive | undefined, bag: Properties): readonly string[] {
  if (exclusive === undefined || exclusive.kind === "state") return [];
  return exclusive.names.flatMap((input) => (isUnknown(bag[input]) ? [] : namesIn(bag[input])));
}
