import { createHash } from "node:crypto";
import { environmentKey } from "./environment-id";
import { isMap, type Properties } from "./properties";

/**
 * Names that some resource of this run has for itself: it wrote them, took them over, or is unchanged. An update or
 * delete of another resource leaves them alone, so that renaming a Pulumi resource, a forced replace, or moving a name
 * from one set to another hands the variable over instead of losing it.
 */
export class Claims {
  readonly #names = new Map<string, Set<string>>();
  readonly #removed = new Map<string, Set<string>>();
  readonly #left = new Map<string, Set<string>>();
  readonly #declared = new Set<string>();

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
    return this.#names.get(scope)?.has(name) ?? false;
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
