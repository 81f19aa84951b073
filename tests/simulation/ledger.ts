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
  readonly #versions = new Map<string, Map<string, Version[]>>();
  #moment = 0;

  constructor(world: World, environmentIds: readonly string[]) {
    this.#world = world;
    for (const id of environmentIds) this.note(id, "others");
  }

  get moment(): number {
    return this.#moment;
  }

  /** Notes what has changed in an environment. Returns the names. */
  note(environmentId: string, by: Author): readonly string[] {
    this.#moment += 1;
    const exists = this.#world.environments.get(environmentId) !== undefined;
    const variables = exists ? this.#world.variables(environmentId) : [];
    const now = new Map(variables.map((variable) => [variable.name, variable]));
    const all = this.#of(environmentId);
    const isSame = (name: string): boolean =>
      JSON.stringify(all.get(name)?.at(-1)?.variable) === JSON.stringify(now.get(name));
    const changed = [...new Set([...all.keys(), ...now.keys()])].filter((name) => !isSame(name));
    for (const name of changed)
      all.set(name, [...(all.get(name) ?? []), { moment: this.#moment, by, variable: now.get(name) }]);
    return changed;
  }

  /** What the service held under a name at any time from a moment on. The last is what it holds now. */
  since(environmentId: string, name: string, moment: number): readonly Version[] {
    const versions = this.#of(environmentId).get(name) ?? [];
    const later = versions.filter((version) => version.moment > moment);
    const then = versions.findLast((version) => version.moment <= moment);
    return [then ?? { moment: 0, by: "others", variable: undefined }, ...later];
  }

  now(environmentId: string, name: string): VariableView | undefined {
    return this.since(environmentId, name, this.#moment).at(-1)?.variable;
  }

  /** Names that the service holds now because the provider wrote them. */
  written(environmentId: string): readonly string[] {
    return [...this.#of(environmentId)].flatMap(([name, versions]) => {
      const last = versions.at(-1);
      return last?.by === "provider" && last.variable !== undefined ? [name] : [];
    });
  }

  /** The versions of each name of an environment. */
  #of(environmentId: string): Map<string, Version[]> {
    const known = this.#versions.get(environmentId) ?? new Map<string, Version[]>();
    this.#versions.set(environmentId, known);
    return known;
  }
}

/** How names of an environment are written down. */
export function keyOf(environmentId: string, name: string): string {
  return `${environmentId}/${name}`;
}
