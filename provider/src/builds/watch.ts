import type { Build } from "../client/builds";
import type { CallOptions, Environment } from "../client";
import { displayable, displayableName } from "../client/error-text";
import { PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { limitText, type Look, OF_A_LOOK, poll } from "../framework/poll";
import { buildsSince, unlessHidden } from "../environment/build-history";
import { type Branches, carries, describeProjects, refuseDormant, title } from "./projects";

/** `processing: false` may mean "not started yet", in a queue of the service; only after this long it means "ended". */
const QUIET_MS = 120_000;

const REQUESTED = "The build was requested before that; the next `pulumi up` looks at it again.";

/** The build that is waited for. */
export interface Watch {
  readonly environmentId: string;
  /** Branches that the build must carry; others of the environment do not matter. */
  readonly wanted: Branches;
  /** Builds that were in history before the request: never the right one. */
  readonly before: ReadonlySet<string>;
  readonly timeoutMs: number;
}

/** A finished build, and the environment as it was then. */
export interface Finished {
  readonly build: Build;
  readonly environment: Environment;
}

/** The build failed, was superseded, or did not end in time. The request itself was accepted. */
export class BuildError extends PreviewenvError {
  readonly code = "build";
  readonly build: Build | undefined;
  /** Whether the service was seen working on it. */
  readonly started: boolean;
  /** Whether it had its time: unless it runs by then, the next `up` starts a rebuild. */
  readonly judged: boolean;

  constructor(message: string, { build, started, judged }: Pick<BuildError, "build" | "started" | "judged">) {
    super(message);
    this.build = build;
    this.started = started;
    this.judged = judged;
  }
}

/** What one look saw. */
export interface Sight {
  readonly environment: Environment;
  /** Builds since the request, the newest first. */
  readonly fresh: readonly Build[];
  /** Of those, the ones of the declared branches. */
  readonly candidates: readonly Build[];
}

/** Reads the environment first and history second: the other way round, a build that ends in between is taken for
 * failed. */
export async function see(
  ctx: Context,
  { environmentId, wanted, before }: Omit<Watch, "timeoutMs">,
  options: CallOptions = {},
): Promise<Sight> {
  const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal, ...options });
  const history = buildsSince(ctx, { environmentId, before }, options);
  const fresh = environment.deleted ? await unlessHidden(history, []) : await history;
  return { environment, fresh, candidates: fresh.filter((build) => carries(build, wanted)) };
}

/**
 * Waits until a build that was not in history before, and carries the declared branches, has succeeded. A newer one
 * that supersedes it counts; an older one never does.
 * @throws BuildError when it failed, was superseded, or took too long.
 * @throws RefusedError when the environment was stopped, retired or deleted meanwhile.
 */
export async function watchBuild(ctx: Context, watch: Watch): Promise<Finished> {
  let started = false;
  let quietSince: number | undefined;
  let last: Sight | undefined;

  const look = async (elapsedMs: number): Promise<Look<Finished>> => {
    const restedSince = quietSince;
    // What happens while nothing can be seen is not known to be rest.
    quietSince = undefined;
    const sight = await see(ctx, watch, OF_A_LOOK);
    last = sight;
    const { environment, candidates, fresh } = sight;
    const success = candidates.find(({ successfullyBuilt }) => successfullyBuilt);
    if (success !== undefined) return { done: { build: success, environment: await settled(ctx, environment) } };
    refuseDormant(environment, "wait for a build of environment", REQUESTED);
    if (environment.processing) {
      started = true;
      return { waiting: `building ${displayable(environment.name)}: build ${idOf(candidates[0], "not listed yet")}` };
    }
    quietSince = restedSince ?? elapsedMs;
    const over = fresh.length > 0 && (started || elapsedMs - quietSince >= QUIET_MS);
    if (over) throw verdict(sight, started);
    return { waiting: `waiting for the build of ${displayable(environment.name)} to start` };
  };

  return poll(ctx, {
    timeoutMs: watch.timeoutMs,
    look,
    late: (elapsedMs, limit, trouble) => {
      const build = last?.candidates[0];
      const what =
        build === undefined
          ? "no build of the declared branches"
          : `build ${idOf(build)} of ${describeProjects(build.projects)}`;
      const where = last === undefined ? `environment ${watch.environmentId}` : placeOf(last.environment);
      const state = build === undefined ? "was seen" : "has not finished";
      return new BuildError(
        `${where}: ${what} ${state} after ${Math.round(elapsedMs / 1000)} s (${limitText(limit, "buildTimeoutSeconds")}). ` +
          `The next \`pulumi up\` looks at it again before it starts another.${trouble}`,
        { build, started, judged: build !== undefined },
      );
    },
  });
}

/**
 * Waits, while the service works on an environment, until it shows whether a request without an answer came to anything: a
 * build that is new, or rest without one for as long as a queue may take. Returns the environment as it is then.
 * @throws BuildError when that took too long.
 */
export async function awaitTrace(ctx: Context, watch: Watch): Promise<Environment> {
  let quietSince: number | undefined;
  return poll(ctx, {
    timeoutMs: watch.timeoutMs,
    look: async (elapsedMs): Promise<Look<Environment>> => {
      const restedSince = quietSince;
      quietSince = undefined;
      const { environment, fresh } = await see(ctx, watch, OF_A_LOOK);
      if (!environment.processing) quietSince = restedSince ?? elapsedMs;
      const isLost = quietSince !== undefined && elapsedMs - quietSince >= QUIET_MS;
      if (fresh.length > 0 || isLost) return { done: environment };
      return { waiting: `waiting for what ${displayable(environment.name)} is building` };
    },
    late: (elapsedMs, limit, trouble) =>
      new BuildError(
        `environment ${watch.environmentId}: after ${Math.round(elapsedMs / 1000)} s ` +
          `(${limitText(limit, "buildTimeoutSeconds")}) the service is still building, and does not show whether that is ` +
          `what an earlier \`pulumi up\` requested or something older. The next \`pulumi up\` looks again.${trouble}`,
        { build: undefined, started: false, judged: false },
      ),
  });
}

function verdict({ environment, candidates, fresh }: Sight, started: boolean): BuildError {
  const [failed] = candidates;
  const [newest] = fresh;
  const where = placeOf(environment);
  if (failed !== undefined)
    return new BuildError(
      `${where}: build ${idOf(failed)} of ${describeProjects(failed.projects)} ` +
        `${started ? "failed" : "failed, or was never started"}. ` +
        `Mend the branch and run \`pulumi up\` again: it starts one rebuild.`,
      { build: failed, started, judged: true },
    );
  return new BuildError(
    `${where}: the requested build was superseded by build ${idOf(newest)} of ` +
      `${describeProjects(newest?.projects ?? [])}. Somebody else changes these branches; run \`pulumi up --refresh\`.`,
    { build: undefined, started, judged: false },
  );
}

/** A build as messages name it; ids are texts of the service. */
function idOf(build: Build | undefined, none = "unknown"): string {
  return build === undefined ? none : displayableName(build.id);
}

function placeOf(environment: Environment): string {
  return `environment ${title(environment)}, ${displayable(environment.url)}`;
}

/** Reads once more when the build ended after the environment was read, so that outputs do not say `processing`. */
async function settled(ctx: Context, environment: Environment): Promise<Environment> {
  if (!environment.processing) return environment;
  return ctx.client.environments.get(environment.id, { signal: ctx.signal, ...OF_A_LOOK });
}
