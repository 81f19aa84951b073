import { PreviewenvClient } from "../client";
import type { Connections } from "../client/connections";
import { type Clock, MS_PER_SECOND, systemClock } from "../client/clock";
import type { Run } from "../framework/context";
import { DuplicateDeclarations } from "../framework/duplicate-declarations";
import { environmentKey } from "../client/text-rules";
import { PreviewWarnings } from "../framework/preview-looks";
import { globsIn } from "../framework/setting-forms";
import type { Settings } from "../framework/settings";
import { EnvironmentInRun } from "../run/environment-in-run";

/** The parts that a test may replace: the clock, random identifiers, connections. */
export interface RunOptions {
  readonly clock?: Clock;
  readonly randomId?: () => string;
  readonly connections?: Connections;
}

/** Starts what the handlers of one provider process share: one client, one object for each environment. */
export function startRun(settings: Settings, options: RunOptions = {}): Run {
  const { clock = systemClock, randomId = () => crypto.randomUUID(), connections } = options;
  const { requestTimeoutSeconds, batchSize, previewChecks, secretHints, ...rest } = settings;
  const environments = new Map<string, EnvironmentInRun>();
  let isRefreshed = false;
  return {
    client: new PreviewenvClient({
      ...rest,
      requestTimeoutMs: Math.round(requestTimeoutSeconds * MS_PER_SECOND),
      clock,
      connections,
    }),
    clock,
    declarations: new DuplicateDeclarations(),
    isRefreshed: () => isRefreshed,
    noteRefresh: () => void (isRefreshed = true),
    environment(id) {
      const key = environmentKey(id);
      const known = environments.get(key) ?? new EnvironmentInRun(key, clock);
      environments.set(key, known);
      return known;
    },
    batch: { size: batchSize },
    warnings: new PreviewWarnings(),
    previewChecks,
    notSecretNames: globsIn(secretHints),
    randomId,
  };
}
