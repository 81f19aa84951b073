import { type Found, usual } from "./found";

/** Counterexamples about what the service does, builds among it, and what others do. */
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
    title: "the build of an EnvironmentAction was taken for the trace of a SnapshotLoad that never reached the service",
    history: {
      ...usual,
      seed: 174678317,
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "ask", deed: "rebuild" } },
        { do: "edit", change: { edit: "ask", deed: "load" } },
        { do: "run", run: "up", troubles: [{ at: 1, writes: true, what: { kind: "lost", when: "before" } }] },
      ],
    },
  },
  {
    title: "a refresh took a build that nobody waits for, of branches not shown yet, for drift; each up built again",
    history: {
      ...usual,
      choices: { branchesShown: "afterBuild" },
      steps: [
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/one" } },
        { do: "edit", change: { edit: "waits" } },
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
    title: "a build that was running before a slow request, and was listed after it, passed for the requested one",
    history: {
      ...usual,
      choices: { buildListed: "afterBuild" },
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/one" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "services", of: "s", services: ["web"] } },
        { do: "foreign", act: { act: "branch", on: 0, repo: "web", branch: "feature/one", build: true } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 1, writes: true, what: { kind: "slow", seconds: 29, when: "before" } }],
        },
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
  {
    title: "the judge took only the last build of a run that has to ask twice, to change branches and to wake",
    history: {
      ...usual,
      choices: { processingStarts: "late", buildListed: "afterBuild" },
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "branch", repo: "web", branch: "main" } },
        { do: "edit", change: { edit: "whenStopped", whenStopped: "wake" } },
        { do: "run", run: "up", troubles: [] },
        { do: "foreign", act: { act: "flags", on: 0, flags: { stopped: true } } },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/one" } },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title: "the judge did not count a build that an EnvironmentState asked for while the branches were left owed",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "edit", change: { edit: "power", power: "running" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "plain", hidden: false } },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "main" } },
        { do: "edit", change: { edit: "whenStopped", whenStopped: "skip" } },
        { do: "run", run: "up", troubles: [] },
        { do: "foreign", act: { act: "flags", on: 0, flags: { stopped: true } } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "value 0", hidden: false } },
        { do: "edit", change: { edit: "requires", names: [] } },
        {
          do: "run",
          run: "refresh",
          troubles: [{ at: 0, writes: true, what: { kind: "foreign", act: { act: "revokeToken" } } }],
        },
        { do: "edit", change: { edit: "declare", in: "s", name: "__D", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title: "the judge did not know that a restart which wakes may build, too",
    history: {
      ...usual,
      choices: { processingStarts: "late", buildListed: "afterBuild" },
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "plain" } },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "main" } },
        { do: "edit", change: { edit: "whenStopped", whenStopped: "wake" } },
        { do: "run", run: "up", troubles: [] },
        { do: "foreign", act: { act: "flags", on: 0, flags: { retired: true } } },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/two" } },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title:
      "the judge did not count the build of a restart that an EnvironmentState asked for while a rebuild was left owed",
    history: {
      ...usual,
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "t", name: "A", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "B", hidden: false, value: "" } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
        {
          do: "run",
          run: "destroy",
          troubles: [{ at: 1, what: { kind: "gateway", says: "html", where: "everything" } }],
        },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "plain", hidden: false } },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/one" } },
        { do: "edit", change: { edit: "whenStopped", whenStopped: "skip" } },
        { do: "run", run: "up", troubles: [] },
        { do: "foreign", act: { act: "flags", on: 0, flags: { retired: true } } },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "feature/one" } },
        { do: "edit", change: { edit: "requires", names: ["A"] } },
        { do: "run", run: "upRefresh", troubles: [] },
        { do: "run", run: "up", troubles: [{ at: 0, writes: true, what: { kind: "status", status: 400 } }] },
        { do: "edit", change: { edit: "remove", of: "s" } },
        { do: "edit", change: { edit: "power", power: "running" } },
        { do: "run", run: "upRefresh", troubles: [{ at: 1, writes: true, what: { kind: "status", status: 400 } }] },
      ],
    },
  },
  {
    title:
      "a build that ran before the variables were written passed for the one that was owed, since it was listed only later",
    history: {
      ...usual,
      choices: { buildListed: "afterBuild" },
      settings: { batchSize: 100, maxConcurrency: 8 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "plain", hidden: false } },
        { do: "edit", change: { edit: "branch", repo: "web", branch: "main" } },
        { do: "edit", change: { edit: "whenStopped", whenStopped: "skip" } },
        { do: "run", run: "up", troubles: [] },
        { do: "foreign", act: { act: "flags", on: 0, flags: { stopped: true } } },
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "value 0", hidden: false } },
        { do: "edit", change: { edit: "requires", names: [] } },
        {
          do: "run",
          run: "refresh",
          troubles: [{ at: 0, what: { kind: "foreign", act: { act: "delete", on: 0, name: "A" } } }],
        },
        {
          do: "run",
          run: "refresh",
          troubles: [{ at: 0, what: { kind: "foreign", act: { act: "slowNextBuild", on: 0, seconds: 120 } } }],
        },
        { do: "foreign", act: { act: "branch", on: 0, repo: "web", branch: "main", build: true } },
        { do: "run", run: "up", troubles: [{ at: 0, writes: true, what: { kind: "contentType" } }] },
      ],
    },
  },
];
