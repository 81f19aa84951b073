import type { Context } from "../framework/context";
import { type EnvironmentSession, environmentKey } from "../framework/environment-session";
import type { Properties } from "../framework/properties";
import { type Branches, describeProjects } from "./projects";
import { stored } from "./state";

/** Which original branches of one environment this run has seen: a replacement shall not take its own branches for them. */
class OriginalBranches {
  /** Of a state that the engine has shown. */
  shown: Branches | undefined;
  /** What a create of this run has put into state. */
  created: { readonly branches: Branches; readonly isRestored: boolean } | undefined;
}

/** Notes a state that the engine has shown: of the resource that stays, or that is about to be replaced or deleted. */
export function noteOriginalBranches(environment: EnvironmentSession, state: Properties): void {
  const { environmentId } = state;
  // The state may be of another environment, when `environmentId` has changed.
  if (typeof environmentId !== "string" || environmentKey(environmentId) !== environment.key) return;
  const { originalBranches } = stored(state);
  if (originalBranches !== undefined) environment.part(OriginalBranches).shown = originalBranches;
}

/** What a create puts into state: what the replaced resource had, as far as the engine has shown it, or else what is there. */
export function originalBranchesOf(environment: EnvironmentSession, found: Branches, onDestroy: unknown): Branches {
  const originals = environment.part(OriginalBranches);
  const branches = originals.shown ?? found;
  originals.created = { branches, isRestored: onDestroy === "restore" };
  return branches;
}

/** Warns when the resource that is about to be deleted was replaced by one that does not know its original branches. */
export function warnOfLostBranches(ctx: Context, environmentId: string, old: Properties): void {
  const environment = ctx.environment(environmentId);
  const { created } = environment.part(OriginalBranches);
  const { originalBranches = {}, onDestroy } = stored(old);
  if (created === undefined || !(created.isRestored || onDestroy === "restore")) return;
  const lost = Object.entries(originalBranches).filter(
    ([repoName, branch]) => environment.branches.isWanted(repoName) && created.branches[repoName] !== branch,
  );
  if (lost.length === 0) return;
  const describe = (branches: readonly (readonly [string, string | undefined])[]): string =>
    describeProjects(branches.map(([repoName, branch = ""]) => ({ repoName, branch })));
  const kept = lost.map(([repoName]) => [repoName, created.branches[repoName]] as const);
  ctx.log.warn(
    `environment ${environmentId}: the resource was replaced, and the new one does not know the original branches of the old ` +
      `one: ${describe(lost)}. Its \`onDestroy: "restore"\` puts back ${describe(kept)}. To restore the others, declare them in ` +
      "`branches` before the destroy. With `pulumi up --refresh`, a replacement keeps them.",
  );
}
