import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, set } from "../support/stage";
import { FOREIGN_TEXT } from "./support/gateway-program";

const variables: readonly Scenario[] = [
  ...(["page", "empty", "json"] as const).map((gateway): Scenario => ({
    title: `404 for ever to everything (${gateway}): a create leaves nothing in state, an update every name`,
    async run({ engine, environmentId, sandbox, values }) {
      const before = set(environmentId, { variables: { A: "1", GOES: "1" }, secrets: { B: "secret-b-1234" } });
      const fault = sandbox.faults.add({ gateway, times: Infinity });
      const created = await failing(engine.up(before));
      expect(created.errors.join("\n")).to.match(FOREIGN_TEXT);
      expect(engine.state.size).to.equal(0);
      fault.remove();
      await engine.up(before);
      sandbox.faults.add({ gateway, times: Infinity });
      const after = set(environmentId, { variables: { A: "2" }, secrets: { B: "secret-b-5678" } });
      const { errors } = await failing(engine.up(after));
      expect(errors.join("\n"))
        .to.match(FOREIGN_TEXT)
        .and.not.match(/<|Route|secret-b/u);
      // Nobody could say whether the PUT came through: what it was about stays known by name.
      expect(engine.kept("vars").outputs).to.have.nested.property("variables").that.has.all.keys("A", "GOES");
      expect(engine.kept("vars").outputs).to.have.nested.property("secrets").that.has.all.keys("B");
      expect(values()).to.deep.equal({ A: "1", GOES: "1", B: "secret-b-1234" });
      sandbox.faults.clear();
      await engine.up(after);
      expect(values()).to.deep.equal({ A: "2", B: "secret-b-5678" });
    },
  })),
  {
    title: "404 once to a PUT: nothing is deleted, and the next up finishes",
    async run({ engine, environmentId, sandbox, values, requests }) {
      await engine.up(set(environmentId, { variables: { A: "1", GOES: "1" } }));
      sandbox.faults.add({ gateway: "page", label: "PUT /env-vars" });
      requests();
      const after = set(environmentId, { variables: { A: "2" } });
      expect((await failing(engine.up(after))).errors.join("\n")).to.match(FOREIGN_TEXT);
      expect(requests()).to.deep.equal(["PUT /env-vars"]);
      expect(values()).to.deep.equal({ A: "1", GOES: "1" });
      await engine.up(after);
      expect(values()).to.deep.equal({ A: "2" });
    },
  },
  {
    title: "what a PUT stored behind such a 404 is in state by its name, and a destroy deletes it",
    async run({ engine, environmentId, sandbox, values }) {
      const program = set(environmentId, { variables: { A: "1" } });
      sandbox.faults.add({ label: "PUT /env-vars", status: 404, body: "<html>", acts: true });
      expect((await failing(engine.up(program))).errors.join("\n")).to.match(FOREIGN_TEXT);
      expect(engine.kept("vars").outputs["variables"]).to.have.all.keys("A");
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title: "the next up after an environment that is gone says that it does not exist",
    async run({ engine, environmentId, world }) {
      world.remove(environmentId);
      const { errors } = await failing(engine.up(set(environmentId, { variables: { A: "1" } })));
      expect(errors.join("\n")).to.contain(`environment ${environmentId} does not exist`).and.not.match(FOREIGN_TEXT);
    },
  },
];

const builds: readonly Scenario[] = [
  {
    title:
      "a router whose 404 for a method is not the service's: the environment is there, so the other method is tried",
    async run({ engine, environmentId, sandbox, world, requests }) {
      const program = (web: string) => branches(environmentId, { branches: { web } });
      sandbox.faults.add({ gateway: "page", label: "PATCH /environment", times: Infinity });
      requests();
      await engine.up(program("feature/x"));
      expect(requests()).to.include.members(["PATCH /environment", "POST /environment"]);
      expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/x");
      expect(world.builds(environmentId)).to.have.length(2);
    },
    fresh: true,
  },
  {
    title: "404 to a branch change and to the environment: no other method is tried",
    async run({ engine, environmentId, sandbox, requests }) {
      // The first look finds the environment.
      sandbox.faults.add({ gateway: "page", path: environmentId, after: 2, times: Infinity });
      requests();
      const { errors } = await failing(engine.up(branches(environmentId, { branches: { web: "feature/x" } })));
      expect(errors.join("\n")).to.match(FOREIGN_TEXT);
      expect(requests().filter((label) => label.startsWith("P"))).to.deep.equal(["PATCH /environment"]);
    },
    fresh: true,
    needsTime: true,
  },
  ...(["EnvironmentAction", "EnvironmentBranches", "SnapshotLoad"] as const).map((type): Scenario => ({
    title: `404 once to the POST of ${type}: it is not sent twice, and the next up asks for it again`,
    needsTime: true,
    async run({ engine, environmentId, sandbox, requests }) {
      const inputs = {
        EnvironmentAction: { environmentId, action: "rebuild" },
        EnvironmentBranches: { environmentId, branches: { web: "main" }, rebuildOn: ["1"] },
        SnapshotLoad: { environmentId, sequenceNumber: 3 },
      }[type];
      const fault = sandbox.faults.add({ gateway: "json", method: "POST" });
      requests();
      const { errors } = await failing(engine.up({ one: { type, inputs } }));
      expect(errors.join("\n")).to.match(FOREIGN_TEXT);
      expect(requests().filter((label) => label.startsWith("POST"))).to.have.length(1);
      expect(fault.hits).to.equal(1);
      await engine.up({ one: { type, inputs } });
      expect(requests().filter((label) => label.startsWith("POST"))).to.have.length(1);
    },
  })),
  {
    title: "404 once to a stop: the flags are looked at, it is an error, and the next up asks again",
    needsTime: true,
    async run({ engine, environmentId, sandbox, world }) {
      sandbox.faults.add({ gateway: "empty", method: "POST" });
      const program = { power: { type: "EnvironmentState", inputs: { environmentId, state: "stopped" } } };
      expect((await failing(engine.up(program))).errors.join("\n"))
        .to.match(FOREIGN_TEXT)
        .and.contain("No effect of it can be seen");
      await engine.up(program);
      expect(world.environments.get(environmentId)?.stopped).to.equal(true);
    },
  },
];

contract("a gateway answers 404: create and update", [...variables, ...builds]);
