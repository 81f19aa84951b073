import { createHash } from "node:crypto";
import { environmentKey } from "../framework/environment-id";
import { isMap, type Properties } from "../framework/properties";

/**
 * Names that some resource of this run has for itself: it wrote them, took them over, or is unchanged. An update or
 * delete of another resource leaves them alone, so that renaming a Pulumi resource, a forced replace, or moving a name
 * from one set to another hands the variable over instead of losing it.
 */
export class Claims {
  readonly #names = new Map<string, Set<string>>();
  readonly #removed = new Map<string, Set<string>>();
  readonly #left = new Map<string, Set<string>>();
  /** What diffs have kept, and how many of them keep a name. */
  readonly #holders = new Map<string, { readonly scope: string; readonly names: readonly string[] }>();
  readonly #kept = new Map<string, Map<string, number>>();
  readonly #declared = new Set<string>();
  readonly #atRest = new Set<string>();

  /** Notes names that a resource has written, or taken over. */
  add(scope: string, names: Iterable<string>): void {
    const known = this.#names.get(scope) ?? new Set();
    const removed = this.#removed.get(scope);
    for (const name of names) {
      known.add(name);
      removed?.delete(name);
    }
    this.#names.set(scope, known);
  }

  /** Notes a name that an update or delete takes away now: nobody has claimed it by then. */
  removing(scope: string, name: string): void {
    const removed = this.#removed.get(scope) ?? new Set();
    this.#removed.set(scope, removed.add(name));
  }

  /** Notes names that a resource keeps, as its diff says: for good, or until the holder is released. */
  keep(scope: string, names: readonly string[], holder: string | undefined): void {
    if (holder === undefined) {
      this.add(scope, names);
      return;
    }
    if (this.#holders.has(holder)) return;
    this.#holders.set(holder, { scope, names });
    this.#count(scope, names, 1);
  }

  /** A holder is about to be deleted, maybe to be replaced: its diff was the last that it had to say. */
  release(holder: string): void {
    const held = this.#holders.get(holder);
    if (held !== undefined) this.#count(held.scope, held.names, -1);
    this.#holders.delete(holder);
  }

  /** Notes a name that a delete left, because the program of this run declares it. */
  leave(scope: string, name: string): void {
    this.#left.set(scope, (this.#left.get(scope) ?? new Set()).add(name));
  }

  /** Whether a delete of this run left a name: what is there is the run's own, even if the program changes it. */
  isLeft(scope: string, name: string): boolean {
    return this.#left.get(scope)?.has(name) ?? false;
  }

  /** Whether a name was taken away, and has not been written or taken over since. */
  isRemoved(scope: string, name: string): boolean {
    return this.#removed.get(scope)?.has(name) ?? false;
  }

  has(scope: string, name: string): boolean {
    return this.#names.get(scope)?.has(name) === true || (this.#kept.get(scope)?.get(name) ?? 0) > 0;
  }

  #count(scope: string, names: readonly string[], change: number): void {
    const counts = this.#kept.get(scope) ?? new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + change);
    this.#kept.set(scope, counts);
  }

  /** Notes that the program of this run wants an environment stopped. */
  rest(environmentId: string): void {
    this.#atRest.add(environmentKey(environmentId));
  }

  /** Whether the program of this run wants an environment stopped, as far as its resources were checked by now. */
  isAtRest(environmentId: string): boolean {
    return this.#atRest.has(environmentKey(environmentId));
  }

  /** Notes inputs that the program of this run declares; the engine checks exactly those. */
  declare(inputs: Properties): void {
    this.#declared.add(fingerprint(inputs));
  }

  /**
   * Whether the program of this run declares these inputs. A diff alone does not tell: the engine also asks for one in a
   * refresh, of resources that the program has dropped and that are about to be deleted.
   */
  isDeclared(inputs: Properties): boolean {
    return this.#declared.has(fingerprint(inputs));
  }
}

/** What claims and locks are about: one kind of thing of one environment, whatever the case of its UUID. */
export function scopeOf(kind: "variables" | "branches", environmentId: string): string {
  return `${kind} of ${environmentKey(environmentId)}`;
}

/** The same for the same inputs, in whatever order the engine hands their keys over. */
function fingerprint(inputs: Properties): string {
  const text = JSON.stringify(inputs, (_key, value: unknown) =>
    isMap(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return createHash("sha256").update(text).digest("base64");
}
