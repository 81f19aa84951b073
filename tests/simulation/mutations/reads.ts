import type { Mutation } from "./mutation";

/** Bugs in what a refresh finds, and in what counts as a difference. */
export const reads: readonly Mutation[] = [
  {
    title: "a refresh puts the mask into state",
    file: "resources/variables/drift.ts",
    from: "return unchanged ? known.value : standIn(updatedAt, found.value);",
    to: "return unchanged ? known.value : found.value;",
    breaks: "truth",
  },
  {
    title: "401 is taken for gone",
    file: "resources/variables/gone.ts",
    from: "if (!(error instanceof NotFoundError)) throw error;",
    to: 'if (error instanceof Error && "code" in error && error.code === "authentication") return undefined;\n    if (!(error instanceof NotFoundError)) throw error;',
    breaks: "refreshed",
  },
  {
    title: "404 for variables is taken for gone without a look at the environment",
    file: "resources/variables/gone.ts",
    from: "if (environment === undefined || environment.deleted) return undefined;",
    to: "return environment === undefined ? undefined : undefined;",
    breaks: "refreshed",
  },
  {
    title: "a secret that was made visible moves to plain state",
    file: "resources/variables/drift.ts",
    from: "if (note !== undefined) return { ...known, updatedAt, value: standIn(updatedAt, note), note };",
    to: "if (note !== undefined) return { ...known, updatedAt, value: found.value, hidden: found.hidden };",
    breaks: "leak",
  },
  {
    title: "a change of services is not seen",
    file: "resources/variables/variable.ts",
    from: "known.hidden === wanted.hidden &&\n    sameScope(known.services, wanted.services)",
    to: "known.hidden === wanted.hidden",
    breaks: "truth",
  },
  {
    title: "an edit of a hidden value whose mask fits is not seen",
    file: "resources/variables/drift.ts",
    from: '(known.updatedAt === updatedAt || known.updatedAt === "") &&',
    to: "",
    breaks: "refreshed",
  },
  {
    title: "a refresh drops variables that somebody changed",
    file: "resources/env-var-set.ts",
    from: "if (mine !== undefined && isOwned(mine)) return [observe(mine, item)];",
    to: "if (mine !== undefined && isOwned(mine) && mine.updatedAt === item.updatedAt) return [observe(mine, item)];",
    breaks: "refreshed",
  },
  {
    title: "a refresh shows a secret that the engine's inputs do not have",
    file: "resources/variables/drift.ts",
    from: "if (known.isUnmarked === true)",
    to: "if (known.isUnmarked === false)",
    breaks: "leak",
  },
  {
    title: "a value that was emptied is no change",
    file: "core/diff.ts",
    from: "if (isDeepStrictEqual(old, wanted)) return [];",
    to: 'if (isDeepStrictEqual(old, wanted) || wanted === "") return [];',
    breaks: "ordered",
  },
  {
    title: "every refresh takes hidden values for edited",
    file: "resources/variables/drift.ts",
    from: '(known.updatedAt === updatedAt || known.updatedAt === "") &&',
    to: 'known.updatedAt === "" &&',
    breaks: "settles",
  },
  {
    title: "a refresh prunes",
    file: "resources/env-var-set.ts",
    from: "const before = known(old);\n    const seen",
    to: 'const before = known(old);\n    if (old["prune"] === true)\n      await removeVariables(ctx, id, found.flatMap(({ name }) => (before.has(name) ? [] : [name])));\n    const seen',
    breaks: "reads",
  },
];
