import type { SimulatedRequest } from "./network";
import { environmentOf, type Fault, isTraceable, meets, sinceStart, type Trouble } from "./trouble";

/** The troubles of one run, at the requests that they meet. */
export class RunTroubles {
  /** Labels of the requests that met a fault. */
  readonly met: string[] = [];
  /** Whether nothing happens in the run that keeps the provider from knowing what it did. */
  readonly isTraceable: boolean;
  readonly #troubles: readonly Trouble[];
  readonly #environmentIds: readonly string[];

  constructor(troubles: readonly Trouble[], environmentIds: readonly string[]) {
    this.#troubles = troubles;
    this.#environmentIds = environmentIds;
    this.isTraceable = troubles.every(isTraceable) && troubles.length <= 1;
  }

  /** Whether the provider may not know what it did in an environment. */
  isMurky(environmentId: string): boolean {
    const on = environmentOf(this.#troubles);
    return !this.isTraceable && (on === undefined || this.#environmentIds[on] === environmentId);
  }

  /** What begins at a request. */
  beginning(request: SimulatedRequest): readonly Trouble["what"][] {
    return this.#at(request).flatMap((trouble) => (sinceStart(trouble, request) === 0 ? [trouble.what] : []));
  }

  /** The fault that a request meets. */
  fault(request: SimulatedRequest): Fault | undefined {
    for (const { what } of this.#at(request))
      if (what.kind !== "foreign" && what.kind !== "crash" && what.kind !== "cancel" && meets(what, request.label)) {
        this.met.push(request.label);
        return what;
      }
    return undefined;
  }

  #at(request: SimulatedRequest): readonly Trouble[] {
    return this.#troubles.filter((trouble) => {
      if (trouble.on !== undefined && this.#environmentIds[trouble.on] !== request.environmentId) return false;
      const count = sinceStart(trouble, request);
      return count >= 0 && count < (trouble.times ?? 1);
    });
  }
}
