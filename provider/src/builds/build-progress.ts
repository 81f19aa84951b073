import type { Environment } from "../client";
import type { Build } from "../client/builds";
import { displayable, displayableName, environmentTitle } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import { buildsSince } from "../environment/build-history";
import { AmbiguousResultError } from "../environment/send-once";
import { POLL_CALL } from "../environment/wait";
import type { Context } from "../framework/context";
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

/** What a wait has read of the build, and how long the environment has been idle. */
export interface BuildProgress {
  readonly environment: Environment;
  /** Builds since the request, the newest first. */
  readonly builds: readonly Build[];
  /** Of those, the ones that have the declared branches. */
  readonly matching: readonly Build[];
  /** Whether the environment was processing, at this reading or at an earlier one. */
  readonly hasStarted: boolean;
  /** For how long it has not been processing. */
  readonly idleMs: number;
}

/** Reads the environment first and history second: the other way round, a build that ends in between is taken for failed. */
export async function readBuilds(
  ctx: Context,
  environmentId: string,
  { branches, knownBuildIds }: BuildSearch,
): Promise<Pick<BuildProgress, "environment" | "builds" | "matching">> {
  const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal, ...POLL_CALL });
  // It is not specified whether a deleted environment has a history.
  const builds = environment.deleted ? [] : await buildsSince(ctx, { environmentId, knownBuildIds }, POLL_CALL);
  return { environment, builds, matching: builds.filter((build) => hasBranches(build, branches)) };
}

/** The build that is waited for, once it has succeeded. */
export function successOf(
  { wasProcessing = false, needsStart = false }: BuildSearch,
  progress: BuildProgress,
): Build | undefined {
  const { environment, builds, matching } = progress;
  const mayHaveSecondBuild = wasProcessing || needsStart;
  // The only new build may be the one that was running before the request, while the requested one is still to start, or
  // was running until the history was read.
  const mayBeOlder = environment.processing ? mayHaveSecondBuild : wasProcessing && mayBeQueued(progress);
  if (builds.length === 1 && mayBeOlder) return undefined;
  return (mayHaveSecondBuild ? matching.slice(0, 1) : matching).find(({ successfullyBuilt }) => successfullyBuilt);
}

/** Reads again when the build may have ended after the environment was read, so that outputs show what it has deployed. */
export async function readSettled(ctx: Context, environment: Environment, branches: Branches): Promise<Environment> {
  if (!environment.processing && changeFor(environment, branches) === undefined) return environment;
  return ctx.client.environments.get(environment.id, { signal: ctx.signal, ...POLL_CALL });
}

/** Why no build can be waited for any more. `undefined` while one can. */
export function failureOf({ unansweredText }: BuildSearch, progress: BuildProgress): PreviewenvError | undefined {
  const { environment, builds, matching, hasStarted, idleMs } = progress;
  const [newest] = builds;
  const [build] = matching;
  const flag = whyNotRunning(environment);
  const isLost = newest === undefined && (flag !== undefined || idleMs >= MAX_QUEUE_MS);
  if (unansweredText !== undefined && isLost) return new AmbiguousResultError(unansweredText, LOOKS_AGAIN);
  if (flag !== undefined) {
    const outcome = `The build was requested. ${LOOKED_AT_AGAIN}`;
    return new BuildError(notRunningText(environment, "wait for a build of environment", outcome), build, flag);
  }
  if (environment.processing || newest === undefined || mayBeQueued(progress)) return undefined;
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
function mayBeQueued({ hasStarted, idleMs }: BuildProgress): boolean {
  return !hasStarted && idleMs < MAX_QUEUE_MS;
}

/** A build has succeeded, and the environment does not have its branches any more. */
export function otherBranchesError(environment: Environment, build: Build): BuildError {
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

/** What is being waited for, for people. */
export function progressText({ environment, matching }: BuildProgress): string {
  const name = displayable(environment.name);
  const shortId = displayableName(matching[0]?.id.slice(0, SHORT_ID_CHARACTERS) ?? "not listed yet");
  return environment.processing ? `build ${shortId} of ${name} is running` : `the build of ${name} has not started yet`;
}

/** The time is up. `waited` says how long it took, `failure` why the service could not be read last. */
export function lateError(
  place: string,
  progress: BuildProgress | undefined,
  waited: string,
  failure: string,
): BuildError {
  const build = progress?.matching[0];
  const what =
    build === undefined ? "no build with the declared branches was seen" : `${nameOf(build)} has not finished`;
  const where = progress === undefined ? place : placeOf(progress.environment);
  return new BuildError(`${where}: ${what} ${waited}. ${LOOKED_AT_AGAIN}${failure}`, build);
}
