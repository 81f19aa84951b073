import type { Environment } from "../client/environments";
import type { Build } from "../client/builds";
import { displayable, displayableName, environmentTitle } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import type { BuildReading } from "../environment/build-history";
import type { WhenStopped } from "./branches-inputs";
import { newestSuccess } from "./due-build";
import { notRunningText, type StoppingFlag, stoppingFlagOf } from "./not-running";
import { describeProjects, hasBranches } from "./projects";
import type { PendingBuild } from "./state";
import { see } from "../client/troubleshooting";

/** Until a build has been seen to run, `processing: false` may mean "queued". After this long it means "ended". */
export const MAX_QUEUE_MS = 120_000;

/**
 * A build that has been seen to run counts as ended after this long without `processing`. A service may pause between two steps of a build, and
 * one of its replicas may still show the environment from before. The longest pause between two readings is 10 s, so at least two show it idle.
 */
const MIN_IDLE_MS = 15_000;

const SHORT_ID_CHARACTERS = 8;

const LOOKED_AT_AGAIN = "The next `pulumi up` looks at it again before it starts another.";

/** The build failed, was superseded, cannot end, or did not end in time. The service had accepted the request. */
export class BuildError extends PreviewenvError {
  /** The newest build with the declared branches. */
  readonly build: Build | undefined;
  /** `failed`: the build has come to nothing for good. Otherwise the flag that the environment got while the build was waited for. */
  readonly reason: "failed" | StoppingFlag | undefined;

  constructor(message: string, build?: Build, reason?: "failed" | StoppingFlag) {
    super(message);
    this.build = build;
    this.reason = reason;
  }
}

/** The state of a wait: the builds since the request as they were last read, and how long the environment has been idle. */
export interface BuildProgress extends BuildReading {
  /** Whether the environment was processing, at this reading or at an earlier one. */
  readonly hasStarted: boolean;
  /** For how long every reading has shown it idle. 0 while it is processing. */
  readonly idleMs: number;
}

/**
 * The build that is waited for, once it has succeeded. Where a second one may run, only an idle environment tells that both are over: one ran
 * before, or the environment did not run (`wasNotRunning`), and a service may build whatever it starts.
 */
export function successOf(
  { busy, branches }: PendingBuild,
  wasNotRunning: boolean,
  { environment, builds }: BuildReading,
): Build | undefined {
  if (environment.processing && (busy === true || wasNotRunning)) return undefined;
  return newestSuccess(builds, branches);
}

/** Whether a reading has shown the build running. With `busy`, it may have been the other build. */
function wasSeenToRun({ busy }: PendingBuild, { hasStarted }: BuildProgress): boolean {
  return hasStarted && busy !== true;
}

/** Why no build can be waited for any more. `undefined` while one can. */
export function failureOf(
  pending: PendingBuild,
  progress: BuildProgress,
  whenStopped: WhenStopped,
): BuildError | undefined {
  const { busy, branches } = pending;
  const { environment, builds, hasStarted, idleMs } = progress;
  const build = builds.find((one) => hasBranches(one, branches));
  const flag = stoppingFlagOf(environment);
  if (flag !== undefined) {
    const outcome = `The build was requested. ${LOOKED_AT_AGAIN}`;
    return new BuildError(
      notRunningText(environment, "wait for a build of environment", outcome, whenStopped),
      build,
      flag,
    );
  }
  if (idleMs < (wasSeenToRun(pending, progress) ? MIN_IDLE_MS : MAX_QUEUE_MS)) return undefined;
  const [newest] = builds;
  if (newest === undefined) return busy === true ? lostBehindAnother(environment) : undefined;
  // Newest first: what a build of other branches has followed was perhaps ended by it.
  if (!hasBranches(newest, branches)) {
    const what =
      build === undefined ? "the requested build was superseded" : `${nameOf(build)} failed, or was superseded`;
    return new BuildError(
      `${placeOf(environment)}: ${what} by ${nameOf(newest)}. Somebody else changes these branches. Run \`pulumi up --refresh\`. ` +
        see("other-branches"),
      build,
      build && "failed",
    );
  }
  return new BuildError(
    `${placeOf(environment)}: ${nameOf(newest)} ${hasStarted ? "failed" : "failed, or was never started"}. ` +
      "Fix the branch and run `pulumi up` again: it starts one rebuild.",
    newest,
    "failed",
  );
}

function lostBehindAnother(environment: Environment): BuildError {
  return new BuildError(
    `${placeOf(environment)}: a build was running when this one was requested, and none has followed it. The next \`pulumi up\` ` +
      "requests the build again.",
    undefined,
    "failed",
  );
}

/** A build has succeeded, and the environment does not have its branches any more. */
export function otherBranchesError(environment: Environment, build: Build): BuildError {
  return new BuildError(
    `${placeOf(environment)}: ${nameOf(build)} succeeded, but the environment has ${describeProjects(environment.projects)} ` +
      `now. Somebody else changes these branches. The next \`pulumi up\` deploys the declared ones again. ${see("other-branches")}`,
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

/** The text of a wait, for people. */
export function progressText(pending: PendingBuild, progress: BuildProgress): string {
  const { environment, builds } = progress;
  const name = displayable(environment.name);
  const build = builds.find((one) => hasBranches(one, pending.branches));
  const shortId = displayableName(build?.id.slice(0, SHORT_ID_CHARACTERS) ?? "not listed yet");
  const isRunning = environment.processing || wasSeenToRun(pending, progress);
  return isRunning ? `build ${shortId} of ${name} is running` : `the build of ${name} has not started yet`;
}

/** The time is up. `waited` says how long it took, `failure` why the service could not be read last. */
export function lateError(
  place: string,
  pending: PendingBuild,
  progress: BuildProgress | undefined,
  waited: string,
  failure: string,
): BuildError {
  const build = progress?.builds.find((one) => hasBranches(one, pending.branches));
  const what =
    build === undefined
      ? "no build with the declared branches was seen"
      : `${nameOf(build)} ${build.successfullyBuilt ? "succeeded, but another build was still running" : "has not succeeded"}`;
  const where = progress === undefined ? place : placeOf(progress.environment);
  return new BuildError(
    `${where}: ${what} ${waited}. ${LOOKED_AT_AGAIN}${failure} ${see("build-not-finished")}`,
    build,
  );
}
