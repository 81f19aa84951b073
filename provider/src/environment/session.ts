import { type Connections, PreviewenvClient } from "../client";
import { type Clock, MS_PER_SECOND, systemClock } from "../client/clock";
import { NameLock } from "./name-lock";
import { RunWaits, RunOwnedNames } from "./owned-names";
import { environmentKey, type BuildRequests, type EnvironmentSession } from "../framework/environment-session";
import type { BatchSize, Session } from "../framework/context";
import type { Settings } from "../framework/settings";
import { SharedRead } from "./variables";

/** What a test may replace: the clock, random identifiers, connections. */
export interface SessionOptions {
  readonly clock?: Clock;
  readonly randomId?: () => string;
  readonly connections?: Connections;
}

/** Starts what the handlers of one provider process share: one client, one object for each environment. */
export function startSession(settings: Settings, options: SessionOptions = {}): Session {
  const { clock = systemClock, randomId = () => crypto.randomUUID(), connections } = options;
  const { requestTimeoutSeconds, batchSize, previewChecks, secretHints, ...rest } = settings;
  const waits = new RunWaits(clock);
  const environments = new Map<string, RunEnvironmentSession>();
  return {
    client: new PreviewenvClient({
      ...rest,
      requestTimeoutMs: Math.round(requestTimeoutSeconds * MS_PER_SECOND),
      clock,
      connections,
    }),
    clock,
    notePlanning: () => waits.notePlanning(),
    environment(id) {
      const key = environmentKey(id);
      const known = environments.get(key) ?? new RunEnvironmentSession(key, clock, waits);
      environments.set(key, known);
      return known;
    },
    batch: new RunBatchSize(batchSize),
    previewChecks,
    secretHints,
    randomId,
  };
}

/** @see BatchSize */
export class RunBatchSize implements BatchSize {
  size: number;

  constructor(size: number) {
    this.size = size;
  }

  halve(tried: number): boolean {
    if (tried <= 1) return false;
    this.size = Math.min(this.size, Math.ceil(tried / 2));
    return true;
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
  readonly reading: SharedRead;
  readonly deleting: SharedRead;
  readonly #variableLock = new NameLock();
  readonly #branchesLock = new NameLock();
  readonly #parts = new Map<unknown, unknown>();

  constructor(key: string, clock: Clock, waits: RunWaits) {
    this.key = key;
    this.variables = new RunOwnedNames(waits);
    this.branches = new RunOwnedNames(waits);
    this.reading = new SharedRead(clock);
    this.deleting = new SharedRead(clock);
  }

  holdVariables(names: Iterable<string>, signal: AbortSignal): Promise<Disposable> {
    return this.#variableLock.hold(names, signal);
  }

  holdBranches(signal: AbortSignal): Promise<Disposable> {
    return this.#branchesLock.hold([this.key], signal);
  }

  part<T>(kind: new (environment: EnvironmentSession) => T): T {
    const known = this.#parts.get(kind);
    if (known instanceof kind) return known;
    const made = new kind(this);
    this.#parts.set(kind, made);
    return made;
  }
}
