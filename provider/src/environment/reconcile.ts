import type { Environment } from "../client";
import { displayable } from "../client/error-text";
import { InvalidRequestError, PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/partial-failure";
import { poll, POLL_CALL, type PollResult, type WaitLimit } from "../framework/poll";
import { trySend } from "./send-once";
import { Lock } from "./session";
import {
  type Action,
  type DesiredState,
  type Flags,
  flagsFromRefusal,
  flagsOf,
  nextAction,
  stateOf,
} from "./transition";

/** How often the flags are read after a request before they count as its effect, or the request as lost. */
const READS_AFTER_REQUEST = 3;
const MAX_REPETITIONS = 3;

/** Words for progress. */
const progressWords: Readonly<Record<Action, string>> = {
  stop: "stopping",
  restart: "restarting",
  rebuild: "rebuilding",
  revive: "reviving",
  cancel: "cancelling the build of",
};

/** The state that an environment shall have, and how long that may take. */
export interface Target extends WaitLimit {
  readonly environmentId: string;
  readonly state: DesiredState;
  /** The input that sets the timeout, for errors. */
  readonly timeoutName: string;
  /** A request of the caller may still bring the environment there: words for progress until its effect should show. */
  readonly settling?: string;
  /** Throws when an environment in this condition must be left alone. */
  readonly refuse?: (environment: Environment) => void;
}

/** Something was requested, and may still take effect: the environment is not known to have the wanted state. */
export class UnsettledError extends IncompleteError {
  /** The flags that were read last. */
  readonly flags: Flags;
  /** What they say, together with what refusals said. */
  readonly state: DesiredState;

  constructor(message: string, flags: Flags, corrections: Partial<Flags>) {
    super(message);
    this.flags = flagsOf(flags);
    this.state = stateOf({ ...this.flags, ...corrections });
  }
}

/** What is known of the requests so far. */
interface Progress {
  /** The environment as it was read before the wait; `undefined` once that is used. */
  unused: Environment | undefined;
  /** The environment as it was read last. */
  environment: Environment | undefined;
  /** Requests that reached the service, or may have, by action and flags; the error of one whose result is ambiguous. */
  readonly sent: Map<string, PreviewenvError | undefined>;
  readonly refused: Map<Action, PreviewenvError>;
  /** The service refused something while it was processing: later it may accept that. */
  refusedWhileProcessing: boolean;
  /** What refusals said about flags. */
  corrections: Partial<Flags>;
  /** How often a stop whose result was ambiguous was sent again. */
  repetitions: number;
  /** How often the flags were read, while the service was not processing, since a request last reached it. */
  reads: number;
}

/** One environment is brought to a state by one resource at a time: the next one finds what that has come to. */
class Reconciling {
  readonly lock = new Lock();
}

/**
 * Brings an environment to a state and waits until its flags show it. It is no failure when the service
 * refuses an action because the environment is in that state already. The flags tell that, or else the title of the refusal.
 * @throws the service's refusal, when the flags still call for what it refuses.
 * @throws UnsettledError for whatever ends it once an action has reached the service, or may have.
 * @throws IncompleteError when the flags do not show the state in time, or a request whose result is ambiguous shows no effect.
 */
export function reconcile(ctx: Context, target: Target): Promise<Environment> {
  const { lock } = ctx.environment(target.environmentId).part(Reconciling);
  return lock.run(() => reach(ctx, target));
}

async function reach(ctx: Context, target: Target): Promise<Environment> {
  const progress: Progress = {
    // Until a request was sent there is nothing to wait for: a failed read is an error here, as everywhere else.
    unused:
      target.settling === undefined
        ? await ctx.client.environments.get(target.environmentId, { signal: ctx.signal })
        : undefined,
    environment: undefined,
    sent: new Map(),
    refused: new Map(),
    refusedWhileProcessing: false,
    corrections: {},
    repetitions: 0,
    reads: 0,
  };
  try {
    return await poll(ctx, {
      timeoutMs: target.timeoutMs,
      since: target.since,
      timeoutName: target.timeoutName,
      look: () => step(ctx, target, progress),
      onTimeout: ({ after, lastFailure }) =>
        new IncompleteError(
          `environment ${ctx.client.titleOf(target.environmentId)} is not ${target.state} ${after}. The next \`pulumi up\` continues.${lastFailure}`,
        ),
    });
  } catch (error) {
    throw error instanceof PreviewenvError ? unsettled(ctx, target, progress, error) : error;
  }
}

/** A request may still take effect: the error says how the environment was, so that the next `up` looks again. */
function unsettled(
  ctx: Context,
  { environmentId }: Target,
  { sent, environment, corrections }: Progress,
  error: PreviewenvError,
): Error {
  if (sent.size === 0 || environment === undefined) return error;
  const isNamed = error.message.includes(environmentId);
  const text = isNamed ? error.message : `environment ${ctx.client.titleOf(environmentId)}: ${error.message}.`;
  return new UnsettledError(text, environment, corrections);
}

/** Reads the flags and sends what they call for, until there is something to wait for. */
async function step(ctx: Context, target: Target, progress: Progress): Promise<PollResult<Environment>> {
  for (;;) {
    const call = { signal: ctx.signal, ...POLL_CALL };
    const environment = progress.unused ?? (await ctx.client.environments.get(target.environmentId, call));
    progress.unused = undefined;
    progress.environment = environment;
    target.refuse?.(environment);
    const { processing } = environment;
    // While an environment is to be stopped, `processing` is somebody's build and no sign of the stop.
    progress.reads = processing && target.state === "running" ? 0 : progress.reads + 1;
    if (progress.refusedWhileProcessing && !processing) {
      progress.refused.clear();
      progress.refusedWhileProcessing = false;
    }
    const flags = { ...environment, ...progress.corrections };
    const action = nextAction(flags, target.state, new Set(progress.refused.keys()));
    if (action === undefined) return { done: environment };
    const request = { action, key: [action, flags.stopped, flags.retired, flags.deleted].join(), processing };
    // After an answer, whichever, the flags are read at once.
    const isAnswered =
      !mustWait(target, progress, request) && (await send(ctx, target.environmentId, progress, request));
    const { settling } = target;
    if (settling !== undefined && progress.sent.size === 0 && !isAnswered) return { waiting: settling };
    if (!isAnswered) return { waiting: `${progressWords[action]} ${displayable(environment.name)}` };
  }
}

/** An action, and the flags that call for it. */
interface Request {
  readonly action: Action;
  readonly key: string;
  readonly processing: boolean;
}

/** Whether the effect of earlier requests may still show. @throws when they were refused, or did not show any. */
function mustWait({ settling }: Target, progress: Progress, { action, key, processing }: Request): boolean {
  const refusal = progress.refused.get(action);
  if (refusal !== undefined && !processing) throw refusal;
  const ambiguous = progress.sent.get(key);
  if (ambiguous !== undefined && progress.reads > READS_AFTER_REQUEST) {
    // A stop starts no build: it may be sent again once it is seen to have had no effect.
    if (action !== "stop" || progress.repetitions >= MAX_REPETITIONS)
      throw new IncompleteError(
        `${ambiguous.message} No effect of it can be seen. The next \`pulumi up\` looks again and continues.`,
      );
    progress.repetitions += 1;
    progress.sent.delete(key);
  }
  // While the service acts on a request, flags may change one after the other: a further request could be too much.
  const hasRequested = settling !== undefined || progress.sent.size > 0;
  const isSettling = hasRequested && progress.reads < READS_AFTER_REQUEST;
  return refusal !== undefined || progress.sent.has(key) || isSettling;
}

/** Whether the service answered. */
async function send(ctx: Context, environmentId: string, progress: Progress, request: Request): Promise<boolean> {
  const { action, key, processing } = request;
  try {
    const error = await trySend(ctx, environmentId, {
      startsBuild: action !== "stop",
      send: () => ctx.client.environments[action](environmentId, { signal: ctx.signal, repeatable: false }),
    });
    progress.sent.set(key, error);
    progress.reads = 0;
    return error === undefined;
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    progress.refused.set(action, error);
    if (processing) progress.refusedWhileProcessing = true;
    else progress.corrections = { ...progress.corrections, ...flagsFromRefusal(action, error.titles) };
    return true;
  }
}
