import type { Mutation } from "./mutation";

/** Bugs in what a refresh finds, and in what counts as a difference. */
export const reads: readonly Mutation[] = [
  {
    title: "a refresh puts the mask into state",
    from: 'return unknown(now, updatedAt, before.isNewSecret === true ? "" : there.value);\n  }\n  // Nothing was written since: the time of state stays too.\n  if (isUntouched && fitsMask(before.value, there.value)) return { ...before, services };\n  return unknown(now, updatedAt, there.value);',
    to: "return { ...now, value: there.value };\n  }\n  if (isUntouched && fitsMask(before.value, there.value)) return { ...before, services };\n  return { ...now, value: there.value };",
    breaks: "truth",
  },
  {
    title: "401 is taken for gone",
    from: "if (!(error instanceof NotFoundError || error instanceof UndocumentedNotFoundError)) throw error;\n    const environment = await getUnlessGone(ctx, environmentId);",
    to: 'if (error instanceof Error && "status" in error && error.status === 401) return "gone";\n    if (!(error instanceof NotFoundError || error instanceof UndocumentedNotFoundError)) throw error;\n    const environment = await getUnlessGone(ctx, environmentId);',
    breaks: "refreshed",
  },
  {
    title: "404 for variables is taken for gone without a look at the environment",
    from: "if (!environment.deleted || !(error instanceof NotFoundError)) throw error;",
    to: "if (environment === undefined) throw error;",
    breaks: "refreshed",
  },
  {
    title: "404 of a gateway is taken for gone although the list has the environment",
    from: "if (walks.some((keys) => keys.has(environmentKey(environmentId)))) throw stillListed(error);",
    to: "if (walks.some((keys) => keys.size < 0)) throw stillListed(error);",
    breaks: "refreshed",
  },
  {
    title: "a secret that was made visible moves to plain state",
    from: 'return unknown(now, updatedAt, there.hidden ? "hidden" : "visible");',
    to: "return { ...now, value: there.value, hidden: there.hidden };",
    breaks: "leak",
  },
  {
    title: "a change of services is not seen",
    from: '["scope", !sameScope(known.services, wanted.services)],',
    to: '["scope", !sameScope(known.services, known.services)],',
    breaks: "truth",
  },
  {
    title: "a change of one variable's scope is not seen",
    from: "const services = scope(there.services);\n  // No value",
    to: "const services = before.services;\n  // No value",
    breaks: "converges",
  },
  {
    title: "scopes of single variables are not sent",
    from: "services: ofVariables.get(name) ?? ofSet",
    to: "services: ofSet",
    breaks: "converges",
  },
  {
    title: "a hidden value is taken for known although it may have been changed with its scope",
    from: "if (isUntouched && fitsMask(before.value, there.value)) return { ...before, services };",
    to: "if (isUntouched || before.services.join() !== services.join()) return { ...before, services, updatedAt };",
    breaks: "converges",
  },
  {
    title: "a value that is left to the service is deleted with its resource",
    from: 'return is === "existing" || ownership?.isOnlyLookedAt(name) === true ?',
    to: "return ownership?.isOnlyLookedAt(name) === true ?",
    breaks: "stranger",
  },
  {
    title: "a hidden value that is left to the service is written when its scope changes",
    from: 'if (hidden) return { is: "failed", reason: UNCHANGEABLE, now: before };',
    to: 'if (hidden) return { before, wanted: { ...wanted, is: "value", value: there.value } };',
    breaks: "invented",
  },
  {
    title: "an edit of a hidden value whose mask fits is not seen",
    from: 'const isUntouched = before.updatedAt === updatedAt || before.updatedAt === "";',
    to: "const isUntouched = true;",
    breaks: "refreshed",
  },
  {
    title: "a refresh drops variables that somebody changed",
    from: "if (mine !== undefined && isOwned(mine)) return [observe(mine, item)];",
    to: "if (mine !== undefined && isOwned(mine) && mine.updatedAt === item.updatedAt) return [observe(mine, item)];",
    breaks: "refreshed",
  },
  {
    title: "a refresh shows a secret that the engine's inputs do not have",
    from: "const isUnmarked = isOwn(variable) && variable.isNewSecret === true;",
    to: 'const isUnmarked = isOwn(variable) && variable.name === "";',
    breaks: "leak",
  },
  {
    title: "a value that was emptied is no change",
    from: "if (isDeepStrictEqual(old, wanted) || (isEmpty(old) && isEmpty(wanted))) return [];",
    to: 'if (isDeepStrictEqual(old, wanted) || wanted === "") return [];',
    breaks: "ordered",
  },
  {
    title: "every refresh takes hidden values for edited",
    from: 'const isUntouched = before.updatedAt === updatedAt || before.updatedAt === "";',
    to: 'const isUntouched = before.updatedAt === "";',
    breaks: "settles",
  },
  {
    title: "the revision of a set that is looked up is another one at each look",
    from: "revisionOf(ctx.environment(environmentId).key, found)",
    to: "ctx.randomId()",
    breaks: "quiet",
  },
  {
    title: "what a mask leaves of a character is taken for another character",
    from: "[...mask.matchAll(MIDDLE)].some(",
    to: "[...mask.matchAll(/\\*+/gu)].some(",
    breaks: "settles",
  },
  {
    title: "a refresh prunes",
    from: "const before = storedVariables(old);\n    const open",
    to: 'const before = storedVariables(old);\n    if (old["prune"] === true)\n      for (const { name } of listed)\n        if (!before.has(name)) await ctx.client.envVars.delete(id, name, { signal: ctx.signal });\n    const open',
    breaks: "reads",
  },
  {
    title: "what an import has only looked at is the set's own",
    from: 'return is === "existing" || ownership?.isOnlyLookedAt(name) === true ?',
    to: 'return is === "existing" ?',
    breaks: "stranger",
  },
  {
    title: "a 404 counts where every route answers so",
    from: "const read = lists.get(client) ?? aliveKeys(client, signal);",
    to: "const read = lists.get(client) ?? Promise.resolve(new Set<string>());",
    breaks: "unrouted",
  },
  {
    title: "the child of a list goes when a list lacks its environment",
    from: "if (listing.isDeclared || (await ctx.runsProgram?.()) === false) return false;",
    to: "if (listing.isDeclared || (await ctx.runsProgram?.()) !== undefined) return false;",
    breaks: "listed",
  },
];
