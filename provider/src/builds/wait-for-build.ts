import type { CallOptions, Environment } from "../client";
import type { Build } from "../client/builds";
import { displayable, displayableName, environmentTitle } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import { buildsSince, unlessHidden } from "../environment/build-history";
import type { Context } from "../framework/context";
import { poll, POLL_CALL, type Polling, type PollResult, type WaitLimit } from "../framework/poll";
import {
  type Branches,
  changeFor,
  describeProjects,
  hasBranches,
  notRunningText,
  type StoppingFlag,
  whyNotRunning,
} from "./projects";

/** `processing: false` may mean "not started yet", in a queue of the service; only after this long it means "ended". */
const MAX_QUEUE_MS = 120_000;

const SHORT_ID_CHARACTERS = 8;

const LOOKED_AT_AGAIN = "The next `pulumi up` looks at it again before it starts another.";

/** The builds to look for. */
export interface BuildSearch {
  readonly environmentId: string;
  /** Branches that the build must have; other repositories of the environment do not matter. */
  readonly branches: Branches;
  /** Ids of the builds in history before the request: never the right one. */
  readonly before: ReadonlySet<string>;
  /** The environment was processing right before the request: a build that is new in history may be older than the request. */
  readonly wasProcessing?: boolean;
  /** The environment was started after that build: a service that builds what it starts is building once more. */
  readonly isWoken?: boolean;
}

/** The build failed, was superseded, or did not end in time. The service had accepted the request. */
export class BuildError extends PreviewenvError {
  /** The newest build with the declared branches. */
  readonly build: Build | undefined;
  /** Whether that build was seen to fail. */
  readonly hasFailed: boolean;

  constructor(message: string, build?: Build, hasFailed = false) {
    super(message);
    this.build = build;
    this.hasFailed = hasFailed;
  }
}

/** The environment was stopped, retired or deleted while the build was waited for. */
export class StoppedError extends BuildError {
  readonly flag: StoppingFlag;

  constructor(flag: StoppingFlag, message: string, build?: Build) {
    super(message, build);
    this.flag = flag;
  }
}

/** What a search saw. */
export interface Sighting {
  readonly environment: Environment;
  /** Builds since the request, the newest first. */
  readonly builds: readonly Build[];
  /** Of those, the ones that have the declared branches. */
  readonly matching: readonly Build[];
}

/** Reads the environment first and history second: the other way round, a build that ends in between is taken for failed. */
export async function lookForBuilds(
  ctx: Context,
  { environmentId, branches, before }: BuildSearch,
  options: CallOptions = {},
): Promise<Sighting> {
  const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal, ...options });
  const history = buildsSince(ctx, { environmentId, before }, options);
  const builds = environment.deleted ? await unlessHidden(history, []) : await history;
  return { environment, builds, matching: builds.filter((build) => hasBranches(build, branches)) };
}

/**
 * Waits until a new build with the declared branches succeeds. A newer one that supersedes it counts; one that was there
 * before the request never does.
 * @throws BuildError when it failed, was superseded, or took too long.
 * @throws StoppedError when the environment was stopped, retired or deleted meanwhile.
 */
export async function waitForBuild(
  ctx: Context,
  search: BuildSearch,
  limit: WaitLimit,
): Promise<{ readonly build: Build; readonly environment: Environment }> {
  const { wasProcessing = false, isWoken = false } = search;
  const hasOthers = wasProcessing || isWoken;
  let hasStarted = false;
  let last: Sighting | undefined;
  return pollBuilds(ctx, search, {
    ...limit,
    async look(sighting, idleMs) {
      last = sighting;
      const { environment, builds, matching } = sighting;
      const build = (hasOthers ? matching.slice(0, 1) : matching).find((one) => one.successfullyBuilt);
      const settled = build === undefined ? environment : await readSettled(ctx, environment, search.branches);
      const mayBeQueued = !hasStarted && idleMs < MAX_QUEUE_MS;
      // The only new build may be the one that was running before the request, while the requested one is still to start, or
      // was running until the history was read.
      const mayBeOlder = environment.processing ? hasOthers : wasProcessing && mayBeQueued;
      const isOlder = builds.length === 1 && mayBeOlder;
      if (build !== undefined && !isOlder) {
        if (changeFor(settled, search.branches) === undefined) return { done: { build, environment: settled } };
        // What the service still works on is this build, as far as history tells: it may show its branches at the end only.
        const isSettling = settled.processing && builds[0] === matching[0];
        if (!isSettling) throw contradiction(settled, build);
        return { waiting: `waiting until ${displayable(environment.name)} shows the branches of its build` };
      }
      const flag = whyNotRunning(environment);
      if (flag !== undefined) throw stopped(sighting, flag);
      if (environment.processing) {
        hasStarted = true;
        return { waiting: `build ${shortId(matching[0])} of ${displayable(environment.name)} is running` };
      }
      if (builds.length > 0 && !mayBeQueued) throw failure(sighting, hasStarted);
      return { waiting: `the build of ${displayable(environment.name)} has not started yet` };
    },
    onTimeout({ after, lastFailure }) {
      const build = last?.matching[0];
      const where =
        last === undefined ? `environment ${ctx.client.titleOf(search.environmentId)}` : placeOf(last.environment);
      return new BuildError(`${where}: ${unfinished(build)} ${after}. ${LOOKED_AT_AGAIN}${lastFailure}`, build);
    },
  });
}

