import { isDeepStrictEqual } from "node:util";
import type { Environment } from "../client";
import { displayable } from "../client/error-text";
import { InvalidRequestError, PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/partial-failure";
import { poll, POLL_CALL, type PollResult, type WaitLimit } from "../framework/poll";
import { trySend } from "./send-once";
import { NameLock } from "./name-lock";
import {
  type Action,
  type DesiredState,
  type Flags,
  flagsFromRefusal,
  flagsOf,
  nextAction,
  stateOf,
} from "./transition";

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
  /** Requests that reached the service, or may have, by action and flags; the error of one whose result is ambiguous. */
  readonly sent: Map<string, PreviewenvError | undefined>;
  readonly refused: Map<Action, PreviewenvError>;
  /** The service refused something while it was processing: when that is over, it may accept it. */
  isHeldUp: boolean;
  /** The flags as they were read last, since a request last reached the service. */
  flags: Flags | undefined;
}

/** One environment is brought to a state by one resource at a time: the next one finds what that has come to. */
class Reconciling {
  readonly lock = new NameLock();
}

/**
 * Brings an environment to a state and waits until its flags show it. It is no failure when the service
 * refuses an action because the environment is in that state already: the flags tell that, or the title of the refusal does.
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
    sent: new Map(),
    refused: new Map(),
    isHeldUp: false,
    flags: undefined,
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
  for (;;) {
    const call = { signal: ctx.signal, ...POLL_CALL };
    const environment = progress.unused ?? (await ctx.client.environments.get(target.environmentId, call));
    progress.unused = undefined;
    progress.environment = environment;
    target.refuse?.(environment);
    const action = nextAction(environment, target.state, new Set(progress.refused.keys()));
    if (action === undefined) return { done: environment };
    const { stopped, retired, deleted } = environment;
    const request = { action, key: [action, stopped, retired, deleted].join(), environment };
    const result = mustWait(target, progress, request) ? "waits" : await send(ctx, target, progress, request);
    // What was read before the request may be older than its effect: an attempt without an answer may have brought it there.
    if (result === "isThere") return { done: await ctx.client.environments.get(target.environmentId, call) };
    if (result === "waits") {
      const isSent = target.settling === undefined || progress.sent.size > 0;
      return { waiting: isSent ? `${progressWords[action]} ${displayable(environment.name)}` : target.settling };
    }
  }
}

/** An action, and the environment whose flags call for it. */
interface Request {
  readonly action: Action;
  readonly key: string;
  readonly environment: Environment;
}

/** Whether the effect of earlier requests may still show. @throws when they were refused, or did not show any. */
function mustWait(target: Target, progress: Progress, { action, key, environment }: Request): boolean {
  if (isSettling(target, progress, environment)) return true;
  const refusal = progress.refused.get(action);
  if (refusal !== undefined) throw refusal;
  const ambiguous = progress.sent.get(key);
  if (ambiguous !== undefined)
    throw new IncompleteError(
      `${ambiguous.message} No effect of it can be seen. The next \`pulumi up\` looks again and continues.`,
    );
  return progress.sent.has(key);
}

/** While the service acts on a request, flags may change one after the other: they count once it is idle, and they were read twice. */
function isSettling(target: Target, progress: Progress, environment: Environment): boolean {
  const { flags: before } = progress;
  progress.flags = flagsOf(environment);
  const { processing } = environment;
  progress.isHeldUp &&= processing;
  if (progress.isHeldUp) return true;
  if (target.settling === undefined && progress.sent.size === 0) return false;
  // While an environment is to be stopped, `processing` is somebody's build and no sign of the stop.
  return (processing && target.state === "running") || !isDeepStrictEqual(before, progress.flags);
}

/** Sends what is called for. After an answer, whichever, the flags are read at once. */
async function send(
  ctx: Context,
  { environmentId, state }: Target,
  progress: Progress,
  { action, key, environment }: Request,
): Promise<"isThere" | "answered" | "waits"> {
  try {
    const error = await trySend(ctx, environmentId, {
      startsBuild: action !== "stop",
      send: () => ctx.client.environments[action](environmentId, { signal: ctx.signal }),
    });
    progress.sent.set(key, error);
    progress.flags = undefined;
    return error === undefined ? "answered" : "waits";
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    const told = { ...environment, ...flagsFromRefusal(action, error.titles) };
    if (stateOf(told) === state) return "isThere";
    if (environment.processing) progress.isHeldUp = true;
    else progress.refused.set(action, error);
    return "answered";
  }
}
