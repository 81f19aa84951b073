import type { Clock } from "../client/clock";
import { NameLock } from "./name-lock";
import { OwnedNames } from "./owned-names";
import type { EngineActivity } from "./engine-activity";
import { SharedVariables } from "./shared-variables";

/** The environments of one run. */
export interface RunEnvironments {
  /** What this run knows and does of an environment: one object for it, whatever the case of its UUID. */
  environment(id: string): EnvironmentSession;
  /** The engine has called Check or Diff: it may have more to show. */
  noteEngineCall(): void;
}

/** What the resources of one run know and do of one environment. */
export class EnvironmentSession {
  /** Its id in the one spelling that all resources of the run share. */
  readonly key: string;
  /** Which resource declares or owns each variable, and each repository with its branch. */
  readonly variableOwnership: OwnedNames;
  readonly repositoryOwnership: OwnedNames;
  readonly variableCache: SharedVariables;
  /** The same for deletes of resources. They come last: what the resources of another Provider have written until then must count. */
  readonly variableCacheForDeletes: SharedVariables;
  /** Whether somebody was told that it is gone: once in a run is enough. */
  isToldGone = false;
  /** Whether this run has begun to send a request that changes variables. A build that was there before may be without the change, and the
   * service does not always show that: its times have whole seconds, and of a deleted variable nothing is left. */
  haveVariablesChanged = false;
  /** Held by a resource that writes or deletes variables, by their names. */
  readonly variableLock = new NameLock();
  /** Held, by the name `branches` or `state`, by a resource that changes all branches, or whether the environment runs. */
  readonly actionLock = new NameLock();
  readonly #parts = new Map<unknown, unknown>();

  constructor(key: string, clock: Clock, engine: EngineActivity) {
    this.key = key;
    this.variableOwnership = new OwnedNames(engine);
    this.repositoryOwnership = new OwnedNames(engine);
    this.variableCache = new SharedVariables(clock);
    this.variableCacheForDeletes = new SharedVariables(clock);
  }

  /** Waits until the engine has probably shown all that the program declares. Never call it while a lock is held. */
  untilEngineIsQuiet(signal: AbortSignal): Promise<void> {
    return this.variableOwnership.untilEngineIsQuiet(signal);
  }

  /** The one `kind` of this environment, made when it is first asked for. */
  part<T>(kind: new (environment: EnvironmentSession) => T): T {
    const known = this.#parts.get(kind);
    if (known instanceof kind) return known;
    const made = new kind(this);
    this.#parts.set(kind, made);
    return made;
  }
}
