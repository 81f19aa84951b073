import type { Mutation } from "./mutation";

/** Bugs around builds, branches and what is to be done once. */
export const builds: readonly Mutation[] = [
  {
    title: "a branch change is repeated after a lost answer",
    from: "attributes: { projects: wire } } },\n      repeatable: false,",
    to: "attributes: { projects: wire } } },\n      repeatable: true,",
    breaks: "builds",
  },
  {
    title: "a rebuild is repeated after a lost answer",
    from: 'repeatable: action === "stop" || action === "cancel",',
    to: 'repeatable: action === "stop" || action === "cancel" || action === "rebuild",',
    breaks: "builds",
  },
  {
    title: "a branch change names only the declared repositories",
    from: "return projects.map(({ repoName, branch }) => ({ repoName, branch: declared.get(repoName) ?? branch }));",
    to: "return projects.filter(({ repoName }) => declared.has(repoName)).map(({ repoName, branch }) => ({ repoName, branch: declared.get(repoName) ?? branch }));",
    breaks: "converges",
  },
  {
    title: "an older build counts",
    from: "!isKnown(build) && (lastKnown === -1 || index < lastKnown));",
    to: "lastKnown === -1 || index <= lastKnown);",
    breaks: "waited",
  },
  {
    title: "every build history is taken to give the newest builds first",
    from: "yield* isNewestLast ? eachPage(backwards, last) : eachPage(forwards);",
    to: "yield* isNewestLast && last === 0 ? eachPage(backwards, last) : eachPage(forwards);",
    breaks: "converges",
  },
  {
    title: "one 500 or one page of a gateway ends a wait",
    from: "error.retryable || error instanceof ServerError || error instanceof ResponseShapeError;",
    to: "error.retryable;",
    breaks: "patient",
  },
  {
    title: "a build of other branches counts",
    from: "matching: builds.filter((build) => hasBranches(build, branches))",
    to: "matching: builds.filter((build) => hasBranches(build, {}))",
    breaks: "waited",
  },
  {
    title: "a build that failed is forgotten",
    from: 'return { environment, build, pending: { ...pending, status: "owed", needsRebuild: true }, open: [error.message] };',
    to: "return { environment, build, open: [error.message] };",
    breaks: "converges",
  },
  {
    title: "a build that nobody waits for is taken for drift",
    from: 'if (pending?.status !== "notAwaited" || !isFor(pending, declared)) return false;',
    to: "if (declared !== undefined) return false;",
    breaks: "settles",
  },
  {
    title: "a build that is to be skipped wakes the environment",
    from: 'return flag === undefined || (whenStopped === "wake" && flag !== "deleted");',
    to: 'return flag === undefined || (whenStopped !== "fail" && flag !== "deleted");',
    breaks: "asleep",
  },
  {
    title: "a build that is owed is forgotten while the environment sleeps",
    from: "return { environment, build, pending: postpone(ctx, environment, asked.pending) };",
    to: "return { environment, build, pending: last.branches === undefined ? postpone(ctx, environment, asked.pending) : undefined };",
    breaks: "owed",
  },
  {
    title: "a refresh does not see that a build that is owed is due",
    from: "return waits ? { ...due, postponed: true } : due;",
    to: 'return waits || due.status === "owed" ? { ...due, postponed: true } : due;',
    breaks: "owed",
  },
  {
    title: "an environment is not started after the build that was to wake it",
    from: "if (asked.needsStart) await wake(ctx, environment, limit, true);",
    to: "if (asked.needsStart) ctx.log.status(environment.name);",
    breaks: "woken",
  },
  {
    title: "a restore takes branches from the resource that has them now",
    from: "session.branches.isWanted(repo)",
    to: "(session.branches.isWanted(repo) && false)",
    breaks: "handOver",
  },
  {
    title: "an action is repeated after a lost answer",
    from: "sending: ctx.client.environments.act(action, environmentId, { signal: ctx.signal, repeatable: false }),",
    to: "sending: ctx.client.environments.act(action, environmentId, { signal: ctx.signal, repeatable: true }),",
    breaks: "once",
  },
  {
    title: "branches that somebody has put back are reported as deployed",
    from: "if (!isSettling) throw contradiction(settled, build);",
    to: "if (!isSettling) return { build, environment: settled };",
    breaks: "deployed",
  },
  {
    title: "the first two builds tell the order of a history",
    from: "return stamps.slice(1).reduce(",
    to: "return stamps.slice(1, 2).reduce(",
    breaks: "found",
  },
  {
    title: "an environment that the program itself starts is not waited for",
    from: 'return wanted === "running" && !isKept;',
    to: 'return wanted === "running" && isKept;',
    breaks: "begins",
  },
];
