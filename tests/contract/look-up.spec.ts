import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, set, type Stage } from "../support/stage";
import { importContract, LIVE } from "./support/import-contract";

const BUILDS = /^(?:PATCH|POST) /u;
const MINUTE_MS = 60_000;

/** The revision of a set that the program only looks at; time passes before. */
async function revision({ engine, clock }: Stage, id: string, given: Properties = {}): Promise<string> {
  clock.advance(MINUTE_MS);
  const { revision: found } = await engine.get("EnvVarSet", id, given);
  expect(found)
    .to.be.a("string")
    .and.match(/^[0-9a-f-]{32,36}$/u);
  return String(found);
}

const edits: readonly (readonly [what: string, edit: (stage: Stage) => void])[] = [
  ["a variable comes", ({ world, environmentId }) => world.setVariable(environmentId, { name: "NEW", value: "1" })],
  ["a variable goes", ({ world, environmentId }) => void world.deleteVariable(environmentId, "EMPTY")],
  [
    "a visible value changes",
    ({ world, environmentId }) => world.setVariable(environmentId, { name: "EMPTY", value: "x", hidden: false }),
  ],
  [
    "a hidden value changes behind the same mask",
    ({ world, environmentId }) => world.setVariable(environmentId, { name: "TOKEN", value: "s3cr3t-other-abcdef" }),
  ],
];

const sets: readonly Scenario[] = [
  {
    title: "a set that is only looked up has the same revision at each look, however it is asked for",
    environment: { variables: LIVE },
    async run(stage) {
      const { environmentId } = stage;
      const first = await revision(stage, environmentId);
      expect(await revision(stage, environmentId)).to.equal(first);
      const names = `${environmentId}?names=TOKEN,EMPTY`;
      const some = await revision(stage, names);
      expect(some).not.to.equal(first);
      expect(await revision(stage, `${environmentId}?names=EMPTY,TOKEN`)).to.equal(some);
      const given = { environmentId, variables: { EMPTY: "any" }, secrets: { TOKEN: "any" } };
      expect(await revision(stage, environmentId, given)).to.equal(some);
    },
  },
  ...edits.map(([what, edit]): Scenario => ({
    title: `its revision is another one once ${what}`,
    environment: { variables: LIVE },
    async run(stage) {
      const first = await revision(stage, stage.environmentId);
      const other = await revision(stage, `${stage.environmentId}?names=LOG_LEVEL`);
      edit(stage);
      expect(await revision(stage, stage.environmentId)).not.to.equal(first);
      expect(await revision(stage, `${stage.environmentId}?names=LOG_LEVEL`)).to.equal(other);
    },
  })),
  {
    title: "branches that rebuild on the revision of a looked-up set build when it changes, and at no other up",
    environment: { variables: LIVE },
    async run(stage) {
      const { engine, environmentId, world, requests } = stage;
      const built = async (): Promise<number> => {
        const program = branches(environmentId, { rebuildOn: [await revision(stage, environmentId)] });
        requests();
        await engine.up(program);
        return requests().filter((label) => BUILDS.test(label)).length;
      };
      expect([await built(), await built(), await built()]).to.deep.equal([1, 0, 0]);
      world.setVariable(environmentId, { name: "TOKEN", value: "s3cr3t-other-abcdef" });
      expect([await built(), await built()]).to.deep.equal([1, 0]);
    },
  },
];

