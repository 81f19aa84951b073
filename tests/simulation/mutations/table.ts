/** A deliberate bug: a piece of a source file below provider/src, and what stands in its place. */
export interface Mutation {
  readonly title: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Bugs that the simulation must find. */
export const mutations: readonly Mutation[] = [
  {
    title: "a refresh puts the mask into state",
    file: "resources/variables/drift.ts",
    from: "return unchanged ? known.value : standIn(updatedAt, found.value);",
    to: "return unchanged ? known.value : found.value;",
  },
  {
    title: "stand-ins are sent",
    file: "resources/variables/plan.ts",
    from: "const send = due.filter(({ value }) => !isStandIn(value));",
    to: "const send = due;",
  },
  {
    title: "writers of one environment do not take turns",
    file: "core/mutex.ts",
    from: "const result = before.then(action);",
    to: "const result = action();",
  },
  {
    title: "401 is taken for gone",
    file: "resources/variables/gone.ts",
    from: "if (!(error instanceof NotFoundError)) throw error;",
    to: 'if (error instanceof Error && "code" in error && error.code === "authentication") return undefined;\n    if (!(error instanceof NotFoundError)) throw error;',
  },
  {
    title: "404 for variables is taken for gone without a look at the environment",
    file: "resources/variables/gone.ts",
    from: "if (environment === undefined || environment.deleted) return undefined;",
    to: "return environment === undefined ? undefined : undefined;",
  },
  {
    title: "failed names are left out of the report",
    file: "resources/variables/apply.ts",
    from: "if (failed.size > 0) report(environmentId, done, failed, state);",
    to: "if (failed.size < 0) report(environmentId, done, failed, state);",
  },
  {
    title: "a 207 counts as success for every name",
    file: "resources/variables/answer.ts",
    from: "if (name !== undefined && names.has(name)) failed.set(name, reason);",
    to: "if (name !== undefined && names.has(name)) continue;",
  },
  {
    title: "errors without a name are attributed to nobody",
    file: "resources/variables/answer.ts",
    from: "if (count === 0) return [];",
    to: "if (count >= 0) return [];",
  },
  {
    title: "a rebuild is repeated after a lost answer",
    file: "client/environments.ts",
    from: 'return this.#act("rebuild", id, false, call);',
    to: 'return this.#act("rebuild", id, true, call);',
  },
  {
    title: "a branch change is repeated after a lost answer",
    file: "client/environments.ts",
    from: "attributes: { projects: wire } } },\n      repeatable: false,",
    to: "attributes: { projects: wire } } },\n      repeatable: true,",
  },
  {
    title: "what another resource holds is deleted",
    file: "core/claims.ts",
    from: "return this.#names.get(scope)?.has(name) ?? false;",
    to: "return this.#names.get(scope)?.has(name) === true && false;",
  },
  {
    title: "what another update took away is not written again",
    file: "core/claims.ts",
    from: "return this.#removed.get(scope)?.has(name) ?? false;",
    to: "return this.#removed.get(scope)?.has(name) === true && false;",
  },
  {
    title: "what exists with something else is overwritten",
    file: "resources/variables/conflict.ts",
    from: "return item !== undefined && !echoes(item, variable);",
    to: "return item !== undefined && false;",
  },
  {
    title: "whatever exists is taken over as declared",
    file: "resources/variables/answer.ts",
    from: "return variable.hidden ? fitsMask(variable.value, item.value) : item.value === variable.value;",
    to: "return true;",
  },
  {
    title: "a write without an answer counts as done",
    file: "resources/variables/write.ts",
    from: 'if (!echoes(item, variable)) return "absent";',
    to: 'if (!echoes(item, variable)) return "stored";',
  },
  {
    title: "a write without an answer counts as refused",
    file: "resources/variables/write.ts",
    from: "if (isRefusal(error)) {",
    to: 'if (isRefusal(error) || error.code !== "") {',
  },
  {
    title: "a hidden value that may be older counts as written",
    file: "resources/variables/write.ts",
    from: 'return before.get(variable.name) === item.updatedAt ? "absent" : "stored";',
    to: 'return "stored";',
  },
  {
    title: "Retry-After is ignored",
    file: "client/retry.ts",
    from: "if (askedMs !== undefined && askedMs > 0) return Math.min(askedMs, policy.retryAfterCapMs);",
    to: "if (askedMs !== undefined && askedMs < 0) return 0;",
  },
  {
    title: "429 pauses only the request that met it",
    file: "client/gate.ts",
    from: "this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.now() + ms);",
    to: "this.#pausedUntilMs = ms < 0 ? 0 : this.#pausedUntilMs;",
  },
  {
    title: "an error shows the value that failed",
    file: "resources/variables/write.ts",
    from: "else failed.set(variable.name, error.message);",
    to: "else failed.set(variable.name, error.message + variable.value);",
  },
  {
    title: "a secret that is not declared any more stays in plain state",
    file: "resources/variables/apply.ts",
    from: 'return { ...one, value: standIn(one.updatedAt ?? "", "not declared") };',
    to: "return one;",
  },
  {
    title: "a secret that was made visible moves to plain state",
    file: "resources/variables/drift.ts",
    from: "if (note !== undefined) return { ...known, updatedAt, value: standIn(updatedAt, note), note };",
    to: "if (note !== undefined) return { ...known, updatedAt, value: found.value, hidden: found.hidden };",
  },
  {
    title: "a cancellation is not heard by requests that wait",
    file: "client/transport.ts",
    from: "const release = follow(scope, call.signal, this.#closing.signal);",
    to: "const release = follow(scope, this.#closing.signal);",
  },
  {
    title: "batches are as large as they come",
    file: "resources/variables/write.ts",
    from: "const batch = variables.slice(position, position + ctx.batch.size);",
    to: "const batch = variables.slice(position);",
  },
  {
    title: "a DELETE that failed counts as done",
    file: "resources/variables/remove.ts",
    from: "else if (error instanceof PreviewenvError) failed.set(name, error.message);",
    to: "else if (error instanceof PreviewenvError) deleted.add(name);",
  },
  {
    title: "a change of services is not seen",
    file: "resources/variables/variable.ts",
    from: "known.hidden === wanted.hidden &&\n    sameScope(known.services, wanted.services)",
    to: "known.hidden === wanted.hidden",
  },
  {
    title: "an edit of a hidden value whose mask fits is not seen",
    file: "resources/variables/drift.ts",
    from: '(known.updatedAt === updatedAt || known.updatedAt === "") &&',
    to: "",
  },
  {
    title: "a refresh drops variables that somebody changed",
    file: "resources/env-var-set.ts",
    from: "if (mine !== undefined && isOwned(mine)) return [observe(mine, item)];",
    to: "if (mine !== undefined && isOwned(mine) && mine.updatedAt === item.updatedAt) return [observe(mine, item)];",
  },
  {
    title: "pruning spares nothing",
    file: "resources/variables/plan.ts",
    from: "if (!Array.isArray(keep)) return false;",
    to: "if (keep !== undefined || keep === undefined) return false;",
  },
  {
    title: "a branch change names only the declared repositories",
    file: "resources/branches/projects.ts",
    from: "return projects.map(({ repoName, branch }) => ({ repoName, branch: declared.get(repoName) ?? branch }));",
    to: "return projects.filter(({ repoName }) => declared.has(repoName)).map(({ repoName, branch }) => ({ repoName, branch: declared.get(repoName) ?? branch }));",
  },
  {
    title: "an older build counts",
    file: "resources/branches/watch.ts",
    from: "const fresh = builds.filter(({ id }) => !before.has(id));",
    to: "const fresh = builds.filter(({ id }) => !before.has(id) || before.has(id));",
  },
  {
    title: "a build of other branches counts",
    file: "resources/branches/watch.ts",
    from: "candidates: fresh.filter((build) => carries(build, wanted))",
    to: "candidates: fresh.filter((build) => carries(build, {}))",
  },
  {
    title: "a build that failed is forgotten",
    file: "resources/branches/apply.ts",
    from: "const pending: Pending = { v: 1, before: [...before], branches };",
    to: "const pending = undefined;",
  },
  {
    title: "a build that nobody waits for is taken for drift",
    file: "resources/branches/need.ts",
    from: "if (!isDeepStrictEqual(queued.branches, branches)) return false;",
    to: "if (queued.v === 1) return false;",
  },
  {
    title: "a restore takes branches from the resource that has them now",
    file: "resources/branches/restore.ts",
    from: "ctx.claims.has(scope, repo)",
    to: "(ctx.claims.has(scope, repo) && false)",
  },
  {
    title: "reads that EnvVars share outlive writes",
    file: "core/shared-read.ts",
    from: "this.#entries.get(key)?.later.set(name, value);",
    to: 'if (name === "") this.#entries.get(key)?.later.set(name, value);',
  },
  {
    title: "a resource that changes does not keep its names from others",
    file: "core/resource.ts",
    from: "if (found.replaces.length > 0 ||",
    to: "if (found.changes.length > 0 ||",
  },
  {
    title: "a refresh shows a secret that the engine's inputs do not have",
    file: "resources/variables/drift.ts",
    from: "if (known.isUnmarked === true)",
    to: "if (known.isUnmarked === false)",
  },
];
