import { expect } from "chai";
import { pick, type Properties } from "../../provider/src/framework/properties";
import type { Program } from "../support/engine-steps";
import { failing } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";

/** A resource, a change of it, and what a later version, or a person, may have stored in its place. */
interface Case {
  readonly type: string;
  readonly inputs: Properties;
  readonly changed: Properties;
  readonly stored: Readonly<Record<string, Properties>>;
  /** Names of outputs without which state is damaged, beside all of them and those that are no inputs. */
  readonly lost?: readonly (readonly string[])[];
  readonly ids?: readonly string[];
}

/** What else the state of an EnvironmentBranches has that is no input. */
const ENVIRONMENT_OUTPUTS = ["name", "url", "ready", "projects", "build"];

const cases: readonly Case[] = [
  {
    type: "EnvVarSet",
    inputs: { variables: { A: "one" }, secrets: { S: "secret-value-1" } },
    changed: { variables: { A: "two" } },
    stored: {
      "observed of a later version": { observed: { v: 2, names: { A: {} } } },
    },
    lost: [["observed"], ["revision"], ["variables"], ["secrets"], ["environmentId"], ["revision", "observed"]],
  },
  {
    type: "EnvVar",
    inputs: { name: "A", value: "secret-value-1" },
    changed: { value: "secret-value-2" },
    stored: {
      "a value of a later version": { value: { v: 2 } },
      "services of another shape": { services: { web: true } },
    },
    lost: [["environmentId"], ["name"], ["value"]],
    ids: ["v2:A", "A", "3b241101-e2bb-4255-8caf-4136c566a962"],
  },
  {
    type: "EnvironmentBranches",
    inputs: { branches: { web: "feature/x" }, onDestroy: "restore" },
    changed: { branches: { web: "feature/y" } },
    stored: {
      "a pending build of a later version": { pending: { v: 2 } },
      "a pending build whose status this version does not know": {
        pending: { v: 1, before: [], branches: {}, status: "new" },
      },
      "a build of another shape": { build: "build-1" },
      "original branches of another shape": { originalBranches: [["web", "main"]] },
      "an unknown onDestroy": { onDestroy: "archive" },
    },
    lost: [["originalBranches"], ["environmentId"], ["originalBranches", ...ENVIRONMENT_OUTPUTS]],
  },
  {
    type: "EnvironmentState",
    inputs: { state: "running" },
    changed: { state: "stopped" },
    stored: { "flags of another shape": { stopped: "no" } },
    lost: [["environmentId"]],
  },
  {
    type: "EnvironmentAction",
    inputs: { action: "rebuild" },
    changed: { triggers: { again: "1" } },
    stored: { "an action of a later version": { action: { v: 2 } } },
    lost: [["environmentId"]],
  },
  {
    type: "SnapshotLoad",
    inputs: { sequenceNumber: 7 },
    changed: { sequenceNumber: 8 },
    stored: { "a number of another shape": { sequenceNumber: "7" } },
    lost: [["environmentId"]],
  },
];

const EDITED =
  /cannot read .* in the state of \w+.*: the state was edited or is damaged, unless a later version wrote it\. Put back/u;

/** What destroying these types means for the service: nothing, so that nothing has to be read. */
const NOTHING_TO_DELETE = new Set(["EnvironmentState", "EnvironmentAction", "SnapshotLoad"]);

/** Every operation fails, asks for nothing that changes anything, and leaves state as it is. */
async function isRefused(
  { engine, requests }: Stage,
  message: RegExp,
  program: Program,
  changed: Program,
): Promise<void> {
  const kept = engine.kept("one");
  const isKept = (what: string, errors: readonly string[]): void => {
    expect(errors.join("\n"), what).to.match(message).and.not.to.contain("secret-value");
    expect(engine.kept("one"), what).to.deep.equal(kept);
    expect(requests(), what).to.deep.equal([]);
  };
  requests();
  isKept("preview", (await failing(engine.preview(changed))).errors);
  isKept("up", (await failing(engine.up(program))).errors);
  isKept("up with a change", (await failing(engine.up(changed))).errors);
  isKept("refresh", (await failing(engine.refresh())).errors);
  if (NOTHING_TO_DELETE.has(kept.type)) return;
  isKept("up without the resource", (await failing(engine.up({}))).errors);
  isKept("destroy", (await failing(engine.destroy())).errors);
}

