import { expect } from "chai";
import type { Owner } from "../simulation/program/model";
import { seedOf } from "../simulation/service";
import { javascript } from "./harness/languages";
import { useEngine } from "./harness/suite";
import { environmentIds, playModel, playReal, type RecordedStep } from "./simulated/both";

const declare = (owner: Owner, name: string, value: string, hidden = false): RecordedStep => ({
  edit: { edit: "declare", in: owner, name, value, hidden },
});
const up: RecordedStep = { run: "up" };

/** Histories in which engines could differ: in what they keep after failures, and in the order in which they go about things. */
const histories: readonly { readonly title: string; readonly steps: readonly RecordedStep[] }[] = [
  {
    title: "init errors, old inputs, ignored changes and a replacement that is not finished",
    steps: [
      declare("s", "A", "plain 1"),
      declare("s", "B", "plain 2"),
      { run: "up", trouble: { at: 1, kind: "refuse", names: ["B"] } },
      up,
      declare("s", "A", "plain 4"),
      { run: "up", trouble: { at: 0, kind: "refuse", names: ["A"] } },
      { run: "refresh" },
      { edit: { edit: "ignore", of: "s", paths: ["variables.A"] } },
      declare("s", "B", "plain 5"),
      up,
      { edit: { edit: "move", of: "s", to: 1 } },
      { run: "up", trouble: { at: 2, kind: "status", status: 400 } },
      { others: { act: "delete", on: 0, name: "A" } },
      { run: "refresh" },
      up,
    ],
  },
  {
    title: "a killed engine",
    steps: [
      declare("s", "A", "plain 1"),
      { run: "up", trouble: { at: 1, kind: "kill" } },
      up,
      declare("s", "A", "plain 2"),
      { run: "up", trouble: { at: 0, kind: "kill" } },
      { run: "up", refresh: true },
    ],
  },
  {
    title: "dependencies, drift, a renamed resource, targets and destroy",
    steps: [
      declare("s", "A", "plain 1"),
      declare("s", "C", "sk-1-correct-horse-1-9x", true),
      { edit: { edit: "branch", repo: "web", branch: "feature/one" } },
      up,
      { others: { act: "set", on: 0, name: "A", value: "hand", hidden: false, services: [] } },
      { run: "refresh" },
      declare("s", "B", "plain 2"),
      declare("t", "D", "plain 3"),
      { run: "up", targets: ["t"] },
      { edit: { edit: "rename", of: "s" } },
      up,
      { run: "destroy" },
    ],
  },
  {
    title: "a second Provider, whose process knows nothing of the other one's",
    steps: [
      declare("s", "A", "plain 1"),
      declare("s", "B", "sk-2-correct-horse-2-9x", true),
      declare("t", "C", "plain 3"),
      up,
      { edit: { edit: "provider", of: "s" } },
      { run: "preview" },
      up,
      declare("s", "A", "plain 4"),
      { edit: { edit: "provider", of: "s" } },
      { run: "up", trouble: { at: 0, kind: "status", status: 400 } },
      { run: "refresh" },
      up,
      { edit: { edit: "provider", of: "t" } },
      { edit: { edit: "give", name: "B", to: "t" } },
      up,
      up,
      { edit: { edit: "provider", of: "s" } },
      { edit: { edit: "give", name: "C", to: "s" } },
      { run: "up", refresh: true },
      { edit: { edit: "remove", of: "t" } },
      { edit: { edit: "provider", of: "s" } },
      up,
      { run: "destroy" },
    ],
  },
  {
    title: "single variables that move",
    steps: [
      declare("single", "A", "plain 1"),
      declare("single", "B", "sk-2-correct-horse-2-9x", true),
      up,
      { run: "up", trouble: { at: 2, kind: "status", status: 400 } },
      { edit: { edit: "give", name: "A", to: "s" } },
      { run: "up", refresh: true },
      up,
      { run: "destroy" },
    ],
  },
];

/** A change of ours shows in the failures and the kills of the first two. The nightly build plays the others, too: a new CLI may differ anywhere. */
const PLAYED = process.env["PREVIEWENV_ALL_SCENARIOS"] === "1" ? histories.length : 2;

/** The engine model of the scenarios and of the simulation is only worth something if the real engine does the same. */
for (const { title, steps } of histories.slice(0, PLAYED))
  describe(`engine: the model does what the real one does: ${title}`, function () {
    const [one = "", two = ""] = environmentIds;
    const engine = useEngine(this, {
      environments: [
        { ...seedOf("one"), id: one },
        { ...seedOf("two"), id: two },
      ],
    });

    it("requests and state are the same after every step", async () => {
      const language = javascript("dynamic");
      const project = await engine.project({ language, env: { PREVIEWENV_MAX_RETRIES: "0" } });
      const real = await playReal(engine, project, steps);
      expect(await playModel(steps)).to.deep.equal(real);
    });
  });
