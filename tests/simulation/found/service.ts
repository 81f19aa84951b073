import { type Found, usual } from "./found";

/** Counterexamples about what the service does, and what others do. */
export const service: readonly Found[] = [
  {
    title: "a failure without a name was nobody's, because somebody had edited the hidden value by hand meanwhile",
    history: {
      ...usual,
      choices: { upsertAnswer: "all" },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "", hidden: true } },
        { do: "run", run: "up", troubles: [] },
        {
          do: "foreign",
          act: { act: "set", on: 0, name: "A", value: "sk-0-somebody-else-0-9x", hidden: true, services: [] },
        },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "sk-2-correct-horse-2-9x", hidden: true } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 0, writes: true, what: { kind: "partial", names: 1, nameless: 1 } }],
        },
      ],
    },
  },
  {
    title: "what somebody had written by hand was taken for a hidden value that never reached the service",
    history: {
      ...usual,
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "B", value: "", hidden: true } },
        { do: "run", run: "up", troubles: [] },
        {
          do: "foreign",
          act: { act: "set", on: 0, name: "B", hidden: true, services: [], value: "sk-0-somebody-else-0-9x" },
        },
        { do: "edit", change: { edit: "declare", in: "s", name: "B", value: "sk-2-correct-horse-2-9x", hidden: true } },
        { do: "run", run: "up", troubles: [{ at: 0, writes: true, times: 10, what: { kind: "refused" } }] },
      ],
    },
  },
  {
    title: "a wait that gave up after ten minutes of 429 went on asking without any pause",
    history: {
      ...usual,
      steps: [
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/one" } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 3, times: 50, what: { kind: "status", status: 429, retryAfterSeconds: 90 } }],
        },
      ],
    },
  },
  {
    title: "a refresh after an unfinished update put a secret into state that the engine does not encrypt",
    history: {
      ...usual,
      settings: { batchSize: 1, maxRetries: 4, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: true, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "constructor", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [{ at: 2, what: { kind: "status", status: 400 } }] },
      ],
    },
  },
  {
    title: "a service told of a deleted environment that its variables were gone, which was not so",
    history: {
      ...usual,
      choices: { deletedEnvironmentVariables: "200" },
      steps: [
        { do: "foreign", act: { act: "flags", on: 0, flags: { deleted: true } } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: true, value: "sk-2-correct-horse-2-9x" } },
        { do: "run", run: "up", troubles: [] },
        { do: "run", run: "refresh", troubles: [{ at: 0, what: { kind: "status", status: 404 } }] },
        { do: "edit", change: { edit: "ignore", of: "s", paths: ["secrets"] } },
        { do: "edit", change: { edit: "drop", name: "A" } },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title: "the same while the request had to wait for 429",
    history: {
      ...usual,
      choices: { buildListed: "afterBuild" },
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "single", name: "A", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "C", hidden: false, value: "" } },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "main" } },
        { do: "foreign", act: { act: "commit", on: 0, repo: "web" } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 2, writes: true, what: { kind: "status", status: 429, retryAfterSeconds: 90 } }],
        },
      ],
    },
  },
  {
    title: "the judge held a refusal that broke off against state with what may have been stored",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "edit", change: { edit: "overwrite", of: "s" } },
        { do: "foreign", act: { act: "flags", on: 0, flags: { deleted: true } } },
        { do: "run", run: "up", troubles: [{ at: 0, what: { kind: "lost", when: "midway" } }] },
      ],
    },
  },
];
