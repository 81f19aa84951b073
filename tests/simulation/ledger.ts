import type { VariableView, World } from "../../provider/src/sandbox";

/** Who changed something at the service. */
export type Author = "provider" | "others";

/** What the service held under a name from one moment on, until the next version. */
export interface Version {
  /** Moments are counted, because several share one millisecond. */
  readonly moment: number;
  readonly by: Author;
  /** `undefined`: there was none. */
  readonly variable: VariableView | undefined;
}

/** Everything that was ever true of the service's variables. */
export class Ledger {
  readonly #world: World;
  readonly #versions = new Map<string, Version[]>();
  #moment = 0;

  constructor(world: World, environmentIds: readonly string[]) {
    this.#world = world;
    for (const id of environmentIds) this.note(id, "others");
  }

  /** The moment that is now. */
  get moment(): number {
    return this.#moment;
  }

  /** Notes what has changed in an environment. Returns the names. */
  note(environmentId: string, by: Author): readonly string[] {
    this.#moment += 1;
    const now = new Map(this.#variables(environmentId).map((variable) => [variable.name, variable]));
    const before = this.#current(environmentId);
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      (name) => !isSame(before.get(name), now.get(name)),
    );
    for (const name of changed) this.#add(environmentId, name, by, now.get(name));
    return changed;
  }

  /** What the service held under a name at any time from a moment on. The last is what it holds now. */
  since(environmentId: string, name: string, moment: number): readonly Version[] {
    const versions = this.#versions.get(keyOf(environmentId, name)) ?? [];
    const later = versions.filter((version) => version.moment > moment);
    const then = versions.findLast((version) => version.moment <= moment);
    return [then ?? { moment: 0, by: "others", variable: undefined }, ...later];
  }

  /** What the service holds under a name. */
  now(environmentId: string, name: string): VariableView | undefined {
    return this.since(environmentId, name, this.#moment).at(-1)?.variable;
  }

  /** Names that the service holds now because the provider wrote them. */
  written(environmentId: string): readonly string[] {
    return this.names(environmentId).filter(
      (name) => this.since(environmentId, name, this.#moment).at(-1)?.by === "provider",
    );
  }

  /** Names that the service holds now. */
  names(environmentId: string): readonly string[] {
    return [...this.#current(environmentId)].flatMap(([name, variable]) => (variable === undefined ? [] : [name]));
  }

  #variables(environmentId: string): readonly VariableView[] {
    return this.#world.environments.get(environmentId) === undefined ? [] : this.#world.variables(environmentId);
  }

  #current(environmentId: string): Map<string, VariableView | undefined> {
    const prefix = keyOf(environmentId, "");
    const entries = [...this.#versions].filter(([key]) => key.startsWith(prefix));
    return new Map(entries.map(([key, versions]) => [key.slice(prefix.length), versions.at(-1)?.variable]));
  }

  #add(environmentId: string, name: string, by: Author, variable: VariableView | undefined): void {
    const key = keyOf(environmentId, name);
    const versions = this.#versions.get(key) ?? [];
    versions.push({ moment: this.#moment, by, variable });
    this.#versions.set(key, versions);
  }
}

/** How names of an environment are written down. */
export function keyOf(environmentId: string, name: string): string {
  return `${environmentId}/${name}`;
}

function isSame(one: VariableView | undefined, other: VariableView | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
