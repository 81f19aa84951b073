import { expect } from "chai";
import { contract, type Scenario, set, type Stage } from "../support/stage";

const MINUTE_MS = 60_000;
const DECLARED = {
  variables: { A: "1", B: "2" },
  secrets: { TOKEN: "head-and-middle-tail" },
  services: ["web"],
};

/** Services by name as the service holds them. */
const held = ({ world, environmentId }: Stage): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(world.variables(environmentId).map(({ name, services }) => [name, services]));

const scenarios: readonly Scenario[] = [
  {
    title: "are the services of single variables: one PUT carries all, and a refresh shows nothing",
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      const program = set(environmentId, { ...DECLARED, scopes: { B: ["worker", "api", "worker"], TOKEN: [] } });
      await engine.up(program);
      expect(requests()).to.deep.equal(["GET /env-vars", "PUT /env-vars"]);
      expect(held(stage)).to.deep.equal({ A: ["web"], B: ["api", "worker"], TOKEN: [] });
      expect(engine.kept("vars").outputs).to.deep.include({
        services: ["web"],
        scopes: { B: ["api", "worker"], TOKEN: [] },
      });
      expect((await engine.refresh()).paths).to.deep.equal({ vars: [] });
      requests();
      expect((await engine.up(program)).operations).to.deep.equal({ vars: "same" });
      expect(requests()).to.deep.equal([]);
    },
  },
  {
    title: "that change are one PUT of exactly those names, without a DELETE",
    async run(stage) {
      const { engine, environmentId, requests, puts } = stage;
      await engine.up(set(environmentId, { ...DECLARED, scopes: { B: ["api"] } }));
      requests();
      puts();
      const moved = set(environmentId, { ...DECLARED, scopes: { TOKEN: ["api"] } });
      expect((await engine.preview(moved)).paths).to.deep.equal({ vars: ["scopes.B", "scopes.TOKEN"] });
      await engine.up(moved);
      expect(requests()).to.deep.equal(["PUT /env-vars"]);
      expect(puts()).to.deep.equal([["B", "TOKEN"]]);
      expect(held(stage)).to.deep.equal({ A: ["web"], B: ["web"], TOKEN: ["api"] });
    },
  },
  {
    title: "keep a variable out of a change of `services`, and one whose scope becomes `services` is not written",
    async run(stage) {
      const { engine, environmentId, puts } = stage;
      await engine.up(set(environmentId, { ...DECLARED, scopes: { B: ["api"], TOKEN: ["worker"] } }));
      puts();
      const program = set(environmentId, { ...DECLARED, services: ["api"], scopes: { TOKEN: ["worker"] } });
      await engine.up(program);
      expect(puts()).to.deep.equal([["A"]]);
      expect(held(stage)).to.deep.equal({ A: ["api"], B: ["api"], TOKEN: ["worker"] });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  },
];

const drift: readonly Scenario[] = [
  {
    title: "a scope that somebody changed shows as that, `services` stays, and of a hidden value nothing more is known",
    async run({ engine, environmentId, world, clock }) {
      await engine.up(set(environmentId, DECLARED));
      clock.advance(MINUTE_MS);
      world.setVariable(environmentId, { name: "A", value: "1", hidden: false, services: ["api"] });
      world.setVariable(environmentId, { name: "TOKEN", value: DECLARED.secrets.TOKEN, services: [] });
      expect((await engine.refresh()).paths).to.deep.equal({ vars: ["scopes.A", "scopes.TOKEN", "secrets.TOKEN"] });
      const { outputs, inputs } = engine.kept("vars");
      for (const bag of [outputs, inputs]) {
        const { secrets, ...others } = DECLARED;
        expect(bag).to.deep.include({ ...others, scopes: { A: ["api"], TOKEN: [] } });
        expect(bag["secrets"])
          .to.have.property("TOKEN")
          .that.matches(/^previewenv:unknown:v1:/u)
          .and.not.equals(secrets.TOKEN);
      }
    },
  },
  {
    title: "one set to `services` by hand shows as the override that is gone, and is restored",
    async run(stage) {
      const { engine, environmentId, world, clock, puts } = stage;
      const program = set(environmentId, { ...DECLARED, scopes: { A: ["api"] } });
      await engine.up(program);
      clock.advance(MINUTE_MS);
      world.setVariable(environmentId, { name: "A", value: "1", hidden: false, services: ["web"] });
      puts();
      expect((await engine.refresh()).paths).to.deep.equal({ vars: ["scopes.A"] });
      await engine.up(program);
      expect(puts()).to.deep.equal([["A"]]);
      expect(held(stage)["A"]).to.deep.equal(["api"]);
    },
  },
  {
    title: "a hidden value that changed with its scope is restored, also when the program takes the new scope over",
    async run({ engine, environmentId, world, clock, values }) {
      await engine.up(set(environmentId, DECLARED));
      clock.advance(MINUTE_MS);
      world.setVariable(environmentId, { name: "TOKEN", value: "head-XXX-middle-tail", services: ["api"] });
      await engine.refresh();
      const program = set(environmentId, { ...DECLARED, scopes: { TOKEN: ["api"] } });
      await engine.up(program);
      expect(values()["TOKEN"]).to.equal(DECLARED.secrets.TOKEN);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  },
];

contract("EnvVarSet, scopes", scenarios);
contract("EnvVarSet, drift of scopes", drift);