const others: readonly Scenario[] = [
  {
    title: "every output of a resource that is only looked up is the same at each look, and nothing is written",
    environment: { variables: LIVE },
    async run({ engine, environmentId, clock, requests }) {
      const state = { state: "stopped", processing: true };
      for (const [type, id, given] of [
        ["EnvVarSet", environmentId, {}],
        ["EnvVarSet", environmentId, set(environmentId, { secrets: { TOKEN: "x" } }).vars.inputs],
        ["EnvVar", `${environmentId}/TOKEN`, {}],
        ["EnvVar", `${environmentId}/TOKEN`, { environmentId, name: "TOKEN", value: "s3cr3t-token-abcdef" }],
        ["EnvVar", `${environmentId}/LOG_LEVEL`, { environmentId, name: "LOG_LEVEL", value: "x", hidden: false }],
        ["EnvironmentBranches", environmentId, {}],
        ["EnvironmentBranches", environmentId, branches(environmentId, { branches: { web: "x" } }).deployed.inputs],
        ["EnvironmentState", environmentId, {}],
        ["EnvironmentState", environmentId, { environmentId, ...state }],
      ] as const) {
        const first = await engine.get(type, id, given);
        clock.advance(MINUTE_MS);
        expect(await engine.get(type, id, given), `${type} ${JSON.stringify(given)}`).to.deep.equal(first);
      }
      expect(requests().filter((label) => !label.startsWith("GET "))).to.deep.equal([]);
      const running = await engine.get("EnvironmentState", environmentId, { environmentId, ...state });
      expect(running).to.deep.include({ state: "running", processing: false });
    },
  },
];

/** What the program passes beside the id, if it passes anything. */
type Look = readonly [type: string, suffix: string, given?: Properties];
const looks: readonly Look[] = [
  ["EnvVar", "/LOG_LEVEL"],
  ["EnvVarSet", ""],
  ["EnvVar", "/LOG_LEVEL", { name: "LOG_LEVEL" }],
  ["EnvVarSet", "", { variables: { LOG_LEVEL: "any" } }],
];

/** What somebody else has is looked at, and a set of the program declares it too. */
const conflicts = looks.map(([type, suffix, given]): Scenario => ({
  title: `a variable that an ${type} only looks at is not the stack's own${given === undefined ? ", by its id alone" : ""}`,
  environment: { variables: LIVE },
  async run({ engine, environmentId, values }) {
    const before = values();
    const vars = (variables: Properties) => set(environmentId, { variables }).vars;
    await engine.up({ vars: vars({ A: "1" }) });
    const id = `${environmentId}${suffix}`;
    const inputs = given === undefined ? {} : { environmentId, ...given };
    const looked = { type, inputs, lookUp: id };
    const both = { looked, vars: vars({ A: "1", LOG_LEVEL: "ours" }) };
    expect((await failing(engine.up(both))).errors.join())
      .to.contain("already has a variable")
      .and.to.contain("LOG_LEVEL");
    // The engine keeps what is looked at in state, and a refresh reads it from there.
    const outputs = await engine.get(type, id, inputs);
    const { __provider: code } = engine.kept("vars").outputs;
    const host = typeof code === "string" ? { __provider: code.replace("EnvVarSet", type) } : {};
    const stored = { inputs: { ...inputs, ...host }, outputs: { ...outputs, ...host } };
    engine.state.set("looked", { type, id, ...stored, initErrors: [], dependencies: [], isExternal: true });
    expect((await failing(engine.up(both, { refresh: true }))).errors.join()).to.contain("already has a variable");
    expect(values()).to.deep.equal({ ...before, A: "1" });
  },
}));

const imports: readonly Scenario[] = [
  {
    title: "the revision of an imported set moves with no up that writes nothing, and with no refresh",
    environment: { variables: LIVE.filter(({ hidden }) => !hidden) },
    async run({ engine, environmentId, clock }) {
      await engine.import("vars", "EnvVarSet", environmentId);
      const program = { vars: { type: "EnvVarSet", inputs: engine.kept("vars").inputs } };
      const { revision: first } = engine.kept("vars").outputs;
      for (const run of [
        () => engine.up(program),
        () => engine.refresh(),
        () => engine.up(program, { refresh: true }),
      ]) {
        await run();
        clock.advance(MINUTE_MS);
        expect(engine.kept("vars").outputs["revision"]).to.equal(first);
      }
      await engine.up({ vars: { ...program.vars, inputs: { ...program.vars.inputs, triggers: { again: "1" } } } });
      expect(engine.kept("vars").outputs["revision"]).not.to.equal(first);
    },
  },
];

contract("a set that is only looked up", sets);
contract("what is only looked up", [...others, ...conflicts]);
importContract("revision", imports);
