import type { Mutation } from "./mutation";

/** Bugs between resources of one run: whose a name is, and whose turn it is. */
export const claims: readonly Mutation[] = [
  {
    title: "writers of one name do not take turns",
    from: "for (const name of wanted) this.#free.set(name, next);",
    to: 'for (const name of wanted) if (name === "") this.#free.set(name, next);',
    breaks: "handOver",
  },
  {
    title: "what a run knows of one environment counts for all",
    from: "const known = environments.get(key) ?? new EnvironmentSession(key, clock, waits);",
    to: "const known = [...environments.values()][0] ?? new EnvironmentSession(key, clock, waits);",
    breaks: "isolated",
  },
  {
    title: "what another resource declares is deleted",
    from: "const isDeclared = (this.#declared.get(name) ?? 0) > 0 || this.#declaredByOthers.has(name);",
    to: "const isDeclared = this.#declaredByOthers.has(name);",
    breaks: "handOver",
  },
  {
    title: "what another update took away is not written again",
    from: 'ownership?.resultOf(wanted.name) === "deleted"',
    to: 'ownership?.resultOf("") === "deleted"',
    breaks: "handOver",
  },
  {
    title: "a name leaves the state of its old owner although the new one could not write it",
    from: 'if (variables.resultOf(name) === "taken") return { is: "owned by another" };',
    to: 'if (name !== "") return { is: "owned by another" };',
    breaks: "lost",
  },
  {
    title: "what an old owner kept in state is no change for an engine that compares inputs",
    from: 'mustReport: stored.is === "undeclared"',
    to: "mustReport: false",
    breaks: "ordered",
  },
  {
    title: "a value of this stack that is in the way is a conflict",
    from: "return this.#shown.has(name);",
    to: "return this.#shown.has(name) && false;",
    breaks: "converges",
  },
  {
    title: "what was read outlives a DELETE",
    from: 'if (result.is === "deleted") reading.merge(name, undefined);',
    to: 'if (result.is === "deleted" && name === "") reading.merge(name, undefined);',
    breaks: "wrote",
  },
  {
    title: "after a writer the next one of the same name never gets its turn",
    from: "return { [Symbol.dispose]: release };",
    to: "return { [Symbol.dispose]: () => undefined };",
    breaks: "hangs",
  },
  {
    title: "a DELETE that waits for its turn is sent whatever has become known",
    from: "const shouldSend = (): boolean => variables.claimDelete(name, by);",
    to: "const shouldSend = (): boolean => variables.claimDelete(name, by) || true;",
    breaks: "handOver",
  },
  {
    title: "what a resource said it keeps is kept although the resource goes",
    from: "namesOf(old, ctx)?.release(ownerId);",
    to: "namesOf(old, ctx)?.release(undefined);",
    breaks: "leftover",
  },
  {
    title: "what a program says that others declare is deleted",
    from: "const isDeclared = (this.#declared.get(name) ?? 0) > 0 || this.#declaredByOthers.has(name);",
    to: "const isDeclared = (this.#declared.get(name) ?? 0) > 0;",
    breaks: "handOver",
  },
  {
    title: "what somebody has written since this stack last looked is deleted",
    from: 'return known !== "" && found?.updatedAt !== undefined && found.updatedAt !== known;',
    to: 'return known === "" && found?.updatedAt !== undefined && found.updatedAt !== known;',
    breaks: "unseen",
  },
  {
    title: "a time that is not known passes for another one",
    from: 'return known !== "" && found?.updatedAt !== undefined && found.updatedAt !== known;',
    to: "return found?.updatedAt !== undefined && found.updatedAt !== known;",
    breaks: "lost",
  },
  {
    title: "a resource that goes leaves what its own replacement declares",
    from: 'if (by !== "delete") return this.isWanted(name);',
    to: 'if (name !== "") return this.isWanted(name);',
    breaks: "lost",
  },
  {
    title: "a resource that goes deletes what another one could not write",
    from: 'return result === "taken" || result === "failed";',
    to: 'return result === "taken";',
    breaks: "handOver",
  },
  {
    title: "names of a resource that was not registered count as nobody's",
    from: "for (const name of others) this.#declaredByOthers.add(name);",
    to: 'for (const name of others) if (name === "") this.#declaredByOthers.add(name);',
    breaks: "valued",
  },
];
