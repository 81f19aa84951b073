import type { OwnedNames } from "../framework/environment-session";

/** @see OwnedNames */
export class RunOwnedNames implements OwnedNames {
  readonly #taken = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #left = new Set<string>();
  /** Names by the state that keeps them, as its diff said. */
  readonly #kept = new Map<string, readonly string[]>();

  take(names: Iterable<string>): void {
    for (const name of names) {
      this.#taken.add(name);
      this.#deleted.delete(name);
    }
  }

  keep(names: readonly string[], ownerId: string | undefined): void {
    if (ownerId === undefined) this.take(names);
    else if (!this.#kept.has(ownerId)) this.#kept.set(ownerId, names);
  }

  release(ownerId: string): void {
    this.#kept.delete(ownerId);
  }

  delete(name: string): boolean {
    if (this.isOwned(name)) {
      this.#left.add(name);
      return false;
    }
    this.#deleted.add(name);
    return true;
  }

  isOwned(name: string): boolean {
    return this.#taken.has(name) || [...this.#kept.values()].some((names) => names.includes(name));
  }

  isLeft(name: string): boolean {
    return this.#left.has(name);
  }

  isDeleted(name: string): boolean {
    return this.#deleted.has(name);
  }
}