const scenarios: readonly Scenario[] = cases.flatMap(({ type, inputs, changed, stored }) =>
  Object.entries(stored).map(([what, part]): Scenario => ({
    title: `${type} with ${what}: an error in every operation, nothing is sent, state is kept`,
    async run(stage) {
      const { engine, environmentId } = stage;
      const program = { one: { type, inputs: { environmentId, ...inputs } } };
      await engine.up(program);
      const kept = engine.kept("one");
      engine.state.set("one", { ...kept, outputs: JSON.parse(JSON.stringify({ ...kept.outputs, ...part })) });
      await isRefused(stage, EDITED, program, {
        one: { type, inputs: { environmentId, ...inputs, ...changed } },
      });
    },
  })),
);

/** An edit of a stack may lose anything but the text that Pulumi needs to start the dynamic provider. */
const losses: readonly Scenario[] = cases.flatMap(({ type, inputs, changed, lost = [] }) =>
  [[], ...lost].map((names): Scenario => ({
    title: `${type} without ${names.join(" and ") || "any output"}: an error in every operation, nothing is sent, state is kept`,
    // Which outputs are missed is decided in the core.
    onHosts: names.length === 0,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setVariable(environmentId, { name: "FOREIGN", value: "not ours" });
      const program = { one: { type, inputs: { environmentId, ...inputs } } };
      await engine.up(program);
      const kept = engine.kept("one");
      const isLost = (name: string): boolean => (names.length === 0 ? name !== "__provider" : names.includes(name));
      const outputs = Object.fromEntries(Object.entries(kept.outputs).filter(([name]) => !isLost(name)));
      engine.state.set("one", { ...kept, outputs });
      await isRefused(stage, EDITED, program, {
        one: { type, inputs: { environmentId, ...inputs, ...changed } },
      });
    },
  })),
);

/** Such state looks like what the engine sends for a `get`. */
const emptied: readonly Scenario[] = cases.map(({ type, inputs }) => ({
  title: `${type} without inputs and outputs: a refresh is an error, nothing is sent, state is kept`,
  onHosts: true,
  async run({ engine, environmentId, requests }) {
    await engine.up({ one: { type, inputs: { environmentId, ...inputs } } });
    const kept = engine.kept("one");
    const outputs = pick(kept.outputs, ["__provider"]);
    engine.state.set("one", { ...kept, outputs, inputs: {} });
    requests();
    const { errors } = await failing(engine.refresh());
    expect(errors.join("\n")).to.match(EDITED);
    expect(engine.kept("one").outputs).to.deep.equal(outputs);
    expect(requests()).to.deep.equal([]);
  },
}));

const ids: readonly Scenario[] = cases.flatMap(({ type, inputs, ids: wrong = [] }) =>
  wrong.map((id): Scenario => ({
    title: `${type} with the id ${id}: refresh and destroy are errors, nothing is sent, state is kept`,
    onHosts: id === "A",
    async run({ engine, environmentId, requests }) {
      await engine.up({ one: { type, inputs: { environmentId, ...inputs } } });
      engine.state.set("one", { ...engine.kept("one"), id });
      requests();
      for (const run of [await failing(engine.refresh()), await failing(engine.destroy())])
        expect(run.errors.join("\n")).to.match(EDITED);
      expect(requests()).to.deep.equal([]);
      expect(engine.kept("one").id).to.equal(id);
    },
  })),
);

const destroyed: readonly Scenario[] = cases
  .filter(({ type }) => NOTHING_TO_DELETE.has(type))
  .flatMap(({ type, inputs, stored }) =>
    [true, false].map((isDestroy): Scenario => ({
      title: `${type}: ${isDestroy ? "destroy" : "an up without it"} needs none of its state, and is no request`,
      async run({ engine, environmentId, requests }) {
        await engine.up({ one: { type, inputs: { environmentId, ...inputs } } });
        const kept = engine.kept("one");
        engine.state.set("one", {
          ...kept,
          outputs: { ...kept.outputs, ...Object.assign({}, ...Object.values(stored)) },
        });
        requests();
        await (isDestroy ? engine.destroy() : engine.up({}));
        expect(engine.state.size).to.equal(0);
        expect(requests()).to.deep.equal([]);
      },
    })),
  );

contract("state that this version cannot read", scenarios);
contract("state that has lost outputs", [...losses, ...emptied]);
contract("state that nothing has to be read of", destroyed);
contract("ids that this version cannot read", ids);
