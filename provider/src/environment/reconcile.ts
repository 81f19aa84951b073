import { isDeepStrictEqual } from "node:util";
import type { Action, Environment } from "../client/environments";
import type { CallOptions } from "../client/call";
import { displayable } from "../client/error-text";
import { InvalidRequestError, PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/resource-errors";
import { POLL_CALL, Wait, type WaitLimit } from "./wait";
import { ambiguousErrorOf } from "./send-once";
import { type DesiredState, type Flags, flagsFromRefusal, flagsOf, nextAction, stateOf } from "./running-state";

/** Words for progress. */
const progressWords: Readonly<Record<Action, string>> = {
  stop: "stopping",
  restart: "restarting",
  rebuild: "rebuilding",
  revive: "reviving",
  cancel: "cancelling the build of",
};

const WAITING = "waiting for the end of a build of";

/** The state that an environment shall have, and how long that may take. */
export interface StateChange extends WaitLimit {
  readonly environmentId: string;
  readonly state: DesiredState;
  /** A request of the caller may still bring the environment there: words for progress until its effect should show. */
  readonly settling?: string;
  /** False: an environment that is deleted stays as it is. */
  readonly mayRevive?: boolean;
}

/** An environment after its state was asked for. */
export interface Reconciled {
  /** The environment as it was read last. */
  readonly environment: Environment;
  /** Why it is not known to have the state, though something was requested that may still take effect. */
  readonly unfinishedReason?: string;
}

/** The outcome of the requests so far. */
interface Requests {
  /** Those that reached the service, or may have, by action and flags. The error of one whose result is ambiguous. */
  readonly sent: Map<string, PreviewenvError | undefined>;
  readonly refused: Map<Action, PreviewenvError>;
  /** Of which a refusal says that there is nothing to do, while the flags do not: they may follow late. */
  readonly doubted: Set<Action>;
  /** The last refusal, until the environment is read after it. */
  refusal: Refusal | undefined;
  /** The environment as it was read last. */
  environment: Environment | undefined;
}

/** A request that the service has refused. */
interface Refusal {
  readonly action: Action;
  readonly error: InvalidRequestError;
  /** Whether the service was processing before. */
  readonly wasProcessing: boolean;
}

/**
 * Brings an environment to a state and waits until its flags show it. It is no failure when the service
 * refuses an action because the environment is in that state already: the flags tell that, or the title of the refusal does, unless
 * the service is processing or what is read after the refusal contradicts the title.
 * After an action has reached the service, or may have, an error becomes `unfinishedReason`. Before that it is thrown.
 * @throws the service's refusal, when the flags still call for what it refuses.
 * @throws IncompleteError when the flags do not show the state in time.
 */
export async function reconcile(ctx: Context, change: StateChange): Promise<Reconciled> {
  const { environmentId } = change;
  // The next resource finds what this one has come to.
  using _lock = await ctx.environment(environmentId).actionLock.lock(["state"], ctx.signal);
  const requests: Requests = {
    sent: new Map(),
    refused: new Map(),
    doubted: new Set(),
    refusal: undefined,
    environment: undefined,
  };
  try {
    return { environment: await reach(ctx, change, requests) };
  } catch (error) {
    const { sent, environment } = requests;
    if (!(error instanceof PreviewenvError) || sent.size === 0 || environment === undefined) throw error;
    const isNamed = error.message.includes(environmentId);
    const unfinishedReason = isNamed
      ? error.message
      : `environment ${ctx.client.titleOf(environmentId)}: ${error.message}.`;
    return { environment, unfinishedReason };
  }
}

/** Reads the flags and sends what they call for, until they show the state. */
async function reach(ctx: Context, change: StateChange, requests: Requests): Promise<Environment> {
  const { environmentId, state, settling } = change;
  const { sent, refused } = requests;
  const read = (call: CallOptions = {}): Promise<Environment> =>
    ctx.client.environments.get(environmentId, { signal: ctx.signal, ...call });
  const wait = new Wait(ctx, change);
  // Until a request was sent there is nothing to wait for: a failed read is an error here, as everywhere else.
  const first = settling === undefined ? await read() : await wait.poll(read(POLL_CALL));
  wait.what = settling ?? wait.what;
  // The service may accept later what it refused while it was processing.
  let heldUpBy: PreviewenvError | undefined;
  let flagsBefore: Flags | undefined;
  for (let environment: Environment | undefined = first; ; environment = await wait.poll(read(POLL_CALL))) {
    if (environment !== undefined) {
      requests.environment = environment;
      if (environment.deleted && change.mayRevive === false) return environment;
      const refusal = requests.refusal?.error;
      const meaning = meaningOfRefusal(requests, environment, state);
      const action = nextAction(environment, state, new Set(refused.keys()));
      if (action === undefined || meaning === "isThere") return environment;
      heldUpBy = environment.processing ? (meaning === "heldUp" ? refusal : heldUpBy) : undefined;
      const flags = flagsOf(environment);
      const hasSent = settling !== undefined || sent.size > 0;
      // While the service acts on a request, flags may change one after the other: they count once it is idle, and they were read
      // twice. While an environment is to be stopped, `processing` is somebody's build and no sign of the stop.
      const isActing = (environment.processing && state === "running") || !isDeepStrictEqual(flagsBefore, flags);
      const mustWait: boolean = heldUpBy !== undefined || meaning === "doubtful" || (hasSent && isActing);
      const sentBefore = sent.size;
      const outcome: ActionOutcome = mustWait
        ? "wait"
        : ((await wait.poll(request(ctx, change, requests, { action, environment }))) ?? "wait");
      flagsBefore = sent.size > sentBefore ? undefined : flags;
      if (settling === undefined || sent.size > 0)
        wait.what = `${heldUpBy === undefined ? progressWords[action] : WAITING} ${displayable(environment.name)}`;
      if (outcome === "readAgain") continue;
    }
    if (!(await wait.pause()))
      throw new IncompleteError(
        `environment ${ctx.client.titleOf(environmentId)} is not ${state} ${wait.after}. ${heldUpBy === undefined ? "" : `A build runs. ${heldUpBy.message} `}` +
          `The next \`pulumi up\` continues.${wait.lastFailure}`,
      );
  }
}

/** When the flags have to be read after an action: at once, or later. */
type ActionOutcome = "readAgain" | "wait";

/**
 * The meaning of the last refusal, now that the environment was read after it. The title counts when it says that the state is there, and
 * nothing contradicts it. `heldUp`: the service may accept the action when it is not processing any more. `doubtful`: the flags
 * contradict the title. They may follow late, so that the action is sent once more.
 */
function meaningOfRefusal(
  requests: Requests,
  environment: Environment,
  state: DesiredState,
): "isThere" | "heldUp" | "doubtful" | undefined {
  const { refusal, refused, doubted } = requests;
  requests.refusal = undefined;
  if (refusal === undefined) return undefined;
  const { action, error, wasProcessing } = refusal;
  if (wasProcessing || environment.processing) return "heldUp";
  const isTold = stateOf({ ...environment, ...flagsFromRefusal(action, error.titles) }) === state;
  // Without a flag that says so, an environment may be stopped that is not ready.
  if (isTold && action === "stop" && !environment.ready) return "isThere";
  if (isTold && !doubted.has(action)) {
    doubted.add(action);
    return "doubtful";
  }
  refused.set(action, error);
  return undefined;
}

/** Sends an action, unless it was sent for the same flags before. @throws when the service refuses it, or it shows no effect. */
async function request(
  ctx: Context,
  { environmentId }: StateChange,
  requests: Requests,
  { action, environment }: { readonly action: Action; readonly environment: Environment },
): Promise<ActionOutcome> {
  const { sent, refused } = requests;
  const refusal = refused.get(action);
  if (refusal !== undefined) throw refusal;
  const { stopped, retired, deleted } = environment;
  const key = [action, stopped, retired, deleted].join();
  const ambiguous = sent.get(key);
  if (ambiguous !== undefined)
    throw new IncompleteError(
      `${ambiguous.message} No effect of it can be seen. The next \`pulumi up\` looks again and continues.`,
    );
  if (sent.has(key)) return "wait";
  try {
    const error = await ambiguousErrorOf(ctx.client.environments.act(action, environmentId, { signal: ctx.signal }));
    sent.set(key, error);
    return error === undefined ? "readAgain" : "wait";
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    requests.refusal = { action, error, wasProcessing: environment.processing };
    return "readAgain";
  }
}
