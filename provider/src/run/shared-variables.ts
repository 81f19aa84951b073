import type { Clock } from "../client/clock";
import type { EnvVar } from "../client/env-vars";

/** Variables as the service gave them. */
export type VariablesByName = ReadonlyMap<string, EnvVar>;

/** Why an environment has no variables that can be read: it does not exist (any more), or it is marked as deleted. */
export type Absence = "gone" | "deleted";

/** A shared read is given out again while somebody asks for it at least this often ... */
const IDLE_MS = 2_000;
/** ... and never longer than this after it was made. */
const MAX_MS = 60_000;

interface Read {
  readonly madeAt: number;
  askedAt: number;
  readonly variables: Promise<Map<string, EnvVar> | Absence>;
}

/**
 * The environment's variables, in a read that several resources share for a short time, so that refreshing N of them costs
 * one request. Never kept across a write: an answered one is merged in, an ambiguous one drops the read.
 */
export class SharedVariables {
  readonly #clock: Clock;
  #read: Read | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * What `load` gave, a moment ago or now, with what was written since, or why there is nothing. All who ask get the same map: with a
   * copy each, N resources would cost N times N.
   */
  get(load: () => Promise<Map<string, EnvVar> | Absence>): Promise<VariablesByName | Absence> {
    const read = this.#valid() ?? this.#begin(load());
    read.askedAt = this.#clock.now();
    return read.variables;
  }

  /** The service answered a write of this run. `undefined` for what was deleted. Whoever asks from now on sees it. */
  merge(name: string, variable: EnvVar | undefined): void {
    const merged = this.#read?.variables.then((variables) => {
      if (typeof variables === "string") return variables;
      if (variable === undefined) variables.delete(name);
      else variables.set(name, variable);
      return variables;
    });
    merged?.catch(() => undefined);
  }

  /** What the service holds is not certain any more. */
  drop(): void {
    this.#read = undefined;
  }

  #valid(): Read | undefined {
    const read = this.#read;
    const now = this.#clock.now();
    if (read === undefined || now - read.askedAt > IDLE_MS || now - read.madeAt > MAX_MS) return undefined;
    return read;
  }

  #begin(variables: Promise<Map<string, EnvVar> | Absence>): Read {
    const now = this.#clock.now();
    const read: Read = { madeAt: now, askedAt: now, variables };
    this.#read = read;
    // A failed read is shared by those who wait for it, and by nobody after them.
    variables.catch(() => {
      if (this.#read === read) this.#read = undefined;
    });
    return read;
  }
}
