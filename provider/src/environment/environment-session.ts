import type { Clock } from "../client/clock";
import type { EnvVar } from "../client/env-vars";
import type { BuildRequests, EnvironmentSession, NameKind } from "../framework/environment-session";
import { RunOwnedNames } from "./owned-names";
import type { RunWaits } from "./run-waits";
import { SharedRead } from "./shared-read";

/** Runs actions one after the other, in the order they came. */
export class Lock {
  #tail: Promise<unknown> = Promise.resolve();

  async run<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(action);
    // The next one in line must run whatever this one's outcome; the caller sees the failure through `result`.
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

/** @see BuildRequests */
class RunBuildRequests implements BuildRequests {
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

/** @see EnvironmentSession */
export class RunEnvironmentSession implements EnvironmentSession {
  readonly key: string;
  readonly variables: RunOwnedNames;
  readonly branches: RunOwnedNames;
  readonly builds = new RunBuildRequests();
  readonly reading: SharedRead<EnvVar>;
  wantedState: "running" | "stopped" | undefined;
  readonly #locks = { variables: new Lock(), branches: new Lock() };
  readonly #parts = new Map<unknown, unknown>();

  constructor(key: string, clock: Clock, waits: RunWaits) {
    this.key = key;
    this.variables = new RunOwnedNames(waits);
    this.branches = new RunOwnedNames(waits);
    this.reading = new SharedRead(clock);
  }

  withLock<T>(kind: NameKind, action: () => Promise<T>): Promise<T> {
    return this.#locks[kind].run(action);
  }

  part<T>(kind: new (environment: EnvironmentSession) => T): T {
    const known = this.#parts.get(kind);
    if (known instanceof kind) return known;
    const made = new kind(this);
    this.#parts.set(kind, made);
    return made;
  }
}