function unfinished(build: Build | undefined): string {
  if (build === undefined) return "no build with the declared branches was seen";
  return `build ${idOf(build)} of ${describeProjects(build.projects)} has not finished`;
}

/**
 * Waits until an environment shows whether an ambiguous request took effect: a new build, or idleness for as long as a build
 * may wait in a queue of the service. Returns the environment as it is then.
 * @throws BuildError when that took too long.
 */
export async function waitForEffect(ctx: Context, search: BuildSearch, timeoutMs: number): Promise<Environment> {
  return pollBuilds(ctx, search, {
    timeoutMs,
    look({ environment, builds }, idleMs) {
      if (builds.length > 0 || idleMs >= MAX_QUEUE_MS) return { done: environment };
      return { waiting: `waiting for the build that ${displayable(environment.name)} is running` };
    },
    onTimeout: ({ after, lastFailure }) =>
      new BuildError(
        `environment ${ctx.client.titleOf(search.environmentId)}: ${after} the service is still building. It does not show whether that is ` +
          "the build that an earlier `pulumi up` requested, or an older one. The next `pulumi up` looks again." +
          lastFailure,
      ),
  });
}

interface BuildPolling<T> extends Pick<Polling<T>, "timeoutMs" | "since" | "onTimeout"> {
  /** @param idleMs for how long the environment has not been processing. */
  readonly look: (sighting: Sighting, idleMs: number) => PollResult<T> | Promise<PollResult<T>>;
}

async function pollBuilds<T>(ctx: Context, search: BuildSearch, polling: BuildPolling<T>): Promise<T> {
  let idleSince: number | undefined;
  return poll(ctx, {
    ...polling,
    timeoutName: "buildTimeoutSeconds",
    async look(elapsedMs) {
      const since = idleSince ?? elapsedMs;
      // While nothing can be seen, the environment is not known to be idle.
      idleSince = undefined;
      const sighting = await lookForBuilds(ctx, search, POLL_CALL);
      if (!sighting.environment.processing) idleSince = since;
      return polling.look(sighting, idleSince === undefined ? 0 : elapsedMs - idleSince);
    },
  });
}

function stopped({ environment, matching }: Sighting, flag: StoppingFlag): StoppedError {
  const outcome = `The build was requested. ${LOOKED_AT_AGAIN}`;
  const text = notRunningText(environment, "wait for a build of environment", outcome);
  return new StoppedError(flag, text, matching[0]);
}

function failure({ environment, builds, matching }: Sighting, hasStarted: boolean): BuildError {
  const [failed] = matching;
  const [newest] = builds;
  const where = placeOf(environment);
  if (failed === undefined)
    return new BuildError(
      `${where}: the requested build was superseded by build ${idOf(newest)} of ` +
        `${describeProjects(newest?.projects ?? [])}. Somebody else changes these branches; run \`pulumi up --refresh\`.`,
    );
  return new BuildError(
    `${where}: build ${idOf(failed)} of ${describeProjects(failed.projects)} ` +
      `${hasStarted ? "failed" : "failed, or was never started"}. ` +
      "Fix the branch and run `pulumi up` again: it starts one rebuild.",
    failed,
    true,
  );
}

/** A build has succeeded, and the environment does not have its branches any more. */
function contradiction(environment: Environment, build: Build): BuildError {
  return new BuildError(
    `${placeOf(environment)}: build ${idOf(build)} of ${describeProjects(build.projects)} succeeded, but the environment ` +
      `has ${describeProjects(environment.projects)} now. Somebody else changes these branches. The next \`pulumi up\` ` +
      "deploys the declared ones again.",
    build,
  );
}

/** A build as messages name it; ids are texts of the service. */
function idOf(build: Build | undefined): string {
  return build === undefined ? "unknown" : displayableName(build.id);
}

/** The same for a line of progress, where it is the first thing to see: the beginning of its id is enough. */
function shortId(build: Build | undefined): string {
  return build === undefined ? "not listed yet" : displayableName(build.id.slice(0, SHORT_ID_CHARACTERS));
}

function placeOf(environment: Environment): string {
  return `environment ${environmentTitle(environment)}, ${displayable(environment.url)}`;
}

/** Reads again when the build may have ended after the environment was read, so that outputs show what it has deployed. */
async function readSettled(ctx: Context, environment: Environment, branches: Branches): Promise<Environment> {
  if (!environment.processing && changeFor(environment, branches) === undefined) return environment;
  return ctx.client.environments.get(environment.id, { signal: ctx.signal, ...POLL_CALL });
}
