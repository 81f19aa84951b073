import { type Dispatcher, PreviewenvClient } from "../client";
import { type Clock, systemClock } from "../client/clock";
import { Causes } from "./causes";
import { Claims } from "./claims";
import { BatchSize, type Session } from "../framework/context";
import { Mutex } from "./mutex";
import type { Settings } from "../framework/settings";
import { VariableChanges } from "./variable-changes";

const MS_PER_SECOND = 1_000;

/** What a host may hand in instead of the real thing: time, chance, identifiers, connections. */
export interface SessionOptions {
  readonly clock?: Clock;
  readonly randomId?: () => string;
  readonly dispatcher?: Dispatcher;
}

/** Starts what the handlers of one provider process share: one client, one set of claims. */
export function startSession(settings: Settings, options: SessionOptions = {}): Session {
  const { clock = systemClock, randomId = () => crypto.randomUUID(), dispatcher } = options;
  const { requestTimeoutSeconds, batchSize, ...rest } = settings;
  return {
    client: new PreviewenvClient({
      ...rest,
      requestTimeoutMs: Math.round(requestTimeoutSeconds * MS_PER_SECOND),
      clock,
      dispatcher,
    }),
    clock,
    claims: new Claims(),
    causes: new Causes(),
    variableChanges: new VariableChanges(),
    mutex: new Mutex(),
    batch: new BatchSize(batchSize),
    randomId,
  };
}
