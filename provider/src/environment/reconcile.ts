import type { Environment } from "../client";
import { displayable } from "../client/error-text";
import { InvalidRequestError, PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/partial-failure";
import { poll, POLL_CALL, type PollResult, type WaitLimit } from "../framework/poll";
import { NameLock } from "./name-lock";
import { trySend } from "./send-once";
import { type Action, type DesiredState, type Flags, flagsOf, isAlreadyThere, nextAction } from "./transition";

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

  constructor(message: string, flags: Flags) {
    super(message);
    this.flags = flagsOf(flags);
  }
}

/** What is known of the requests so far. */
interface Progress {
  /** The environment as it was read before the wait; `undefined` once that is used. */
  unused: Environment | undefined;
  /** The environment as it was read last. */
  environment: Environment | undefined;
  /** Whether a request may still take effect. */
  isSettling: boolean;
  /** The flags of the last read while that is so. */
  flags: string;
  /** Whether the service refused the last request while it was processing: later it may accept that. */
  isRefusedForNow: boolean;
  /** Requests that reached the service, or may have, by action and flags; the error of one whose result is ambiguous. */
  readonly sent: Map<string, PreviewenvError | undefined>;
  readonly refused: Map<Action, PreviewenvError>;
  /** How often a stop whose result was ambiguous was sent again. */
  repetitions: number;
}

/** One environment is brought to a state by one resource at a time: the next one finds what that has come to. */
class Reconciling {
  readonly lock = new NameLock();
}

/**
 * Brings an environment to a state and waits until its flags show it. A refusal whose title says that it is there already is
 * success, and so is any other one when the flags show the state right after it.
 * @throws the service's refusal, when the flags still call for what it refuses.
 * @throws UnsettledError for whatever ends it once an action has reached the service, or may have.
 * @throws IncompleteError when the flags do not show the state in time, or a request whose result is ambiguous shows no effect.
 */
export async function reconcile(ctx: Context, target: Target): Promise<Environment> {
  const environment = ctx.environment(target.environmentId);
  using _turn = await environment.part(Reconciling).lock.hold([environment.key], ctx.signal);
  return await reach(ctx, target);
}

async function reach(ctx: Context, target: Target): Promise<Environment> {
  const progress: Progress = {
    // Until a request was sent there is nothing to wait for: a failed read is an error here, as everywhere else.
    unused:
      target.settling === undefined
        ? await ctx.client.environments.get(target.environmentId, { signal: ctx.signal })
        : undefined,
    environment: undefined,
    isSettling: target.settling !== undefined,
    flags: "",
    isRefusedForNow: false,
    sent: new Map(),
    refused: new Map(),
    repetitions: 0,
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
  { sent, environment }: Progress,
  error: PreviewenvError,
): Error {
  if (sent.size === 0 || environment === undefined) return error;
  const isNamed = error.message.includes(environmentId);
  const text = isNamed ? error.message : `environment ${ctx.client.titleOf(environmentId)}: ${error.message}.`;
  return new UnsettledError(text, environment);
}

/** Reads the flags and sends what they call for, until there is something to wait for. */
async function step(ctx: Context, target: Target, progress: Progress): Promise<PollResult<Environment>> {
  let isJustSent = false;
  for (;;) {
    const call = { signal: ctx.signal, ...POLL_CALL };
    const environment = progress.unused ?? (await ctx.client.environments.get(target.environmentId, call));
    progress.unused = undefined;
    progress.environment = environment;
    target.refuse?.(environment);
    const action = nextAction(environment, target.state, new Set(progress.refused.keys()));
    if (action === undefined) return { done: environment };
    const isAsked = target.settling === undefined || progress.sent.size > 0;
    const waiting = isAsked ? `${progressWords[action]} ${displayable(environment.name)}` : target.settling;
    // Right after a request, flags that do not show its effect say nothing.
    if (isJustSent || mustWait(target, progress, environment)) return { waiting };
    const key = [action, environment.stopped, environment.retired, environment.deleted].join();
    if (hasNoEffectYet(progress, action, key)) return { waiting };
    const result = await send(ctx, environment, progress, { action, key });
    if (result === "already there") return { done: environment };
    if (result === "ambiguous") return { waiting };
    isJustSent = result === "sent";
  }
}

/** Whether an earlier request may still take effect: while the service works on it, and until two reads in a row are alike. */
function mustWait({ state }: Target, progress: Progress, environment: Environment): boolean {
  if (!progress.isSettling) return false;
  const before = progress.flags;
  progress.flags = JSON.stringify(flagsOf(environment));
  // While an environment is to be stopped, `processing` is somebody's build and no sign of the stop.
  const isWorking = environment.processing && (state === "running" || progress.isRefusedForNow);
  if (isWorking || progress.flags !== before) return true;
  progress.isSettling = false;
  progress.isRefusedForNow = false;
  return false;
}

/** Whether the service has accepted this action, and the flags may follow late. @throws when it refused it, or nothing shows that it got it */
function hasNoEffectYet(progress: Progress, action: Action, key: string): boolean {
  const refusal = progress.refused.get(action);
  if (refusal !== undefined) throw refusal;
  const ambiguous = progress.sent.get(key);
  if (ambiguous === undefined) return progress.sent.has(key);
  // A stop starts no build: it may be sent again once it is seen to have had no effect.
  if (action !== "stop" || progress.repetitions >= MAX_REPETITIONS)
    throw new IncompleteError(
      `${ambiguous.message} No effect of it can be seen. The next \`pulumi up\` looks again and continues.`,
    );
  progress.repetitions += 1;
  return false;
}

/** An action, and the flags that call for it. */
interface Request {
  readonly action: Action;
  readonly key: string;
}

type Result = "sent" | "ambiguous" | "already there" | "refused";

async function send(
  ctx: Context,
  environment: Environment,
  progress: Progress,
  { action, key }: Request,
): Promise<Result> {
  const { id, processing } = environment;
  try {
    const error = await trySend(ctx, id, {
      startsBuild: action !== "stop",
      send: () => ctx.client.environments[action](id, { signal: ctx.signal, repeatable: false }),
    });
    progress.sent.set(key, error);
    progress.isSettling = true;
    progress.flags = "";
    return error === undefined ? "sent" : "ambiguous";
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    progress.isRefusedForNow = progress.isSettling = processing;
    if (processing) return "refused";
    if (isAlreadyThere(action, environment, error.titles)) return "already there";
    progress.refused.set(action, error);
    return "refused";
  }
}
