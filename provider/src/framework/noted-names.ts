import { environmentKey } from "../client/text-rules";
import type { EnvironmentSession, RunEnvironments } from "../run/environment-session";
import type { Declarer, DuplicateDeclarations } from "./duplicate-declarations";
import { fingerprint, isUnknown, type Properties } from "./properties";
import { type Exclusive, namesIn } from "./resource-facts";

// What the engine shows of a resource's names in Check, Diff, a refresh and an import is noted here, for the other resources of the run.

type Run = RunEnvironments | undefined;

/** Which resource a Check is about. */
export interface CheckedResource {
  /** It is created, or a replacement begins. */
  readonly isNew: boolean;
  /** Tells it from all others of the program. Programs of older SDKs do not say it. */
  readonly identity?: string | undefined;
}

/** Notes what the program declares. */
export function noteCheck(
  exclusive: Exclusive | undefined,
  inputs: Properties,
  { isNew, identity }: CheckedResource,
  run: Run,
): void {
  const session = environmentSessionOf(inputs, run);
  const declared = declaredNames(exclusive, inputs);
  if (exclusive?.kind === "branches") for (const name of declared) session?.declaredRepositories.add(name);
  if (exclusive?.kind !== "variables") return;
  const print = fingerprint(inputs);
  session?.names.noteCheck(identity ?? print, print, declared, isNew);
}

/** Why a resource conflicts with one that was checked before: one text at most. What a preview does not know yet is not compared. */
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

/** Notes which names a state owns, unless an import has just answered it. */
export function noteOwned(owned: readonly string[], state: Properties, run: Run): void {
  if (!isImported(state, run)) environmentSessionOf(state, run)?.names.noteSeen(owned);
}

/** Notes which of the owned names the resource goes on to declare. */
export function noteHeld(exclusive: Exclusive | undefined, owned: readonly string[], news: Properties, run: Run): void {
  const declared = new Set(declaredNames(exclusive, news));
  const held = owned.filter((name) => declared.has(name));
  if (held.length > 0) environmentSessionOf(news, run)?.names.noteHeld(fingerprint(news), held);
}

/** Notes the state that an import answers. */
export function noteImported(state: Properties, run: Run): void {
  environmentSessionOf(state, run)?.names.noteImported(fingerprint(state));
}

/** Whether an import of this run has answered the state. */
export function isImported(state: Properties, run: Run): boolean {
  return environmentSessionOf(state, run)?.names.isImported(() => fingerprint(state)) ?? false;
}

/** What the run knows of the environment that a bag is about. A preview may not know the environment yet. */
export function environmentSessionOf({ environmentId }: Properties, run: Run): EnvironmentSession | undefined {
  return typeof environmentId === "string" && !isUnknown(environmentId) ? run?.environment(environmentId) : undefined;
}

/** Inputs with the environment's id as state has it, when it is the same one: a UUID is the same in capitals. */
export function withStoredEnvironmentId({ environmentId: stored }: Properties, news: Properties): Properties {
  const { environmentId } = news;
  const isSame =
    typeof stored === "string" &&
    typeof environmentId === "string" &&
    environmentKey(stored) === environmentKey(environmentId);
  return isSame ? { ...news, environmentId: stored } : news;
}

/** The names of variables or repositories that inputs or state declare. */
function declaredNames(exclusive: Exclusive | undefined, bag: Properties): readonly string[] {
  if (exclusive === undefined || exclusive.kind === "state") return [];
  return exclusive.names.flatMap((input) => (isUnknown(bag[input]) ? [] : namesIn(bag[input])));
}
