import { type Connections, PreviewenvClient } from "../client";
import { type Clock, MS_PER_SECOND, systemClock } from "../client/clock";
import type { Session } from "../framework/context";
import { environmentKey } from "../client/names";
import type { Settings } from "../framework/settings";
import { EnvironmentSession } from "../run/environment-session";
import { PlanningWaits } from "../run/planning-waits";

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
  const waits = new PlanningWaits(clock);
  const environments = new Map<string, EnvironmentSession>();
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
      const known = environments.get(key) ?? new EnvironmentSession(key, clock, waits);
      environments.set(key, known);
      return known;
    },
    batch: { size: batchSize },
    previewChecks,
    secretHints,
    randomId,
  };
}
