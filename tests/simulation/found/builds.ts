import { type Found, usual } from "./found";

/** Counterexamples about builds. */
export const builds: readonly Found[] = [
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
  {
    title: "an older build passed for the requested one, which ended while the pages of the history were read",
    history: {
      ...usual,
      choices: { maxPageSize: 1, buildListed: "afterBuild", rateLimitPerSecond: 5 },
      settings: { batchSize: 1, maxConcurrency: 1 },
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", hidden: false, value: "" } },
        { do: "foreign", act: { act: "branch", on: 0, repo: "web", branch: "main", build: true } },
        { do: "run", run: "up", troubles: [] },
        { do: "run", run: "up", troubles: [] },
        { do: "run", run: "upRefresh", troubles: [{ at: 1, times: 1, what: { kind: "status", status: 404 } }] },
        {
          do: "run",
          run: "destroy",
          troubles: [{ at: 0, what: { kind: "gateway", says: "html", where: "everything" } }],
        },
        { do: "edit", change: { edit: "previews", previews: { index: 0, builds: false } } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "previews", previews: { index: 1, builds: true } } },
        {
          do: "run",
          run: "up",
          continues: true,
          troubles: [{ at: 0, times: 1000, on: 0, what: { kind: "contentType" } }],
        },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
];
