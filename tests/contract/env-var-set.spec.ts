import { expect } from "chai";
import { errorsOf, quiet } from "../support/stack";
import { contract, type Scenario, set, type Stage } from "../support/stage";

const FOREIGN = [
  { name: "NODE_ENV", value: "production", hidden: false },
  { name: "SESSION_KEY", value: "not-a-real-session-key", hidden: true },
  { name: "SMTP_PASSWORD", value: "not-a-real-password", hidden: true, services: ["worker"] },
];

const VARIABLES = { LOG_LEVEL: "debug", FEATURE: "on" };
const SECRETS = { TOKEN: "a-long-enough-token", PASSWORD: "hunter2-hunter2" };

const lifecycle: readonly Scenario[] = [
  {
    title:
      "create sends all variables in one PUT and keeps them in state; an update sends exactly the changed and deletes exactly the removed names, writes first",
    onHosts: true,
    async run({ engine, environmentId, requests, puts, world, values }) {
      const services = ["web"];
      const run = await engine.up(set(environmentId, { variables: VARIABLES, secrets: SECRETS, services }));
      expect(run).to.deep.include({ operations: { vars: "create" } });
      expect(requests()).to.deep.equal(["GET /env-vars", "PUT /env-vars"]);
      expect(puts()).to.deep.equal([["FEATURE", "LOG_LEVEL", "PASSWORD", "TOKEN"]]);
      expect(world.variable(environmentId, "TOKEN")).to.deep.include({
        value: SECRETS.TOKEN,
        hidden: true,
        services: ["web"],
      });
      expect(world.variable(environmentId, "FEATURE")).to.deep.include({ value: "on", hidden: false });
      const { id, outputs } = engine.kept("vars");
      expect(id).to.equal(environmentId);
      expect(outputs).to.deep.include({ variables: VARIABLES, secrets: SECRETS, services: ["web"], environmentId });
      expect(outputs["revision"]).to.be.a("string");
      expect(JSON.stringify(outputs["observed"])).not.to.match(/\*|hunter2/u);

      const secrets = { TOKEN: "another-long-enough-token" };
      const changed = set(environmentId, { variables: { FEATURE: "on", LOG_LEVEL: "info" }, secrets, services });
      const preview = await engine.preview(changed);
      expect(preview.paths["vars"]).to.deep.equal(["secrets.PASSWORD", "secrets.TOKEN", "variables.LOG_LEVEL"]);
      expect((await engine.up(changed)).operations).to.deep.equal({ vars: "update" });
      expect(requests()).to.deep.equal(["PUT /env-vars", "GET /env-vars", "DELETE /env-vars"]);
      expect(puts()).to.deep.equal([["LOG_LEVEL", "TOKEN"]]);
      expect(values()).to.deep.equal({ FEATURE: "on", LOG_LEVEL: "info", ...secrets });
      expect(engine.kept("vars").outputs["revision"]).not.to.equal(outputs["revision"]);
    },
  },
  {
    title: "three foreign variables survive up, refresh and destroy",
    environment: { variables: FOREIGN },
    async run({ engine, environmentId, world }) {
      const names = FOREIGN.map(({ name }) => name);
      const before = world.variables(environmentId, names);
      await engine.up(set(environmentId, { variables: VARIABLES, secrets: SECRETS }));
      await engine.refresh();
      await engine.up(set(environmentId, { variables: { LOG_LEVEL: "info" } }));
      expect(world.variables(environmentId).map(({ name }) => name)).to.have.members([...names, "LOG_LEVEL"]);
      await engine.destroy();
      expect(world.variables(environmentId)).to.deep.equal(before);
    },
  },
  {
    title: "what somebody has written since is not deleted, by an update or by a destroy, and a warning names it",
    async run({ engine, environmentId, world, clock, values, log }) {
      await engine.up(set(environmentId, { variables: { A: "1", B: "1", C: "1" }, secrets: { S: "secret-s-1234" } }));
      clock.advance(5_000);
      for (const name of ["B", "S"]) world.setVariable(environmentId, { name, value: "theirs", hidden: name === "S" });
      await engine.up(set(environmentId, { variables: { C: "1" }, secrets: { S: "secret-s-1234" } }));
      await log.until(/: B not deleted, because it was written since/u);
      // Said once: after that it is no difference any more, and nothing of this stack.
      const next = await engine.up(set(environmentId, { variables: { C: "1" }, secrets: { S: "secret-s-1234" } }));
      expect(next.operations).to.deep.equal({ vars: "same" });
      expect((await engine.destroy()).errors).to.deep.equal([]);
      expect(values()).to.deep.equal({ B: "theirs", S: "theirs" });
      await log.until(/: S not deleted, because it was written since/u);
    },
  },
  {
    title: "services are free of order, in the program and in the service's answers; absent and [] are the same",
    async run({ engine, environmentId, requests, world }) {
      const variables = { A: "1" };
      const program = (services?: readonly string[]) => set(environmentId, { variables, services });
      await engine.up(program());
      requests();
      await quiet(engine.up(program([])));
      expect(requests()).to.deep.equal([]);
      await engine.up(program(["web", "api"]));
      world.setVariable(environmentId, { name: "A", value: "1", hidden: false, services: ["web", "api"] });
      requests();
      await quiet(engine.up(program(["api", "web", "api"]), { refresh: true }));
      expect(requests()).to.deep.equal(["GET /env-vars"]);
      await engine.up(program([]));
      expect(world.variable(environmentId, "A")?.services).to.deep.equal([]);
    },
  },
  {
    title: "a trigger write that failed is owed, although the value is unchanged, also after a refresh",
    async run({ engine, environmentId, sandbox, puts }) {
      const program = (round: string) =>
        set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b" }, triggers: { round } });
      await engine.up(program("1"));
      for (const refresh of [false, true]) {
        puts();
        sandbox.faults.add({ refuse: { A: "no room", B: "no room" } });
        expect(await errorsOf(engine.up(program(`2-${refresh}`)))).to.contain("A, B: no room");
        expect(puts()).to.deep.equal([["A", "B"]]);
        await engine.up(program(`2-${refresh}`), { refresh });
        expect(puts()).to.deep.equal([["A", "B"]]);
        await quiet(engine.up(program(`2-${refresh}`)));
      }
    },
  },
  {
    title: "revision moves with writes and deletes, and with nothing else",
    async run({ engine, environmentId }) {
      const revision = () => engine.kept("vars").outputs["revision"];
      await engine.up(set(environmentId, { variables: { A: "1", B: "2" } }));
      const first = revision();
      await engine.refresh();
      await engine.up(set(environmentId, { variables: { A: "1", B: "2" }, onConflict: "overwrite" }));
      expect(revision()).to.equal(first);
      await engine.up(set(environmentId, { variables: { A: "1" } }));
      const second = revision();
      expect(second).not.to.equal(first);
      await engine.up(set(environmentId, { variables: { A: "3" } }));
      expect(revision()).not.to.equal(second);
    },
  },
  {
    title:
      "an `up` says in one line what it wrote and deleted, with names and without values; without a change it says nothing",
    async run({ engine, environmentId, log, world }) {
      const said = (): readonly string[] => log.lines.splice(0).flatMap(({ passing, text }) => (passing ? [] : [text]));
      await engine.up(set(environmentId, { variables: { A: "value-a", B: "value-b" }, secrets: { S: "value-s" } }));
      await log.until(/written/u);
      expect(said()).to.deep.equal([`environment ${environmentId}: 3 written (A, B, S)`]);
      const changed = set(environmentId, { variables: { A: "value-2" }, secrets: { S: "value-s" } });
      await engine.up(changed);
      await log.until(/written/u);
      expect(said()).to.deep.equal([`environment ${environmentId}: 1 written (A), 1 deleted (B)`]);
      await engine.up(changed);
      expect(said()).to.deep.equal([]);
      world.deleteVariable(environmentId, "S");
      await engine.up(set(environmentId, { variables: { A: "value-3" } }));
      await log.until(/written/u);
      expect(said(), "what is gone is not deleted by this `up`").to.deep.equal([
        `environment ${environmentId}: 1 written (A)`,
      ]);
    },
  },
  {
    title: "the same environmentId in capitals is the same environment: nothing is replaced or written",
    async run({ engine, environmentId, requests }) {
      await engine.up(set(environmentId, { variables: { A: "1" } }));
      requests();
      const capital = set(environmentId.toUpperCase(), { variables: { A: "1" } });
      const { operations, paths } = await engine.up(capital);
      expect(operations["vars"]).not.to.equal("replace");
      expect(paths["vars"]).to.deep.equal([]);
      expect(requests()).to.deep.equal([]);
    },
  },
];

