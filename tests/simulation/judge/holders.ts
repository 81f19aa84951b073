import { isExisting } from "../../../provider/src/env-vars/placeholder";
import type { Stored } from "../../support/engine-steps";
import { type StatedVariable, statedVariables } from "../state-view";
import { hold } from "../violation";
import type { Scene } from "./scene";

/** Which resources of the stack have a name, and since when. */
export class Holders {
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** What the scene has of resources, without those that the program only looks at. */
  all(): readonly Stored[] {
    return this.#scene.resources().flatMap(({ stored }) => (stored.isExternal === true ? [] : [stored]));
  }

  /** Whether the program, or state of an earlier run, looks at something that it does not manage. */
  isSomethingLookedAt(): boolean {
    const { run, surroundings } = this.#scene;
    return (
      run.model.branches?.looks === true || [...surroundings.engine().state.values()].some((one) => one.isExternal)
    );
  }

  /** Whether a resource has what is there now: nobody has written it since. */
  isUpToDate(stored: Stored, environmentId: string, name: string): boolean {
    const now = this.#scene.service.ledger.now(environmentId, name);
    return statedVariables(stored).some(
      (one) => one.isOwned && one.environmentId === environmentId && one.name === name && one.seenAt === now?.updatedAt,
    );
  }

  /** Whether no time tells that another resource took a name over: it wrote nothing, or the service moved nothing. */
  areAlike(environmentId: string, name: string): boolean {
    const times = this.#stated(environmentId, name).map(({ seenAt }) => seenAt);
    return times.length > 1 && new Set(times.filter((time) => time !== undefined)).size <= 1;
  }

  /** What somebody else has written since this stack last saw it is not deleted: its time tells, where state has one. */
  holdSeen(environmentId: string, name: string): void {
    const { ledger } = this.#scene.service;
    const version = ledger.since(environmentId, name, ledger.moment).at(-1);
    if (version?.by !== "others" || version.variable === undefined) return;
    if (this.#scene.isTouched(environmentId, name)) return;
    const times = this.#stated(environmentId, name).map(({ seenAt }) => seenAt);
    const { updatedAt } = version.variable;
    const isSeen = times.includes(undefined) || times.includes(updatedAt);
    hold(isSeen, "unseen", () => `${name} was deleted, which was written at ${updatedAt}, not at ${times.join(", ")}`);
  }

  /** Whether every resource that has a name leaves its value to the service. */
  areAllExisting(environmentId: string, name: string): boolean {
    const stated = this.#stated(environmentId, name).filter(({ isOwned }) => isOwned);
    return stated.length > 0 && stated.every(({ value }) => isExisting(value));
  }

  /** What the resources' states show of a variable. */
  #stated(environmentId: string, name: string): readonly StatedVariable[] {
    return this.all()
      .flatMap((stored) => statedVariables(stored))
      .filter((variable) => variable.environmentId === environmentId && variable.name === name);
  }
}
