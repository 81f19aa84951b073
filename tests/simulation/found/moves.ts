import { type Found, usual } from "./found";

/** Counterexamples about names that go from one resource to another. */
export const moves: readonly Found[] = [
  {
    title: "a variable that was replaced in one run was taken away from its replacement by the next",
    history: {
      ...usual,
      steps: [
        { do: "edit", change: { edit: "declare", in: "single", name: "A", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/one" } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 1, what: { kind: "status", status: 400 } }],
          replace: [0],
        },
      ],
    },
  },
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
    title: "a DELETE that waited for its turn took away what the provider had been asked about in the meantime",
    history: {
      ...usual,
      settings: { batchSize: 100, maxRetries: 4, maxConcurrency: 1 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "C", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "t", name: "__D", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "single", name: "E", value: "plain", hidden: false } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "give", name: "C", to: "single" } },
        { do: "edit", change: { edit: "trigger", of: "s" } },
        { do: "run", run: "up", troubles: [{ at: 0, writes: true, what: { kind: "status", status: 400 } }] },
        { do: "edit", change: { edit: "declare", in: "single", name: "A", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title: "an EnvVar took over a variable that a set was just deleting, by what a refresh had seen: nobody wrote it",
    history: {
      ...usual,
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "WITH.DOT", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "single", name: "A", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "single", name: "WITH.DOT", hidden: false, value: "" } },
        { do: "edit", change: { edit: "trigger", of: "s" } },
        { do: "run", run: "upRefresh", troubles: [] },
      ],
    },
  },
  {
    title: "a name that failed to leave one set was taken away from the set that has it now",
    history: {
      ...usual,
      host: "dynamic",
      choices: { maxBatch: 1 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "B", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "WITH.DOT", hidden: true, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "t", name: "WITH.DOT", hidden: true, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "edit", change: { edit: "trigger", of: "s" } },
        { do: "run", run: "up", troubles: [{ at: 4, what: { kind: "status", status: 400 } }] },
      ],
    },
  },
  {
    title:
      "a name that failed to leave one set was taken away from the set that has it, while that one was changing too",
    history: {
      ...usual,
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "WITH.DOT", hidden: true, value: "" } },
        { do: "edit", change: { edit: "declare", in: "single", name: "D", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "s", name: "D", hidden: true, value: "" } },
        { do: "edit", change: { edit: "declare", in: "t", name: "WITH.DOT", hidden: true, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "t", name: "A", hidden: false, value: "" } },
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
    title: "what a set kept in state for a resource that failed was no change for the engine, which compares inputs",
    history: {
      ...usual,
      host: "dynamic",
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "sk-2-correct-horse-2-9x", hidden: true } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "give", name: "A", to: "t" } },
        { do: "run", run: "up", troubles: [{ at: 0, writes: true, what: { kind: "status", status: 400 } }] },
        { do: "edit", change: { edit: "declare", in: "s", name: "__D", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title: "a name stayed with the set that had it, because its new resource came through an outage after all waits",
    history: {
      ...usual,
      seed: 9,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "t", name: "constructor", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 0, writes: true, times: 10, what: { kind: "partial", names: 1, nameless: 0 } }],
        },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/one" } },
        { do: "edit", change: { edit: "looks" } },
        { do: "run", run: "up", troubles: [] },
        {
          do: "foreign",
          act: { act: "set", on: 0, name: "KEPT_SHARED", value: "sk-0-somebody-else-0-9x", hidden: true, services: [] },
        },
        { do: "run", run: "up", troubles: [{ at: 9, what: { kind: "status", status: 400 } }] },
        { do: "edit", change: { edit: "declare", in: "single", name: "A", hidden: false, value: "***" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "C", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "single", name: "constructor", hidden: true, value: "" } },
        { do: "run", run: "up", troubles: [{ at: 2, writes: true, times: 10, what: { kind: "refused" } }] },
      ],
    },
  },
  {
    title:
      "a secret came back to the set that had kept its name, and a refresh after a write that failed in part had it as plain text",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "t", name: "WITH.DOT", hidden: true, value: "" } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 0, what: { kind: "foreign", act: { act: "delete", on: 0, name: "A" } } }],
        },
        { do: "edit", change: { edit: "drop", name: "constructor" } },
        { do: "run", run: "up", troubles: [] },
        {
          do: "foreign",
          act: {
            act: "set",
            on: 0,
            name: "constructor",
            value: "zz-1-by-somebody-else-zz",
            hidden: true,
            services: [],
          },
        },
        {
          do: "edit",
          change: { edit: "declare", in: "s", name: "constructor", value: "previewenv:existing:v1", hidden: false },
        },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "trigger", of: "s" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "give", name: "constructor", to: "s" } },
        { do: "edit", change: { edit: "give", name: "WITH.DOT", to: "s" } },
        { do: "edit", change: { edit: "declare", in: "t", name: "E", value: "plain", hidden: false } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "give", name: "constructor", to: "t" } },
        { do: "edit", change: { edit: "give", name: "WITH.DOT", to: "t" } },
        { do: "edit", change: { edit: "trigger", of: "s" } },
        { do: "run", run: "up", troubles: [] },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 0, what: { kind: "foreign", act: { act: "flags", on: 0, flags: { deleted: true } } } }],
        },
      ],
    },
  },
  {
    title:
      "a visible value that `existing()` left to somebody else was hidden, and the repeated PUT changed a hidden variable",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "", hidden: false } },
        { do: "run", run: "up", troubles: [{ at: 0, what: { kind: "refused" } }] },
        { do: "edit", change: { edit: "drop", name: "WITH.DOT" } },
        { do: "run", run: "up", troubles: [] },
        {
          do: "foreign",
          act: { act: "set", on: 0, name: "WITH.DOT", value: "zz-1-by-somebody-else-zz", hidden: false, services: [] },
        },
        {
          do: "edit",
          change: { edit: "declare", in: "single", name: "WITH.DOT", value: "previewenv:existing:v1", hidden: true },
        },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "trigger", of: "s" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "main" } },
        { do: "run", run: "up", troubles: [{ at: 3, what: { kind: "status", status: 400 } }] },
        { do: "run", run: "up", troubles: [{ at: 0, what: { kind: "garbled", how: "truncated" } }] },
        { do: "edit", change: { edit: "ignore", of: "s", paths: ["secrets"] } },
        { do: "foreign", act: { act: "set", on: 0, name: "WITH.DOT", value: "hand 0", hidden: false, services: [] } },
        { do: "run", run: "refresh", troubles: [] },
        { do: "edit", change: { edit: "trigger", of: "s" } },
        { do: "run", run: "up", troubles: [{ at: 2, times: 2, what: { kind: "garbled", how: "truncated" } }] },
      ],
    },
  },
  {
    title: "a value that somebody had hidden and then shown counts as shown by a set that prunes",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "", hidden: false } },
        { do: "edit", change: { edit: "prune", of: "s" } },
        { do: "run", run: "up", troubles: [{ at: 0, writes: true, what: { kind: "lost", when: "before" } }] },
        { do: "edit", change: { edit: "drop", name: "A" } },
        { do: "run", run: "up", troubles: [] },
        {
          do: "foreign",
          act: { act: "set", on: 0, name: "A", value: "zz-1-by-somebody-else-zz", hidden: true, services: [] },
        },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "previewenv:existing:v1", hidden: false } },
        { do: "run", run: "up", troubles: [] },
        {
          do: "foreign",
          act: { act: "set", on: 0, name: "A", value: "zz-1-by-somebody-else-zz", hidden: false, services: [] },
        },
        { do: "edit", change: { edit: "drop", name: "A" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "plain 2", hidden: false } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "", hidden: true } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "plain 4", hidden: false } },
        { do: "run", run: "up", troubles: [{ at: 0, writes: true, what: { kind: "partial", names: 1, nameless: 0 } }] },
        { do: "run", run: "refresh", troubles: [] },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
];