contract("EnvVarSet", lifecycle);

const BATCH = 100;

function numbered(count: number, value: string, from = 0): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`N${from + index}`, value]));
}

/** Request counts: k changed are ceil(k / batch) PUT, d removed 1 GET and d DELETE, a refresh 1 GET, no change 0. */
const counts: readonly Scenario[] = [1, 250].map((size) => ({
  title: `${size} variables: requests are as few as promised`,
  async run({ engine, environmentId, requests, clock }) {
    const times = (count: number, label: string): string[] => Array.from({ length: count }, () => label);
    const program = set(environmentId, { variables: numbered(size, "1"), secrets: { S: "a-secret-value" } });
    await engine.up(program);
    expect(requests()).to.deep.equal(["GET /env-vars", ...times(Math.ceil((size + 1) / BATCH), "PUT /env-vars")]);
    clock.advance(1_000);
    await quiet(engine.up(program));
    await quiet(engine.preview(program));
    expect(requests()).to.deep.equal([]);
    await quiet(engine.refresh());
    expect(requests()).to.deep.equal(["GET /env-vars"]);
    await engine.up(set(environmentId, { variables: numbered(size, "2"), secrets: { S: "a-secret-value" } }));
    expect(requests()).to.deep.equal(times(Math.ceil(size / BATCH), "PUT /env-vars"));
    const removed = Math.min(size, 7);
    await engine.up(
      set(environmentId, { variables: numbered(size - removed, "2", removed), secrets: { S: "a-secret-value" } }),
    );
    expect(requests()).to.deep.equal(["GET /env-vars", ...times(removed, "DELETE /env-vars")]);
    await engine.destroy();
    expect(requests()).to.deep.equal(["GET /env-vars", ...times(size - removed + 1, "DELETE /env-vars")]);
  },
}));

