import type { Context } from "../framework/context";
import type { EnvironmentSession } from "../run/environment-session";
import { environmentKey } from "../client/text-rules";
import type { Properties } from "../framework/properties";
import { type Branches, describeProjects } from "./projects";
import { parseState } from "./state";

/** What this run has seen of the branches of one environment: a replacement goes on with what the replaced resource had. */
class ReplacedResource {
  /** Of a state that the engine has shown. */
  shown: Properties | undefined;
  /** What a create of this run has put into state. `isRestored`: a destroy puts these branches back. */
  created: { readonly originalBranches: Branches; readonly isRestored: boolean } | undefined;
}

/** Notes a state that the engine has shown: of the resource that stays, or that is about to be replaced or deleted. */
export function noteReplaceable(session: EnvironmentSession, state: Properties): void {
  const { environmentId } = state;
  // The state may be of another environment, when `environmentId` has changed.
  if (typeof environmentId !== "string" || environmentKey(environmentId) !== session.key) return;
  const { originalBranches, pending } = parseState(state);
  if (originalBranches !== undefined) session.part(ReplacedResource).shown = { originalBranches, pending };
}

/** What a create goes on with: the original branches and the build that is due, as far as the engine has shown them. */
export function replacedBy(session: EnvironmentSession): Properties | undefined {
  return session.part(ReplacedResource).shown;
}

/** Notes what a create has put into state. */
export function noteCreated(session: EnvironmentSession, originalBranches: Branches, onDestroy: unknown): void {
  session.part(ReplacedResource).created = { originalBranches, isRestored: onDestroy === "restore" };
}

/** Warns when the resource that is about to be deleted was replaced by one that does not know its original branches. */
export function warnOfLostBranches(ctx: Context, environmentId: string, old: Properties): void {
  const session = ctx.environment(environmentId);
  const { created } = session.part(ReplacedResource);
  const { originalBranches = {}, onDestroy } = parseState(old);
  if (created === undefined || !(created.isRestored || onDestroy === "restore")) return;
  const lost = Object.entries(originalBranches).filter(
    ([repoName, branch]) => session.declaredRepositories.has(repoName) && created.originalBranches[repoName] !== branch,
  );
  if (lost.length === 0) return;
  const describe = (branches: readonly (readonly [string, string | undefined])[]): string =>
    describeProjects(branches.map(([repoName, branch = ""]) => ({ repoName, branch })));
  const kept = lost.map(([repoName]) => [repoName, created.originalBranches[repoName]] as const);
  ctx.log.warn(
    `environment ${ctx.client.titleOf(environmentId)}: the resource was replaced, and the new one does not know the original branches of the old ` +
      `one: ${describe(lost)}. Its \`onDestroy: "restore"\` puts back ${describe(kept)}. To restore the others, declare them in ` +
      "`branches` before the destroy. With `pulumi up --refresh`, a replacement keeps them.",
  );
}
