import { randomUUID } from "node:crypto";
import type { Choices } from "./choices";
import type { Clock } from "./clock";
import type { Environment } from "./model";

/** The parts that a store is made from. */
export interface StoreOptions {
  readonly clock: Clock;
  readonly choices: Choices;
  readonly buildSeconds: number;
  /** Makes ids of builds and variables. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** Everything the sandbox knows, shared by the service's endpoints, the world and the state file. */
export class Store {
  readonly clock: Clock;
  readonly choices: Choices;
  readonly buildSeconds: number;
  readonly newId: () => string;
  /** By id, in the order they were added. */
  readonly environments = new Map<string, Environment>();
  /** Commits pushed by hand, counted for each `org/repo#branch`. */
  readonly commits = new Map<string, number>();
  /** So that two builds queued in the same millisecond differ. */
  lastQueuedMicros = 0;
  /** How far the clock was set back that `queued_at` of new builds is taken from. */
  clockBackMs = 0;
  /** Called after each change. The state file listens here. */
  onChange: () => void = () => {};

  constructor(options: StoreOptions) {
    this.clock = options.clock;
    this.choices = options.choices;
    this.buildSeconds = options.buildSeconds;
    this.newId = options.newId ?? randomUUID;
  }

  /** The environment with this id, in any letter case. */
  find(environmentId: string): Environment | undefined {
    return this.environments.get(environmentId.toLowerCase());
  }

  /** To be called once after each change. */
  changed(): void {
    this.onChange();
  }
}
