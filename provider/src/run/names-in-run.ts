/**
 * The knowledge of one run about the names of an environment's variables, so that no resource deletes what another one holds or has written. It
 * lasts as long as the provider process: nothing of it is in state.
 */
export class NamesInRun {
  readonly #seen = new Set<string>();
  readonly #written = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #declared = new Set<string>();
  readonly #lookedUp = new Set<string>();
  /** The fingerprint of the last checked inputs of each resource, by its identity. */
  readonly #lastChecked = new Map<string, string>();
  /** The names that inputs hold, by the fingerprint of these inputs. Checked inputs hold none until a Diff shows some. */
  readonly #held = new Map<string, ReadonlySet<string>>();

  /**
   * A resource declares the names, in inputs with this fingerprint. `isNew`: it is created, or replaced. The names that it held until then
   * it does not hold any more.
   */
  noteCheck(identity: string, fingerprint: string, declared: readonly string[], isNew: boolean): void {
    const last = this.#lastChecked.get(identity);
    if (isNew && last !== undefined) this.#held.set(last, new Set());
    this.#lastChecked.set(identity, fingerprint);
    if (!this.#held.has(fingerprint)) this.#held.set(fingerprint, new Set());
    for (const name of declared) this.#declared.add(name);
  }

  /** Whether a Check of this run was about inputs with this fingerprint. In a refresh, the engine calls Diff with those of the last `up`. */
  isChecked(fingerprint: string): boolean {
    return this.#held.has(fingerprint);
  }

  /** Whether some resource of the program declares the name, as far as the engine has shown. */
  isDeclared(name: string): boolean {
    return this.#declared.has(name);
  }

  /** A state of this stack owns the names. */
  noteSeen(names: readonly string[]): void {
    for (const name of names) this.#seen.add(name);
  }

  /** Whether a state of this stack owns the name: what the service has under it is then the stack's own. */
  isSeen(name: string): boolean {
    return this.#seen.has(name);
  }

  /**
   * A resource that has the names goes on to declare them, in inputs with this fingerprint. Inputs without a Check in this run do not count: in a
   * refresh, the engine calls Diff also for resources that the program has dropped.
   */
  noteHeld(fingerprint: string, names: readonly string[]): void {
    if (!this.#held.has(fingerprint)) return;
    this.#held.set(fingerprint, new Set(names.filter((name) => !this.#deleted.has(name))));
  }

  /** A write has stored the names, or taken them over. */
  noteWritten(names: Iterable<string>): void {
    for (const name of names) {
      this.#written.add(name);
      this.#deleted.delete(name);
    }
  }

  /** The program looks at the names by a `get`. A resource that was in its place may have them in state. */
  noteLookedUp(names: readonly string[]): void {
    for (const name of names) this.#lookedUp.add(name);
  }

  isLookedUp(name: string): boolean {
    return this.#lookedUp.has(name);
  }

  /** Whether a resource other than the one that wants to delete the name has it: a resource does not delete what it declares. */
  isInUse(name: string): boolean {
    return this.#written.has(name) || [...this.#held.values()].some((names) => names.has(name));
  }

  /** It is decided that the name is deleted. */
  noteDeleted(name: string): void {
    this.#deleted.add(name);
  }

  /** Whether this run deletes the name, and nobody has written it since: a resource that has and declares it writes it again. */
  isDeleted(name: string): boolean {
    return this.#deleted.has(name);
  }
}
