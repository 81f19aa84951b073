import type { Mutation } from "./mutation";

/** Bugs between resources of one run: whose a name is, and whose turn it is. */
export const claims: readonly Mutation[] = [
  {
    title: "writers of one environment do not take turns",
    from: "const result = this.#tail.then(action);",
    to: "const result = action();",
    breaks: "handOver",
  },
  {
    title: "what another resource holds is deleted",
    from: "return this.#taken.has(name) ||",
    to: "return (this.#taken.has(name) && false) &&",
    breaks: "handOver",
  },
  {
    title: "what another update took away is not written again",
    from: "return this.#deleted.has(name);",
    to: "return this.#deleted.has(name) && false;",
    breaks: "handOver",
  },
  {
    title: "a resource that changes does not keep its names from others",
    from: "if (found.replaces.length > 0 ||",
    to: "if (found.changes.length > 0 ||",
    breaks: "handOver",
  },
  {
    title: "what was read outlives a DELETE",
    from: "for (const name of deleted) reading.merge(name, undefined);",
    to: 'for (const name of deleted) if (name === "") reading.merge(name, undefined);',
    breaks: "wrote",
  },
  {
    title: "after a writer that failed the next one never gets its turn",
    from: "this.#tail = result.catch(() => undefined);",
    to: "this.#tail = result.catch(() => new Promise(() => undefined));",
    breaks: "hangs",
  },
  {
    title: "a DELETE that waits for its turn is sent whatever has become known",
    from: "const shouldSend = (): boolean => variables.delete(name);",
    to: "const shouldSend = (): boolean => variables.delete(name) || true;",
    breaks: "handOver",
  },
  {
    title: "what a resource said it keeps is kept although the resource goes",
    from: "if (owned?.ownerId !== undefined) environmentOf",
    to: "if (owned?.ownerId === id) environmentOf",
    breaks: "leftover",
  },
];
