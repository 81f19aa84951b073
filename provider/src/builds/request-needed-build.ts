import type { Environment } from "../client";
import { MS_PER_SECOND } from "../client/clock";
import { displayable } from "../client/error-text";
import { InvalidRequestError } from "../client/errors";
import { buildIds } from "../environment/build-history";
import { AmbiguousResultError } from "../environment/send-once";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import { canBuild, type Declaration, neededBuild, owedBuild, settleAmbiguousRequest } from "./needed-build";
import {
  type Branches,
  describeProjects,
  refuseUnknownRepositories,
  refuseUnlessRunning,
  whyNotRunning,
} from "./projects";
import { type BuildRequest, requestBuild } from "./request-build";
import { refuseWithoutRequired } from "./required-variables";
import { type PendingBuild, unfinishedBuild } from "./state";
import { lookForBuilds } from "./wait-for-build";
import { wake } from "./wake";

/** What came of asking for the build that is needed. */
export interface Requested {
  readonly environment: Environment;
  /** Ids of the builds in history before the request; left out: no build is to be waited for. */
  readonly before?: ReadonlySet<string>;
  /** Whether the environment was processing right before the request. */
  readonly wasProcessing?: boolean;
  readonly error?: AmbiguousResultError;
  /** A build that has to wait until the environment runs. */
  readonly postponed?: PendingBuild | undefined;
}

/** Requests the one build that is needed, if any. */
export async function requestNeededBuild(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
): Promise<Requested> {
  const { environmentId, branches = {}, whenStopped } = input;
  const found = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  refuseUnknownRepositories(found, branches);
  const environment = await settleAmbiguousRequest(ctx, input, old, found);
  const needed = await neededBuild(ctx, input, old, environment);
  if (needed === undefined) return { environment };
  if (needed.kind === "postpone") return { environment, postponed: stillPostponed(old, branches) };
  if (needed.kind === "join") return { environment, before: needed.before };
  if (whenStopped === "skip" && !environment.deleted && !canBuild(input, environment))
    return {
      environment,
      postponed: owedBuild(input, old, { environment, before: await buildIds(ctx, environmentId) }),
    };
  const isChange = needed.kind === "change";
  const attempt = isChange ? "change the branches of environment" : "rebuild environment";
  if (!canBuild(input, environment)) refuseUnlessRunning(environment, attempt, "Nothing was changed.");
  await refuseWithoutRequired(ctx, environment, input.requires);
  ctx.log.status(
    isChange ? `switching to ${describeProjects(needed.projects)}` : `rebuilding ${displayable(environment.name)}`,
  );
  const before = await buildIds(ctx, environmentId);
  return send(ctx, input, needed, { environment, before });
}

/** The build that goes on waiting. Of an owed one nothing was requested yet: it is for the branches that are declared now. */
function stillPostponed(old: Properties | undefined, branches: Branches): PendingBuild | undefined {
  const unfinished = unfinishedBuild(old ?? {});
  return unfinished?.status === "owed" ? { ...unfinished, branches } : unfinished;
}

async function send(
  ctx: Context,
  input: Declaration,
  request: BuildRequest,
  { environment, before }: Requested & { readonly before: ReadonlySet<string> },
): Promise<Requested> {
  try {
    await requestBuild(ctx, request, environment, before);
    return { environment, before, wasProcessing: environment.processing };
  } catch (error) {
    if (error instanceof AmbiguousResultError) return { environment, before, error };
    const isAsleep = whyNotRunning(environment) !== undefined;
    // A branch change is refused for its branches. A rebuild is refused where a service rebuilds only what runs.
    if (!isAsleep || request.kind === "change" || !(error instanceof InvalidRequestError)) throw error;
    const timeoutMs = input.buildTimeoutSeconds * MS_PER_SECOND;
    await wake(ctx, environment, { timeoutMs, isBuilding: false });
    const { environmentId, branches = {} } = input;
    const now = await lookForBuilds(ctx, { environmentId, branches, before });
    // The service builds what it starts: that build has what was declared before it.
    const isBuilding = now.matching.length > 0 || now.environment.processing;
    return isBuilding
      ? { environment: now.environment, before }
      : send(ctx, input, request, { environment: now.environment, before });
  }
}
