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

/**
 * Counterexamples that the search has found, as small as they could be made, where no scenario of tests/contract plays the same. Each was a
 * fault of the provider. Where a judge or the model of the engine was wrong, nothing is kept here: no user would meet it.
 */
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
];
