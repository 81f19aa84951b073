import type { History } from "./history";

interface Found {
  readonly title: string;
  readonly history: History;
}

/** What most of the histories have in common. */
const usual = {
  seed: 0,
  host: "core",
  choices: {},
  settings: { batchSize: 100, maxRetries: 4, maxConcurrency: 8 },
} as const;

/** Counterexamples that the search has found, as small as they could be made, where no scenario of tests/contract plays the same. */
export const found: readonly Found[] = [
  {
    title: "a forced replacement left behind what only ignored changes had kept in the resource that was replaced",
    history: {
      ...usual,
      steps: [
        { do: "edit", change: { edit: "declare", in: "t", name: "C", hidden: true, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "ignore", of: "t", paths: ["secrets"] } },
        { do: "edit", change: { edit: "drop", name: "C" } },
        { do: "run", run: "up", troubles: [], replace: [0] },
      ],
    },
  },
  {
    title: "a set that took a name over, and could write nothing, did not have it in state",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "t", name: "A", hidden: true, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "B", hidden: false, value: "" } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 0, what: { kind: "foreign", act: { act: "delete", on: 0, name: "A" } } }],
        },
        { do: "edit", change: { edit: "rename", of: "t" } },
        { do: "edit", change: { edit: "give", name: "B", to: "t" } },
        { do: "run", run: "up", troubles: [{ at: 0, writes: true, what: { kind: "status", status: 400 } }] },
      ],
    },
  },
  {
    title:
      "a set that leaves a value to the service gave the name away before the new resource wrote a value of its own",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        {
          do: "foreign",
          act: { act: "set", on: 0, name: "E", value: "zz-1-by-somebody-else-zz", hidden: false, services: [] },
        },
        { do: "edit", change: { edit: "declare", in: "s", name: "E", value: "previewenv:existing:v1", hidden: false } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "single", name: "E", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [{ at: 0, what: { kind: "partial", names: 1, nameless: 0 } }] },
      ],
    },
  },
  {
    title:
      "a name that another resource had declared, and could not create for a conflict, was the stack's own in the next up",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "single", name: "D", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "foreign", act: { act: "set", on: 0, name: "D", hidden: false, services: [], value: "hand 0" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "plain 3", hidden: false } },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title:
      "branches of a renamed resource that the run leaves out were taken for seen: it is the old one that restores",
    history: {
      ...usual,
      steps: [
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/one" } },
        { do: "edit", change: { edit: "restores" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "rename", of: "branches" } },
        { do: "run", run: "up", troubles: [], excludes: [0] },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title: "a replacement of a set that the program imports was made, although the engine refuses it",
    history: {
      ...usual,
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "plain 2", hidden: false } },
        { do: "edit", change: { edit: "imports", of: "s" } },
        { do: "edit", change: { edit: "declare", in: "single", name: "A", value: "plain 2", hidden: false } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 1, what: { kind: "gateway", says: "html", where: "everything" } }],
          replace: [0],
        },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title: "a name was deleted that a resource holds, although that resource is replaced",
    history: {
      ...usual,
      choices: { updatedAtOnEqualWrite: false },
      steps: [
        { do: "edit", change: { edit: "declare", in: "single", name: "E", value: "plain 2", hidden: false } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "plain 3", hidden: false } },
        { do: "edit", change: { edit: "declare", in: "s", name: "B", value: "plain 3", hidden: false } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "give", name: "A", to: "single" } },
        { do: "edit", change: { edit: "give", name: "B", to: "single" } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 1, writes: true, what: { kind: "status", status: 400 } }],
          inTurn: true,
        },
        { do: "run", run: "up", troubles: [], replace: [3] },
      ],
    },
  },
  {
    title: "an import read a secret that somebody had shown, its update failed, and its inputs kept the value",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        {
          do: "edit",
          change: { edit: "declare", in: "s", name: "D", hidden: true, value: "sk-2-correct-horse-2-9x" },
        },
        { do: "edit", change: { edit: "give", name: "D", to: "single" } },
        { do: "run", run: "up", troubles: [] },
        { do: "foreign", act: { act: "show", on: 0, name: "D", hidden: false } },
        { do: "edit", change: { edit: "remove", of: "s" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "", hidden: false } },
        { do: "edit", change: { edit: "imports", of: "s" } },
        { do: "run", run: "up", troubles: [{ writes: true, at: 0, what: { kind: "status", status: 400 } }] },
      ],
    },
  },
  {
    title: "the time limit of a step ended while it read that its build had succeeded, one build a page",
    history: {
      ...usual,
      host: "native",
      choices: { maxPageSize: 1, rateLimitPerSecond: 5 },
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [{ at: 0, what: { kind: "slow", seconds: 2, when: "before" } }] },
        { do: "edit", change: { edit: "previews", previews: { index: 0, builds: true } } },
        { do: "run", run: "up", troubles: [], limitSeconds: 35 },
      ],
    },
  },
];
