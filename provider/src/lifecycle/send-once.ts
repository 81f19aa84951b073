import type { Environment } from "../client";
import type { Context } from "../framework/context";
import { isUnanswered, leftTrace, UnansweredError } from "../environment/unanswered";
import { buildIds, buildsSince, unlessHidden } from "../environment/build-history";
import { type Action, stateOf } from "./transition";

/** What can be seen of an environment from outside. */
interface Sight {
  readonly environment: Environment;
  /** Whether history shows a build that was not there before. */
  readonly hasNewBuild: boolean;
}

/** Whether a request that was not answered shows in what was seen before and after it; `isSingle`: a build that began can
 * be of no other request of this process. */
type Trace = (before: Environment, now: Sight, isSingle: boolean) => boolean;

/** A request that must not be sent twice. */
export interface Once {
  readonly environmentId: string;
  /** Whether there is nothing left to do, of a request that may have been sent before. */
  readonly isDone?: (environment: Environment) => boolean;
  /** Whether it makes the service work on the environment. */
  readonly builds: boolean;
  readonly shows: Trace;
  readonly send: () => Promise<void>;
  /** What a person can do when nothing is known of it. */
  readonly advice: string;
}

/** A build began: the trace of whatever makes the service work on an environment. */
export const buildBegan: Trace = (before, now, isSingle) =>
  isSingle && ((now.environment.processing && !before.processing) || now.hasNewBuild);

const traces: Readonly<Record<Action, Trace>> = {
  stop: (before, now) => stateOf(before) === "running" && stateOf(now.environment) === "stopped",
  restart: (before, now, isSingle) => (before.retired && !now.environment.retired) || buildBegan(before, now, isSingle),
  rebuild: buildBegan,
  revive: (before, now, isSingle) => (before.deleted && !now.environment.deleted) || buildBegan(before, now, isSingle),
  cancel: (before, now) => before.processing && !now.environment.processing,
};

/** What an environment is like when an action has nothing left to do; a rebuild shows in no flag. */
const outcomes: Readonly<Record<Action, (environment: Environment) => boolean>> = {
  stop: (environment) => stateOf(environment) === "stopped",
  restart: (environment) => stateOf(environment) === "running",
  rebuild: () => false,
  revive: ({ deleted }) => !deleted,
  cancel: ({ processing }) => !processing,
};

/**
 * Does one thing to an environment, once.
 * @throws InvalidRequestError with the service's title when it refuses.
 * @throws UnansweredError when no answer came and nothing of it can be seen.
 * @param isRepeated whether an earlier `up` sent it, without an answer: then what is so already is its doing.
 */
export function performOnce(
  ctx: Context,
  {
    environmentId,
    action,
    isRepeated,
  }: { readonly environmentId: string; readonly action: Action; readonly isRepeated: boolean },
): Promise<void> {
  return sendOnce(ctx, {
    ...(isRepeated && { isDone: (environment: Environment) => outcomes[action](environment) }),
    environmentId,
    builds: action !== "stop" && action !== "cancel",
    shows: traces[action],
    send: () => ctx.client.environments[action](environmentId, { signal: ctx.signal, repeatable: false }),
    advice: "The next `pulumi up` asks for it again.",
  });
}

/** Sends a request once: when no answer comes, the environment is looked at instead of asked again. */
export async function sendOnce(
  ctx: Context,
  { environmentId, isDone, builds, shows, send, advice }: Once,
): Promise<void> {
  const before = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  if (isDone?.(before) === true) return;
  const buildsBefore = await unlessHidden(buildIds(ctx, environmentId), undefined);
  const isShown = async (): Promise<boolean> => {
    const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
    // A history that was not shown before tells nothing: every build in it would look new.
    const fresh =
      buildsBefore && (await unlessHidden(buildsSince(ctx, { environmentId, before: buildsBefore }), undefined));
    const hasNewBuild = fresh !== undefined && fresh.length > 0;
    return shows(before, { environment, hasNewBuild }, ctx.environment(environmentId).builds.isSingle);
  };
  if (builds) ctx.environment(environmentId).builds.note();
  try {
    await send();
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    if (await leftTrace(ctx, isShown)) return;
    throw new UnansweredError(
      `${error.message} It is not known whether the service acted on it, and nothing of it can be seen. ${advice}`,
    );
  }
}
