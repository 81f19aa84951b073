import type { Environment } from "../client";
import type { Build } from "../client/builds";
import { displayable, displayableName, environmentTitle } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import { buildsSince } from "../environment/build-history";
import { AmbiguousResultError } from "../environment/send-once";
import type { Context } from "../framework/context";
import { POLL_CALL, Wait, type WaitLimit } from "../environment/wait";
import {
  type Branches,
  changeFor,
  describeProjects,
  hasBranches,
  notRunningText,
  type StoppingFlag,
  whyNotRunning,
} from "./projects";

/** `processing: false` may mean "not started yet", in a queue of the service. Only after this long it means "ended". */
const MAX_QUEUE_MS = 120_000;

const SHORT_ID_CHARACTERS = 8;

/** The advice for a request whose result is ambiguous. */
export const LOOKS_AGAIN = "The next `pulumi up` or `pulumi destroy` looks again before it repeats anything.";

const LOOKED_AT_AGAIN = "The next `pulumi up` looks at it again before it starts another.";

/** The build to wait for. */
export interface BuildSearch {
  /** Branches that the build must have. Other repositories of the environment do not matter. */
  readonly branches: Branches;
  /** Ids of the builds in history before the request: never the right one. */
  readonly knownBuildIds: ReadonlySet<string>;
  /** The environment was processing right before the request: a build that is new in history may be older than the request. */
  readonly wasProcessing?: boolean;
  /** The environment did not run: it is started when the build has not done that, and a service may build once more then. */
  readonly needsStart?: boolean;
  /** What was requested, when that got no answer, as a sentence: maybe no build was queued. */
  readonly unansweredText?: string | undefined;
}

/** The build failed, was superseded, cannot end, or did not end in time. The service had accepted the request. */
export class BuildError extends PreviewenvError {
  /** The newest build with the declared branches. */
  readonly build: Build | undefined;
  /** That build was seen to fail, or the flag that the environment got while the build was waited for. */
  readonly reason: "failed" | StoppingFlag | undefined;

  constructor(message: string, build?: Build, reason?: "failed" | StoppingFlag) {
    super(message);
    this.build = build;
    this.reason = reason;
  }
}

/** What a wait knows after a look. */
interface Look {
  readonly environment: Environment;
  /** Builds since the request, the newest first. */
  readonly builds: readonly Build[];
  /** Of those, the ones that have the declared branches. */
  readonly matching: readonly Build[];
  /** Whether the environment was processing, at this look or at an earlier one. */
  readonly hasStarted: boolean;
  /** For how long it has not been processing. */
  readonly idleMs: number;
}

/**
 * Waits until a new build with the declared branches succeeds. A newer one that supersedes it counts. One that was there
 * before the request never does.
 * @throws BuildError when it failed, was superseded, or took too long, or the environment was stopped, retired or deleted meanwhile.
 * @throws AmbiguousResultError when the request got no answer, and no effect of it shows.
 */
export async function waitForBuild(
  ctx: Context,
  environmentId: string,
  search: BuildSearch,
  limit: WaitLimit,
): Promise<{ readonly build: Build; readonly environment: Environment }> {
  const wait = new Wait(ctx, { ...limit, timeoutName: "buildTimeoutSeconds" });
  let lastLook: Look | undefined;
  let idleSinceMs: number | undefined;
  let waitingFor: string | undefined;
  do {
    const startedMs = wait.elapsedMs;
    const shown = await wait.look(lookForBuilds(ctx, environmentId, search));
    const isIdle = shown?.environment.processing === false;
    // While nothing can be seen, the environment is not known to be idle.
    idleSinceMs = isIdle ? (idleSinceMs ?? startedMs) : undefined;
    if (shown === undefined) continue;
    const hasStarted = lastLook?.hasStarted === true || !isIdle;
    lastLook = { ...shown, hasStarted, idleMs: startedMs - (idleSinceMs ?? startedMs) };
    const { environment, builds, matching } = lastLook;
    const name = displayable(environment.name);
    const build = successOf(search, lastLook);
    if (build !== undefined) {
      const settled = await wait.look(readSettled(ctx, environment, search.branches));
      if (settled === undefined) continue;
      if (changeFor(settled, search.branches) === undefined) return { build, environment: settled };
      // What the service still works on is this build, as far as history tells: it may show its branches at the end only.
      const isSettling = settled.processing && builds[0] === matching[0];
      if (!isSettling) throw otherBranchesError(settled, build);
      waitingFor = `waiting until ${name} shows the branches of its build`;
      continue;
    }
    const failure = failureOf(search, lastLook);
    if (failure !== undefined) throw failure;
    const shortId = displayableName(matching[0]?.id.slice(0, SHORT_ID_CHARACTERS) ?? "not listed yet");
    waitingFor = environment.processing
      ? `build ${shortId} of ${name} is running`
      : `the build of ${name} has not started yet`;
  } while (await wait.pause(waitingFor));
  const build = lastLook?.matching[0];
  const place =
    lastLook === undefined ? `environment ${ctx.client.titleOf(environmentId)}` : placeOf(lastLook.environment);
  const what =
    build === undefined ? "no build with the declared branches was seen" : `${nameOf(build)} has not finished`;
  throw new BuildError(`${place}: ${what} ${wait.after}. ${LOOKED_AT_AGAIN}${wait.lastFailure}`, build);
}

