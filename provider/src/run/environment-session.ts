import type { Clock } from "../client/clock";
import { NameLock } from "./name-lock";
import { NamesInRun } from "./names-in-run";
import type { EngineActivity } from "./engine-activity";
import { SharedVariables } from "./shared-variables";

/** The environments of one run. */
export interface RunEnvironments {
  /** What this run knows and does of an environment: one object for it, whatever the case of its UUID. */
  environment(id: string): EnvironmentSession;
  /** The engine has called Check or Diff: it may have more to show. */
  noteEngineCall(): void;
  /** Whether the engine has refreshed a resource in this run: then it has shown every state of the stack, as far as this provider serves it. */
  isRefreshed(): boolean;
  noteRefresh(): void;
}

/** What the resources of one run know and do of one environment. */
export class EnvironmentSession {
  /** Its id in the one spelling that all resources of the run share. */
  readonly key: string;
  readonly clock: Clock;
  /** What the run knows of the names of variables. */
  readonly names = new NamesInRun();
  /** Repositories whose branch some resource of the program declares. A destroy declares none. */
  readonly declaredRepositories = new Set<string>();
  readonly variableCache: SharedVariables;
  /** The same for deletes of resources. They come last: what the resources of another Provider have written until then must count. */
  readonly variableCacheForDeletes: SharedVariables;
  /** Whether somebody was told that it is gone: once in a run is enough. */
  isToldGone = false;
  /** Whether the program declares something of it because a list has it. */
  isListed = false;
  /** Whether this run has begun to send a request that changes variables. A build that was there before may be without the change, and the
   * service does not always show that: its times have whole seconds, and of a deleted variable nothing is left. */
  haveVariablesChanged = false;
  /** Held by a resource that writes or deletes variables, by their names. */
  readonly variableLock = new NameLock();
  /** Held, by the name `branches` or `state`, by a resource that changes all branches, or whether the environment runs. */
  readonly actionLock = new NameLock();
  readonly #parts = new Map<unknown, unknown>();
  readonly #engine: EngineActivity;

  constructor(key: string, clock: Clock, engine: EngineActivity) {
    this.key = key;
    this.clock = clock;
    this.#engine = engine;
    this.variableCache = new SharedVariables(clock);
    this.variableCacheForDeletes = new SharedVariables(clock);
  }

  /** Waits until the engine has probably shown all that the program declares. Never call it while a lock is held. */
  untilEngineIsQuiet(signal: AbortSignal): Promise<void> {
    return this.#engine.untilQuiet(signal);
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
