import type { Mutation } from "./mutation";

/** Bugs between resources of one run: whose a name is, and whose turn it is. */
export const claims: readonly Mutation[] = [
  {
    title: "writers of one environment do not take turns",
    from: "const result = before.then(action);",
    to: "const result = action();",
    breaks: "handOver",
  },
  {
    title: "what another resource holds is deleted",
    from: "return this.#names.get(scope)?.has(name) === true ||",
    to: "return (this.#names.get(scope)?.has(name) === true && false) && ",
    breaks: "handOver",
  },
  {
    title: "what another update took away is not written again",
    from: "return this.#removed.get(scope)?.has(name) ?? false;",
    to: "return this.#removed.get(scope)?.has(name) === true && false;",
    breaks: "handOver",
  },
  {
    title: "a resource that changes does not keep its names from others",
    from: "if (found.replaces.length > 0 ||",
    to: "if (found.changes.length > 0 ||",
    breaks: "handOver",
  },
  {
    title: "what EnvVars have read outlives the writes of a set",
    from: "deskOf(ctx).forget(environmentId);",
    to: 'if (environmentId === "") deskOf(ctx).forget(environmentId);',
    breaks: "wrote",
  },
  {
    title: "after a writer that failed the next one never gets its turn",
    from: "const tail = result.catch(() => undefined);",
    to: "const tail = result.catch(() => new Promise(() => undefined));",
    breaks: "hangs",
  },
  {
    title: "a DELETE that waits for its turn is sent whatever has become known",
    from: "shouldSend: () => isGoing(name)",
    to: "shouldSend: () => isGoing(name) || true",
    breaks: "handOver",
  },
  {
    title: "what a resource said it keeps is kept although the resource goes",
    from: "if (holder !== undefined) ctx.claims.release(holder);",
    to: "if (holder === id) ctx.claims.release(holder);",
    breaks: "leftover",
  },
];
