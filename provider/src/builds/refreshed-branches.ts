import type { Environment } from "../client";
import { buildsSince } from "../environment/build-history";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import { canBuild, isPendingFor } from "./due-build";
import { type Branches, branchesOf, changeFor, hasBranches } from "./projects";
import { type PendingBuild, type StoredBranches, parseState } from "./state";

/** `branches`: the declared ones as the environment has them now, without repositories that it lost. `pending`: the build that is due. */
export async function refreshedBranches(ctx: Context, environment: Environment, old: Properties): Promise<Properties> {
  const last = parseState(old);
  const { branches: declared } = last;
  const pending = pendingNow(environment, last);
  const rest = pending === undefined ? {} : { pending };
  if (declared === undefined) return rest;
  if (pending?.postponed) return { branches: pending.status === "owed" ? pending.branches : declared, ...rest };
  if (await isStillBuilding(ctx, environment, declared, pending)) return { branches: declared, ...rest };
  const shown = Object.entries(branchesOf(environment)).filter(([repo]) => Object.hasOwn(declared, repo));
  return { branches: Object.fromEntries(shown), ...rest };
}

/** One that waits for the environment to run is due once a refresh sees it running. */
function pendingNow(
  environment: Environment,
  { pending, whenStopped = "fail" }: StoredBranches,
): PendingBuild | undefined {
  if (pending === undefined) return undefined;
  const { postponed, ...due } = pending;
  const waits = (postponed || due.status === "owed") && !canBuild(whenStopped, environment);
  return waits ? { ...due, postponed: true } : due;
}

/** Whether the environment shows other branches than declared only because their build, which nobody awaits, is running. */
async function isStillBuilding(
  ctx: Context,
  environment: Environment,
  declared: Branches,
  pending: PendingBuild | undefined,
): Promise<boolean> {
  if (!environment.processing || environment.deleted || changeFor(environment, declared) === undefined) return false;
  if (pending?.status !== "notAwaited" || !isPendingFor(pending, declared)) return false;
  const [newest] = await buildsSince(ctx, { environmentId: environment.id, knownBuildIds: new Set(pending.before) });
  return newest === undefined || hasBranches(newest, declared);
}
