import type { BuildRequests } from "../framework/environment-session";

/** @see BuildRequests */
export class RunBuildRequests implements BuildRequests {
  haveVariablesChanged = false;
  #count = 0;

  note(): void {
    this.#count += 1;
  }

  get isSingle(): boolean {
    return this.#count <= 1;
  }

  noteVariableChange(): void {
    this.haveVariablesChanged = true;
  }
}
