import type { World } from "../../provider/src/sandbox";
import type { Foreign } from "./foreign";
import { keyOf } from "./ledger";

/** What the provider cannot know or prevent, so that nobody may hold it against the provider. */
export class Excuses {
  /** Environments and names of which it cannot know: a request whose caller had given up by then, more trouble than one
   * fault in a run, an environment that was deleted for a while. */
  readonly murky = new Set<string>();
  /** Values of hidden variables that others have shown to everybody. */
  readonly published = new Set<string>();
  /** How many builds an environment had when others made the next one fail. */
  readonly #failing = new Map<string, number>();
  readonly #world: World;
  readonly #isDeclared: (environmentId: string, name: string, value: string) => boolean;

  constructor(world: World, isDeclared: (environmentId: string, name: string, value: string) => boolean) {
    this.#world = world;
    this.#isDeclared = isDeclared;
  }

  /** Others are about to do something in an environment. */
  note(environmentId: string, act: Foreign): void {
    if (this.#world.environments.get(environmentId) === undefined) return;
    if (act.act === "failNextBuild") this.#failing.set(environmentId, this.#world.builds(environmentId).length);
    const shown = act.act === "show" || act.act === "set" ? this.#shown(environmentId, act) : undefined;
    if (shown !== undefined) this.published.add(shown);
    if (act.act === "flags" && act.flags.deleted === true)
      for (const { name } of this.#world.variables(environmentId)) this.murky.add(keyOf(environmentId, name));
  }

  /** A service that updates nothing but values has acted in an environment: what it goes on showing is no secret any more. */
  noteShown(environmentId: string): void {
    if (this.#world.environments.get(environmentId) === undefined) return;
    for (const { hidden, value } of this.#world.variables(environmentId)) if (!hidden) this.published.add(value);
  }

  /** The value that others show to everybody, unless a program declares it. */
  #shown(environmentId: string, act: Foreign & { readonly act: "show" | "set" }): string | undefined {
    if (act.hidden) return undefined;
    const value = act.act === "set" ? act.value : this.#world.variable(environmentId, act.name)?.value;
    return value === undefined || this.#isDeclared(environmentId, act.name, value) ? undefined : value;
  }

  /** Whether the next build of an environment, which has not begun yet, is going to fail. */
  isDoomed(environmentId: string): boolean {
    const failing = this.#failing.get(environmentId);
    if (failing === undefined || this.#world.environments.get(environmentId) === undefined) return false;
    return failing === this.#world.builds(environmentId).length;
  }
}
