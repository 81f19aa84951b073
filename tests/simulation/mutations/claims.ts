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
    title: "what a run knows of one environment counts for all",
    from: "const known = environments.get(key) ?? new RunEnvironmentSession(key, clock, waits);",
    to: "const known = [...environments.values()][0] ?? new RunEnvironmentSession(key, clock, waits);",
    breaks: "isolated",
  },
  {
    title: "what another resource declares is deleted",
    from: "return this.#isTaken(name) || this.#isDeclared(name);",
    to: "return this.#isTaken(name) && this.#isDeclared(name) && false;",
    breaks: "handOver",
  },
  {
    title: "what another update took away is not written again",
    from: 'return this.#results.get(name) === "leaving" || this.isConfirmedDeleted(name);',
    to: 'return this.#results.get(name) === "leaving" && this.isConfirmedDeleted(name);',
    breaks: "handOver",
  },
  {
    title: "an update deletes while the engine still plans",
    from: "await variables.untilQuiet(ctx.signal); const later",
    to: "const later",
    breaks: "handOver",
  },
  {
    title: "a name leaves the state of its old owner although the new one could not write it",
    from: "[...deletes.left].filter((name) => !untaken.has(name))",
    to: '[...deletes.left].filter((name) => !untaken.has(name) || name !== "")',
    breaks: "lost",
  },
  {
    title: "what an old owner kept in state is no change for an engine that compares inputs",
    from: "mustReport: readPlaceholder(known.value)?.note === NOT_DECLARED }];",
    to: 'mustReport: readPlaceholder(known.value)?.note === "" }];',
    breaks: "ordered",
  },
  {
    title: "an old owner does not wait for what the new one does",
    from: "await this.#waits.until(() => names.every(isKnown), this.#listeners, signal);",
    to: "if (signal.aborted) await this.#waits.until(() => names.every(isKnown), this.#listeners, signal);",
    breaks: "quiet",
  },
  {
    title: "a value of this stack that is in the way is a conflict",
    from: "return this.#shown.has(name);",
    to: "return this.#shown.has(name) && false;",
    breaks: "converges",
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
    from: "if (id !== undefined) names.release(id);",
    to: 'if (id === "") names.release(id);',
    breaks: "leftover",
  },
];
