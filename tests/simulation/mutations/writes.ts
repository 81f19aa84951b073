import type { Mutation } from "./mutation";

/** Bugs in what is written, deleted, and reported of it. */
export const writes: readonly Mutation[] = [
  {
    title: "what a list declared for an environment that is gone is an error",
    from: "if (found === undefined || found.deleted || listing.isTold) return true;",
    to: "if (found === undefined || found.deleted) throw new Error(environment.key);",
    breaks: "leaves",
  },
  {
    title: "placeholders are sent",
    from: 'const DUE = { value: "write", unknown: "blocked", existing: "compare" } as const;',
    to: 'const DUE = { value: "write", unknown: "write", existing: "compare" } as const;',
    breaks: "invented",
  },
  {
    title: "failed names are left out of the report",
    from: "return failed.size === 0 ? written : { ...written, open:",
    to: "return failed.size >= 0 ? written : { ...written, open:",
    breaks: "foreseen",
  },
  {
    title: "a 207 counts as success for every name",
    from: "if (name !== undefined && names.has(name)) failed.set(name, reason || NO_REASON);",
    to: "if (name !== undefined && names.has(name)) continue;",
    breaks: "wrote",
  },
  {
    title: "errors without a name are attributed to nobody",
    from: "if (count === 0) return [];",
    to: "if (count >= 0) return [];",
    breaks: "truth",
  },
  {
    title: "what exists with something else is overwritten",
    from: 'if (difference !== "" && !ownership.isShown(name)) conflicts.set(name, difference);',
    to: 'if (difference !== "" && name === "") conflicts.set(name, difference);',
    breaks: "conflict",
  },
  {
    title: "whatever exists is taken over as declared",
    from: "return hidden ? fitsMask(value, item.value) : item.value === value;",
    to: "return true;",
    breaks: "foreseen",
  },
  {
    title: "a write without an answer counts as done",
    from: "outcome.abortedBy = await explain(error, ctx, environmentId, batch);",
    to: 'outcome.abortedBy = await explain(error, ctx, environmentId, batch);\n    if (!isRefusal(error)) {\n      for (const one of batch) outcome.results.set(one.name, { is: "written", now: { ...one, updatedAt: "" }, listed: undefined });\n      return "done";\n    }',
    breaks: "truth",
  },
  {
    title: "a write without an answer counts as refused",
    from: "(!isRefusal(error) && { now: unknown(",
    to: '(error.message === "" && { now: unknown(',
    breaks: "remembers",
  },
  {
    title: "a write that is cancelled while it is out counts as refused",
    from: "if (error instanceof CancelledError || error instanceof ConnectionError) return !error.sent;",
    to: "if (error instanceof CancelledError || error instanceof ConnectionError) return !error.sent || error instanceof CancelledError;",
    breaks: "remembers",
  },
  {
    title: "a single variable forgets a write that is cancelled while it is out",
    from: 'if (stateNow === undefined || now?.is === "undeclared" || now === before.get(name)) throw error;',
    to: 'if (stateNow === undefined || now?.is === "undeclared" || now === before.get(name) || ctx.signal.aborted) throw error;',
    breaks: "remembers",
  },
  {
    title: "an error shows the value that failed",
    from: 'is: "failed",\n        reason,',
    to: 'is: "failed",\n        reason: reason + variable.value,',
    breaks: "leak",
  },
  {
    title: "a secret that is not declared any more stays in plain state",
    from: 'return { ...variable, is: "undeclared", value: placeholder(variable.updatedAt, NOT_DECLARED) };',
    to: "return variable;",
    breaks: "leak",
  },
  {
    title: "batches are as large as they come",
    from: "const batch = open.slice(0, ctx.batch.size);",
    to: "const batch = open.slice(0);",
    breaks: "batches",
  },
  {
    title: "a DELETE counts as done that a gateway answers 404",
    from: "else if (error instanceof NotFoundError || error instanceof ResponseShapeError) unclear.set(name, error.message);",
    to: 'else if (error instanceof NotFoundError || error instanceof ResponseShapeError) results.set(name, { is: "deleted" });',
    breaks: "lost",
  },
  {
    title: "a DELETE that failed counts as done",
    from: 'else if (error instanceof PreviewenvError) results.set(name, { is: "failed", reason: error.message });',
    to: 'else if (error instanceof PreviewenvError) results.set(name, { is: "deleted" });',
    breaks: "leftover",
  },
  {
    title: "pruning takes names that no request can address",
    from: "return isMapKey(name) && isSegment(name) &&",
    to: "return isMapKey(name) &&",
    breaks: "converges",
  },
  {
    title: "pruning spares nothing",
    from: "if (prune !== true || !isPrunable(name)) return false;",
    to: "if (prune !== undefined) return prune === true && isPrunable(name);",
    breaks: "stranger",
  },
  {
    title: "what others changed in a hidden value is not written back",
    from: '["value", known.value !== wanted.value &&',
    to: '["value", known.value !== wanted.value && known.is !== "unknown" &&',
    breaks: "converges",
  },
  {
    title: "a destroy leaves secrets behind",
    from: "const removed = steps.filter(isRemoval).map(({ stored }) => stored);",
    to: 'const removed = steps.filter(isRemoval).map(({ stored }) => stored).filter((variable) => operation !== "delete" || !("hidden" in variable) || !variable.hidden);',
    breaks: "destroys",
  },
  {
    title: "what was deleted stays in state",
    from: 'if (!isRemoval(step) || result?.is === "deleted" || result?.is === "owned by another") return undefined;',
    to: 'if (!isRemoval(step) || result?.is === "owned by another") return undefined;',
    breaks: "quiet",
  },
  {
    title: "a name leaves the state of a set although its DELETE failed",
    from: "return isOwn(stored) ? undeclared(stored) : stored;",
    to: "return undefined;",
    breaks: "lost",
  },
];