contract("EnvVarSet, requests", counts);

const SCOPED = {
  variables: { A: "1", B: "2" },
  secrets: { TOKEN: "head-and-middle-tail" },
  services: ["web"],
};

/** Services by name as the service holds them. */
const held = ({ world, environmentId }: Stage): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(world.variables(environmentId).map(({ name, services }) => [name, services]));

const scopes: readonly Scenario[] = [
  {
    title:
      "are the services of single variables: one PUT carries all, and those that change are one PUT, without a DELETE",
    async run(stage) {
      const { engine, environmentId, requests, puts } = stage;
      const program = set(environmentId, { ...SCOPED, scopes: { B: ["worker", "api", "worker"], TOKEN: [] } });
      await engine.up(program);
      expect(requests()).to.deep.equal(["GET /env-vars", "PUT /env-vars"]);
      expect(held(stage)).to.deep.equal({ A: ["web"], B: ["api", "worker"], TOKEN: [] });
      expect(engine.kept("vars").outputs).to.deep.include({
        services: ["web"],
        scopes: { B: ["api", "worker"], TOKEN: [] },
      });
      await quiet(engine.up(program, { refresh: true }));
      requests();
      puts();
      const moved = set(environmentId, { ...SCOPED, scopes: { TOKEN: ["api"] } });
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
      await engine.up(set(environmentId, { ...SCOPED, scopes: { B: ["api"], TOKEN: ["worker"] } }));
      puts();
      const program = set(environmentId, { ...SCOPED, services: ["api"], scopes: { TOKEN: ["worker"] } });
      await engine.up(program);
      expect(puts()).to.deep.equal([["A"]]);
      expect(held(stage)).to.deep.equal({ A: ["api"], B: ["api"], TOKEN: ["worker"] });
      await quiet(engine.up(program, { refresh: true }));
    },
  },
];

contract("EnvVarSet, scopes", scopes);