/** Reads the environment first and history second: the other way round, a build that ends in between is taken for failed. */
async function lookForBuilds(
  ctx: Context,
  environmentId: string,
  { branches, knownBuildIds }: BuildSearch,
): Promise<Pick<Look, "environment" | "builds" | "matching">> {
  const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal, ...POLL_CALL });
  // It is not specified whether a deleted environment has a history.
  const builds = environment.deleted ? [] : await buildsSince(ctx, { environmentId, knownBuildIds }, POLL_CALL);
  return { environment, builds, matching: builds.filter((build) => hasBranches(build, branches)) };
}

/** The build that is waited for, once it has succeeded. */
function successOf({ wasProcessing = false, needsStart = false }: BuildSearch, look: Look): Build | undefined {
  const { environment, builds, matching } = look;
  const hasOthers = wasProcessing || needsStart;
  // The only new build may be the one that was running before the request, while the requested one is still to start, or
  // was running until the history was read.
  const mayBeOlder = environment.processing ? hasOthers : wasProcessing && mayBeQueued(look);
  if (builds.length === 1 && mayBeOlder) return undefined;
  return (hasOthers ? matching.slice(0, 1) : matching).find(({ successfullyBuilt }) => successfullyBuilt);
}

/** Reads again when the build may have ended after the environment was read, so that outputs show what it has deployed. */
async function readSettled(ctx: Context, environment: Environment, branches: Branches): Promise<Environment> {
  if (!environment.processing && changeFor(environment, branches) === undefined) return environment;
  return ctx.client.environments.get(environment.id, { signal: ctx.signal, ...POLL_CALL });
}

/** Why no build can be waited for any more. `undefined` while one can. */
function failureOf({ unansweredText }: BuildSearch, look: Look): PreviewenvError | undefined {
  const { environment, builds, matching, hasStarted, idleMs } = look;
  const [newest] = builds;
  const [build] = matching;
  const flag = whyNotRunning(environment);
  const isLost = newest === undefined && (flag !== undefined || idleMs >= MAX_QUEUE_MS);
  if (unansweredText !== undefined && isLost) return new AmbiguousResultError(unansweredText, LOOKS_AGAIN);
  if (flag !== undefined) {
    const outcome = `The build was requested. ${LOOKED_AT_AGAIN}`;
    return new BuildError(notRunningText(environment, "wait for a build of environment", outcome), build, flag);
  }
  if (environment.processing || newest === undefined || mayBeQueued(look)) return undefined;
  if (build === undefined)
    return new BuildError(
      `${placeOf(environment)}: the requested build was superseded by ${nameOf(newest)}. Somebody else changes these ` +
        "branches. Run `pulumi up --refresh`.",
    );
  return new BuildError(
    `${placeOf(environment)}: ${nameOf(build)} ${hasStarted ? "failed" : "failed, or was never started"}. ` +
      "Fix the branch and run `pulumi up` again: it starts one rebuild.",
    build,
    "failed",
  );
}

/** Whether the build may be in a queue of the service: it was not seen to start. */
function mayBeQueued({ hasStarted, idleMs }: Look): boolean {
  return !hasStarted && idleMs < MAX_QUEUE_MS;
}

/** A build has succeeded, and the environment does not have its branches any more. */
function otherBranchesError(environment: Environment, build: Build): BuildError {
  return new BuildError(
    `${placeOf(environment)}: ${nameOf(build)} succeeded, but the environment has ${describeProjects(environment.projects)} ` +
      "now. Somebody else changes these branches. The next `pulumi up` deploys the declared ones again.",
    build,
  );
}

/** A build as messages name it. Ids are texts of the service. */
function nameOf({ id, projects }: Build): string {
  return `build ${displayableName(id)} of ${describeProjects(projects)}`;
}

function placeOf(environment: Environment): string {
  return `environment ${environmentTitle(environment)}, ${displayable(environment.url)}`;
}
