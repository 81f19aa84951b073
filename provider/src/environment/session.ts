import { type Dispatcher, PreviewenvClient } from "../client";
import { type Clock, MS_PER_SECOND, systemClock } from "../client/clock";
import { RunEnvironmentSession } from "./environment-session";
import { RunWaits } from "./run-waits";
import { environmentKey } from "../framework/environment-session";
import type { BatchSize, Session } from "../framework/context";
import type { Settings } from "../framework/settings";

/** What a test may replace: the clock, random identifiers, connections. */
export interface SessionOptions {
  readonly clock?: Clock;
  readonly randomId?: () => string;
  readonly dispatcher?: Dispatcher;
}

/** Starts what the handlers of one provider process share: one client, one object for each environment. */
export function startSession(settings: Settings, options: SessionOptions = {}): Session {
  const { clock = systemClock, randomId = () => crypto.randomUUID(), dispatcher } = options;
  const { requestTimeoutSeconds, batchSize, previewChecks, ...rest } = settings;
  const waits = new RunWaits(clock);
  const environments = new Map<string, RunEnvironmentSession>();
  return {
    client: new PreviewenvClient({
      ...rest,
      requestTimeoutMs: Math.round(requestTimeoutSeconds * MS_PER_SECOND),
      clock,
      dispatcher,
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
