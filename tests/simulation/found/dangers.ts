import { type Found, usual } from "./found";

const settings = { batchSize: 100, maxConcurrency: 8 } as const;

/** Counterexamples about what an engine command, a second Provider or a clock does. */
export const dangers: readonly Found[] = [
  {
    title:
      "an import and a write that failed left the names that it had looked at in state, and the next up deleted them",
    history: {
      ...usual,
      settings,
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "A", value: "plain 2", hidden: false } },
        { do: "edit", change: { edit: "imports", of: "s" } },
        {
          do: "run",
          run: "up",
          troubles: [{ at: 0, writes: true, times: 1000, what: { kind: "status", status: 400 } }],
        },
        { do: "run", run: "up", troubles: [] },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title: "a delete went by what was read before the resource of another Provider wrote the name",
    history: {
      ...usual,
      providers: 2,
      settings,
      steps: [
        { do: "edit", change: { edit: "declare", in: "s", name: "B", value: "plain", hidden: false } },
        { do: "edit", change: { edit: "declare", in: "single", name: "A", value: "", hidden: true } },
        { do: "run", run: "up", troubles: [] },
        { do: "edit", change: { edit: "give", name: "A", to: "s" } },
        { do: "edit", change: { edit: "declare", in: "t", name: "E", value: "plain", hidden: false } },
        { do: "run", run: "up", troubles: [] },
      ],
    },
  },
  {
    title:
      "a name that another resource had declared, and could not create for a conflict, was the stack's own in the next up",
    history: {
      ...usual,
      settings,
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
