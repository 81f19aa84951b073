import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";

const FULL_LIST = "GET /env-vars";
const requiring = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { rebuildOn: ["1"], requires: ["B", "A", "REGION"], ...inputs });
const changing = (requests: readonly string[]): readonly string[] =>
  requests.filter((label) => !label.startsWith("GET"));
const reads = (requests: readonly string[]): number => requests.filter((label) => label === FULL_LIST).length;
const INHERITED = { inherited: [{ name: "REGION", value: "eu", hidden: false }] };
const variables = (...names: readonly string[]) => names.map((name) => ({ name, value: "value-of-it" }));

const missing: readonly Scenario[] = [
  {
    title: "what is missing is an error that names it, with one look at the variables, and nothing is built",
    environment: { ...INHERITED, variables: variables("OTHER") },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const { errors } = await failing(engine.up(requiring(stage)));
      expect(errors.join()).to.match(/lacks the variables A, B, which `requires` names\. No build was requested/u);
      expect(errors.join()).not.to.contain("value-of-it");
      expect(engine.state.size).to.equal(0);
      world.setVariable(environmentId, { name: "A", value: "1" });
      expect((await failing(engine.up(requiring(stage)))).errors.join()).to.match(/lacks the variable B, which/u);
      const requests = stage.requests();
      expect([changing(requests), reads(requests)]).to.deep.equal([[], 2]);

      world.setVariable(environmentId, { name: "B", value: "1" });
      await engine.up(requiring(stage));
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
    },
  },
  {
    title: "an update whose build lacks something keeps state, and the next up does it",
    environment: { ...INHERITED, variables: variables("A", "B") },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(requiring(stage));
      const before = engine.kept("deployed").outputs;
      world.deleteVariable(environmentId, "A");
      stage.requests();
      for (const inputs of [{ rebuildOn: ["2"] }, { branches: { web: "feature/x" } }])
        expect((await failing(engine.up(requiring(stage, inputs)))).errors.join()).to.match(/lacks the variable A/u);
      expect(writes(stage)).to.deep.equal([]);
      expect(engine.kept("deployed").outputs).to.deep.equal(before);
      world.setVariable(environmentId, { name: "A", value: "1" });
      await engine.up(requiring(stage, { branches: { web: "feature/x" } }));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
    },
  },
  {
    title: "no inherited name can be read: what is missing is a warning, and the build is requested",
    async run(stage) {
      const { engine, sandbox, log } = stage;
      sandbox.faults.add({
        label: FULL_LIST,
        status: 200,
        times: Infinity,
        body: { data: [], included: { inherited: [{ key: "REGION" }, { name: "B" }] } },
      });
      await engine.up(requiring(stage));
      const line = await log.until(/lacks the variables A, REGION/u);
      expect(line).to.include({ severity: "warning" });
      expect(line.text).to.match(/not all of them have a readable name/u);
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
    },
  },
];

const noLook: readonly Scenario[] = [
  {
    title: "no build is due: nobody looks at the variables, in an up, a refresh, a preview or a destroy",
    environment: { ...INHERITED, variables: variables("A", "B") },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const program = requiring(stage, { branches: { web: "feature/x" }, onDestroy: "restore" });
      await engine.up(program);
      world.deleteVariable(environmentId, "A");
      stage.requests();
      await engine.up(program, { refresh: true });
      const more = requiring(stage, { ...program.deployed.inputs, requires: ["NEW"], buildTimeoutSeconds: 60 });
      expect((await engine.preview(more)).operations).to.deep.equal({ deployed: "update" });
      await engine.up(more);
      const before = stage.requests();
      expect([changing(before), reads(before)]).to.deep.equal([[], 0]);
      await engine.destroy();
      const requests = stage.requests();
      expect([changing(requests), reads(requests)]).to.deep.equal([["PATCH /environment"], 0]);
    },
  },
  {
    title: "the order of names and a repetition are no change",
    environment: { ...INHERITED, variables: variables("A", "B") },
    async run(stage) {
      await stage.engine.up(requiring(stage));
      const program = requiring(stage, { requires: ["REGION", "A", "B", "A"] });
      expect((await stage.engine.up(program)).operations).to.deep.equal({ deployed: "same" });
    },
  },
  {
    title: "a build that is owed needs nothing yet; when it is due, it does",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { stopped: true });
      const program = requiring(stage, { whenStopped: "skip" });
      await engine.up(program);
      expect(reads(stage.requests())).to.equal(0);
      world.setFlags(environmentId, { stopped: false });
      expect((await failing(engine.up(program, { refresh: true }))).errors.join()).to.match(
        /lacks the variables A, B, REGION/u,
      );
      for (const name of ["A", "B", "REGION"]) world.setVariable(environmentId, { name, value: "1" });
      await engine.up(program, { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
    },
  },
  {
    title: "an environment that would be woken for a build that lacks something sleeps on",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { retired: true });
      const { errors } = await failing(engine.up(requiring(stage, { whenStopped: "wake" })));
      expect(errors.join()).to.match(/lacks the variables/u);
      expect(writes(stage)).to.deep.equal([]);
      expect(world.environments.get(environmentId)).to.deep.include({ retired: true });
    },
  },
  {
    title: "an environment that sleeps and may not be woken is the first error",
    async run(stage) {
      stage.world.setFlags(stage.environmentId, { stopped: true });
      expect((await failing(stage.engine.up(requiring(stage)))).errors.join()).to.match(/it is stopped/u);
      expect(reads(stage.requests())).to.equal(0);
    },
  },
];

const wrong: readonly Scenario[] = [
  { requires: [""], text: /requires\.0 has an empty name/u },
  { requires: ["A", ".."], text: /requires\.1 must not be/u },
  { requires: ["line\nbreak"], text: /requires\.0 has a control character/u },
  { requires: "A", text: /requires must be a list/u },
  { whenStopped: "sleep", text: /whenStopped must be one of "fail", "skip", "wake"/u },
].map(({ text, ...inputs }) => ({
  title: `${JSON.stringify(inputs)} is refused before any request`,
  async run(stage) {
    expect((await failing(stage.engine.preview(requiring(stage, inputs)))).errors.join()).to.match(text);
    expect(stage.requests()).to.deep.equal([]);
  },
}));

contract("EnvironmentBranches, requires", [...missing, ...noLook, ...wrong]);
