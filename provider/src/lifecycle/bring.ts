import type { Environment } from "../client";
import { displayable } from "../client/error-text";
import { InvalidRequestError, PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { IncompleteError, PartialFailureError } from "../framework/partial-failure";
import { limitText, type Look, OF_A_LOOK, poll } from "../framework/poll";
import { isUnanswered } from "../environment/unanswered";
import {
  type Action,
  type DesiredState,
  type Flags,
  flagsFromRefusal,
  flagsOf,
  nextAction,
  stateOf,
} from "./transition";

/** How often flags are read after a request before they count as its outcome, or the request as lost. */
const LOOKS_FOR_TRACE = 3;
const MAX_REPETITIONS = 3;

/** Words for progress. */
const doings: Readonly<Record<Action, string>> = {
  stop: "stopping",
  restart: "restarting",
  rebuild: "rebuilding",
  revive: "reviving",
  cancel: "cancelling the build of",
};

/** Where an environment shall be, and how long that may take. */
export interface Goal {
  readonly environmentId: string;
  readonly state: DesiredState;
  readonly timeoutSeconds: number;
}

/** An action without an answer. */
interface Lost {
  readonly error: PreviewenvError;
  /** Action and flags, as in `sent`. */
  readonly key: string;
}

/** What is known of the actions on the way. */
interface Course {
  /** The environment as it was read before the wait, until that is judged. */
  found: Environment | undefined;
  /** The environment as it was last seen. */
  seen: Environment | undefined;
  /** Actions that reached the service, or may have, with the flags that called for them. */
  readonly sent: Set<string>;
  readonly refused: Map<Action, PreviewenvError>;
  /** A refusal came while the service was busy with the environment: later it may take what it refused then. */
  refusedBusy: boolean;
  /** What refusals said about flags. */
  corrections: Partial<Flags>;
  lost: Lost | undefined;
  /** How often a lost action was sent again. */
  repetitions: number;
  /** How often the flags were read, at rest, since an action last reached the service, or may have. */
  looks: number;
}

/**
 * Brings an environment to a state and waits until its flags show it. An action that the service refuses because it is
 * already so is no failure: the flags decide, and the service's title where they do not follow.
 * @throws the service's refusal, when the flags still ask for what it refuses.
 * @throws PartialFailureError for whatever ends it once an action has reached the service, or may have.
 * @throws IncompleteError when the flags do not show the state in time, or nothing can be seen of a lost request.
 */
export async function bringTo(ctx: Context, goal: Goal): Promise<Environment> {
  const course: Course = {
    // Until something was asked for there is nothing to wait for: trouble here is an error, as in every other read.
    found: await ctx.client.environments.get(goal.environmentId, { signal: ctx.signal }),
    seen: undefined,
    sent: new Set(),
    refused: new Map(),
    refusedBusy: false,
    corrections: {},
    lost: undefined,
    repetitions: 0,
    looks: 0,
  };
  const reached = poll(ctx, {
    timeoutMs: goal.timeoutSeconds * 1000,
    look: () => look(ctx, goal, course),
    late: (elapsedMs, limit, trouble) =>
      new IncompleteError(
        `environment ${goal.environmentId} is not ${goal.state} after ${Math.round(elapsedMs / 1000)} s ` +
          `(${limitText(limit, "timeoutSeconds")}). The next \`pulumi up\` goes on.${trouble}`,
      ),
  });
  return reached.catch((error: unknown) => {
    throw error instanceof PreviewenvError ? remembered(goal, course, error) : error;
  });
}

/** What has been asked for may still come: state then says how the environment was, so that the next `up` looks again. */
function remembered(
  { state: _wanted, ...rest }: Goal,
  { sent, seen, corrections }: Course,
  error: PreviewenvError,
): Error {
  if (sent.size === 0 || seen === undefined) return error;
  const flags = flagsOf(seen);
  const state = { ...rest, state: stateOf({ ...flags, ...corrections }), ...flags };
  const isNamed = error.message.includes(rest.environmentId);
  const text = isNamed ? error.message : `environment ${rest.environmentId}: ${error.message}.`;
  return new PartialFailureError(rest.environmentId, state, [text]);
}

async function look(ctx: Context, goal: Goal, course: Course): Promise<Look<Environment>> {
  for (;;) {
    const call = { signal: ctx.signal, ...OF_A_LOOK };
    const environment = course.found ?? (await ctx.client.environments.get(goal.environmentId, call));
    course.found = undefined;
    course.seen = environment;
    const { processing } = environment;
    // What runs while an environment shall stop is somebody's build, and no sign of a stop.
    course.looks = processing && goal.state === "running" ? 0 : course.looks + 1;
    if (course.refusedBusy && !processing) {
      course.refused.clear();
      course.refusedBusy = false;
    }
    const flags = { ...environment, ...course.corrections };
    const action = nextAction(flags, goal.state, new Set(course.refused.keys()));
    if (action === undefined) return { done: environment };
    const waiting = { waiting: `${doings[action]} ${displayable(environment.name)}` };
    const step = { action, key: [action, flags.stopped, flags.retired, flags.deleted].join(), processing };
    if (mustWait(course, step)) return waiting;
    await send(ctx, goal.environmentId, course, step);
    // An answer, whichever, is followed by the flags at once.
    if (course.lost !== undefined) return waiting;
  }
}

/** The next action with the flags that call for it. */
interface Step {
  readonly action: Action;
  readonly key: string;
  readonly processing: boolean;
}

/** Whether the service still has to show what came of earlier requests. @throws when it has shown that nothing did. */
function mustWait(course: Course, { action, key, processing }: Step): boolean {
  const refusal = course.refused.get(action);
  if (refusal !== undefined && !processing) throw refusal;
  if (course.lost?.key !== key) course.lost = undefined;
  else if (course.looks > LOOKS_FOR_TRACE) giveUpOrRepeat(course, action, course.lost);
  // While the service works on an earlier action, flags may change one after the other: a further one could be too much.
  const isSettling = course.sent.size > 0 && course.looks < LOOKS_FOR_TRACE;
  return refusal !== undefined || course.sent.has(key) || isSettling;
}

/** A stop queues nothing, so that a lost one may be sent again, once it is seen that nothing came of it. */
function giveUpOrRepeat(course: Course, action: Action, { error, key }: Lost): void {
  course.lost = undefined;
  course.repetitions += 1;
  if (action !== "stop" || course.repetitions > MAX_REPETITIONS)
    throw new IncompleteError(
      `${error.message} Nothing can be seen of it. The next \`pulumi up\` looks again and goes on.`,
    );
  course.sent.delete(key);
}

async function send(ctx: Context, environmentId: string, course: Course, step: Step): Promise<void> {
  const { action, key, processing } = step;
  if (action !== "stop") ctx.environment(environmentId).builds.note();
  try {
    await ctx.client.environments[action](environmentId, { signal: ctx.signal, repeatable: false });
    course.sent.add(key);
    course.looks = 0;
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      course.refused.set(action, error);
      course.refusedBusy ||= processing;
      if (!processing) course.corrections = { ...course.corrections, ...flagsFromRefusal(action, error.titles) };
    } else if (isUnanswered(error)) {
      course.sent.add(key);
      course.looks = 0;
      course.lost = { error, key };
    } else throw error;
  }
}
