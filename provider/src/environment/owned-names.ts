import type { Deleter, OwnedNames } from "../framework/environment-session";
import { fingerprint, type Properties } from "../framework/properties";
import type { Clock } from "../client/clock";

/** @see OwnedNames */
export class RunOwnedNames implements OwnedNames {
  readonly #waits: RunWaits;
  /** Names of each declaration, and how many declarations have a name. */
  readonly #declarations = new Map<string, readonly string[]>();
  readonly #declared = new Map<string, number>();
  readonly #shown = new Set<string>();
  /** What the last write or delete of this run came to. */
  readonly #results = new Map<string, "taken" | "failed" | "leaving" | "deleted">();
  /** Names that a state goes on to own, by the `ownerId` of the state, with the declaration that its diff compared. */
  readonly #kept = new Map<string, { readonly names: ReadonlySet<string>; readonly declaration: string }>();
  readonly #declaredByOthers = new Set<string>();
  readonly #lookedAt = new Set<string>();
  readonly #given = new Set<string>();

  constructor(waits: RunWaits) {
    this.#waits = waits;
  }

  declare(inputs: Properties, names: readonly string[]): void {
    this.#declarations.set(fingerprint(inputs), names);
    this.#count(names, 1);
  }

  declareByOthers(names: readonly string[]): void {
    for (const name of names) this.#declaredByOthers.add(name);
  }

  isDeclaration(inputs: Properties): boolean {
    return this.#declarations.has(fingerprint(inputs));
  }

  show(names: readonly string[]): void {
    // Who has only looked at a name does not have it.
    for (const name of names) if (!this.isOnlyLookedAt(name)) this.#shown.add(name);
  }

  keep(inputs: Properties, names: readonly string[], ownerId: string | undefined): void {
    const now = names.filter((name) => !this.isDeleted(name));
    if (ownerId === undefined) return this.take(now);
    if (!this.#kept.has(ownerId)) this.#kept.set(ownerId, { names: new Set(now), declaration: fingerprint(inputs) });
  }

  release(ownerId: string): void {
    const kept = this.#kept.get(ownerId);
    if (kept === undefined) return;
    this.#kept.delete(ownerId);
    this.#count(this.#declarations.get(kept.declaration) ?? [], -1);
  }

  look(names: readonly string[]): void {
    for (const name of names) this.#lookedAt.add(name);
  }

  isLookedAt(name: string): boolean {
    return this.#lookedAt.has(name);
  }

  isOnlyLookedAt(name: string): boolean {
    return this.isLookedAt(name) && !this.isTaken(name);
  }

  give(names: readonly string[]): void {
    for (const name of names) this.#given.add(name);
  }

  isGiven(name: string): boolean {
    return this.#given.has(name);
  }

  take(names: Iterable<string>): void {
    for (const name of names) this.#results.set(name, "taken");
  }

  fail(names: Iterable<string>): void {
    for (const name of names) if (!this.isTaken(name)) this.#results.set(name, "failed");
  }

  isLeft(name: string, by: Deleter): boolean {
    return by === "update" ? this.isWanted(name) : this.isTaken(name) || this.hasFailed(name);
  }

  delete(name: string, by: Deleter): boolean {
    if (this.isLeft(name, by)) return false;
    this.#results.set(name, "leaving");
    return true;
  }

  confirmDeleted(name: string): void {
    if (this.#results.get(name) === "leaving") this.#results.set(name, "deleted");
  }

  isConfirmedDeleted(name: string): boolean {
    return this.#results.get(name) === "deleted";
  }

  isWanted(name: string): boolean {
    return this.isTaken(name) || (this.#declared.get(name) ?? 0) > 0 || this.#declaredByOthers.has(name);
  }

  isTaken(name: string): boolean {
    return this.#results.get(name) === "taken" || [...this.#kept.values()].some(({ names }) => names.has(name));
  }

  isShown(name: string): boolean {
    return this.#shown.has(name);
  }

  isDeleted(name: string): boolean {
    return this.#results.get(name) === "leaving" || this.isConfirmedDeleted(name);
  }

  hasFailed(name: string): boolean {
    return this.#results.get(name) === "failed" && !this.isTaken(name);
  }

  async untilShown(names: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#waits.until({
      isOver: () => names.every((name) => this.#shown.has(name)),
      isExpecting: () => [...this.#declaredByOthers].some((name) => (this.#declared.get(name) ?? 0) === 0),
      signal,
    });
  }

  untilQuiet(signal: AbortSignal): Promise<void> {
    return this.#waits.until({ isOver: () => false, isExpecting: () => false, signal });
  }

  #count(names: readonly string[], change: number): void {
    for (const name of names) this.#declared.set(name, (this.#declared.get(name) ?? 0) + change);
  }
}

/** The engine plans one resource after the other: after this long without a Check or a Diff it has probably shown all. */
const QUIET_MS = 250;
/** All waits of a run together last this long at most. */
const MAX_TOTAL_MS = 2_000;

/** A wait for what the engine has not shown yet. */
interface Wait {
  /** Nothing more has to be shown. */
  readonly isOver: () => boolean;
  /** The engine is going to show more: its silence means nothing. */
  readonly isExpecting: () => boolean;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

/** The waits of one run for what the engine has not shown yet. */
export class RunWaits {
  readonly #clock: Clock;
  #lastPlanningMs = -Infinity;
  #spentMs = 0;
  #waiting = 0;
  #sinceMs = 0;
  readonly #sleeps = new Set<AbortController>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The engine has called Check or Diff. */
  notePlanning(): void {
    this.#lastPlanningMs = this.#clock.now();
    for (const sleep of this.#sleeps) sleep.abort();
  }

  /** Waits until the engine has not called Check or Diff for a while, or there is nothing more to wait for. */
  async until({ isOver, isExpecting, signal }: Wait): Promise<void> {
    while (!signal.aborted && !isOver()) {
      const quietMs = isExpecting() ? Infinity : this.#lastPlanningMs + QUIET_MS - this.#clock.now();
      const ms = Math.min(quietMs, this.#leftMs());
      if (ms <= 0) return;
      await this.#sleep(ms, signal);
    }
  }

  /** Waits that overlap count once. */
  #leftMs(): number {
    return MAX_TOTAL_MS - this.#spentMs - (this.#waiting > 0 ? this.#clock.now() - this.#sinceMs : 0);
  }

  /** Sleeps until the time is over, or the engine calls Check or Diff. */
  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting === 0) this.#sinceMs = this.#clock.now();
    this.#waiting += 1;
    const planning = new AbortController();
    this.#sleeps.add(planning);
    try {
      await this.#clock.sleep(ms, AbortSignal.any([signal, planning.signal]));
    } catch (error) {
      if (!signal.aborted && !planning.signal.aborted) throw error;
    } finally {
      this.#sleeps.delete(planning);
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#spentMs += this.#clock.now() - this.#sinceMs;
    }
  }
}
