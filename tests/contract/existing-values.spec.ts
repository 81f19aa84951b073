import { expect } from "chai";
import { existing } from "../../sdk/nodejs/runtime/existing";
import { errorsOf, failing, quiet } from "../support/stack";
import { contract, type Scenario, set, type Stage, writes } from "../support/stage";
import type { FaultOptions } from "../../provider/src/sandbox";
import { adopt } from "../../provider/src/adopt/run";
import { madeByHand } from "../adopt/support/environments";
import { runTypeScript } from "../adopt/support/program";
import { clientAt } from "../client/support/samples";
import { functionContext } from "../functions/service";
import { updateTimes } from "../../provider/src/env-vars/env-var-set-state";

const MINUTE_MS = 60_000;
const LIVE = {
  variables: [
    { name: "REGION", value: "eu", hidden: false },
    { name: "TOKEN", value: "head-and-middle-tail", hidden: true },
  ],
};
const DECLARED = {
  variables: { A: "1", REGION: existing() },
  secrets: { S: "secret-of-the-set", TOKEN: existing() },
};
const HELD = { A: "1", REGION: "eu", S: "secret-of-the-set", TOKEN: "head-and-middle-tail" };

/** Changes both by hand, later. */
function changeByHand({ world, environmentId, clock }: Stage): void {
  clock.advance(MINUTE_MS);
  world.setVariable(environmentId, { name: "REGION", value: "us", hidden: false });
  world.setVariable(environmentId, { name: "TOKEN", value: "another-hidden-value", hidden: true });
}

const lives: readonly Scenario[] = [
  {
    title: "are taken as they are: a create writes the others, and nothing differs afterwards",
    onHosts: true,
    environment: LIVE,
    async run({ engine, environmentId, requests, puts, values }) {
      const program = set(environmentId, DECLARED);
      await engine.up(program);
      expect(requests()).to.deep.equal(["GET /env-vars", "PUT /env-vars"]);
      expect(puts()).to.deep.equal([["A", "S"]]);
      expect(values()).to.deep.equal(HELD);
      expect(engine.kept("vars").outputs).to.deep.include(DECLARED);
      await quiet(engine.refresh());
      requests();
      await quiet(engine.up(program));
      expect(requests()).to.deep.equal([]);
    },
  },
  {
    title: "must be there at create, also with `overwrite`: one error names those that are not, and nothing is written",
    environment: LIVE,
    async run({ engine, environmentId, requests }) {
      const secrets = { ...DECLARED.secrets, GONE: existing(), LOST: existing() };
      const text = await errorsOf(engine.up(set(environmentId, { ...DECLARED, secrets, onConflict: "overwrite" })));
      expect(text).to.contain("GONE, LOST: declared with `existing()`").and.to.contain("nothing was written");
      expect(text).not.to.contain("TOKEN");
      expect(writes({ requests })).to.deep.equal([]);
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "show no drift of value and time, in a set and in an EnvVar, `revision` stays, and destroy leaves them",
    environment: LIVE,
    async run(stage) {
      const { engine, environmentId, requests, values } = stage;
      const one = { type: "EnvVar", inputs: { environmentId, name: "TOKEN", value: existing() } };
      const program = { ...set(environmentId, DECLARED), one };
      await engine.up(program);
      const before = [engine.kept("vars").outputs, engine.kept("one").outputs];
      changeByHand(stage);
      await quiet(engine.refresh());
      expect([engine.kept("vars").outputs, engine.kept("one").outputs]).to.deep.equal(before);
      requests();
      await quiet(engine.up(program));
      expect(requests()).to.deep.equal([]);
      await engine.destroy();
      expect(values()).to.deep.equal({ REGION: "us", TOKEN: "another-hidden-value" });
    },
  },
  {
    title:
      "have the time of a change of visibility or services, which makes no difference later, and destroy leaves them",
    environment: LIVE,
    async run({ engine, environmentId, world, clock, values }) {
      const one = { type: "EnvVar", inputs: { environmentId, name: "TOKEN", value: existing() } };
      const program = { ...set(environmentId, { ...DECLARED, secrets: { S: "secret-of-the-set" } }), one };
      await engine.up(program);
      clock.advance(MINUTE_MS);
      world.setVariable(environmentId, { name: "REGION", value: "eu", hidden: false, services: ["web"] });
      world.setVariable(environmentId, { name: "TOKEN", value: "head-and-middle-tail", hidden: false });
      await engine.refresh();
      const { updatedAt } = world.variable(environmentId, "TOKEN") ?? {};
      expect(engine.kept("one").outputs).to.deep.include({ hidden: false, updatedAt });
      expect(updateTimes(engine.kept("vars").outputs).get("REGION")).to.equal(updatedAt);
      await engine.up(program);
      await quiet(engine.up(program, { refresh: true }));
      await engine.destroy();
      expect(values()).to.deep.equal({ REGION: "eu", TOKEN: "head-and-middle-tail" });
    },
  },
  {
    title: "are neither written nor deleted by another Pulumi name, a forced replace, or the end of the program",
    environment: LIVE,
    async run({ engine, environmentId, requests, puts, values }) {
      const { vars } = set(environmentId, DECLARED);
      await engine.up({ vars });
      await engine.up({ renamed: vars });
      await engine.up({ renamed: vars }, { replace: ["renamed"] });
      expect(puts().flat()).not.to.include.members(["TOKEN"]).and.not.to.include.members(["REGION"]);
      expect(values()).to.deep.equal(HELD);
      requests();
      await engine.destroy();
      expect(requests()).to.deep.equal(["GET /env-vars", "DELETE /env-vars", "DELETE /env-vars"]);
      expect(values()).to.deep.equal({ REGION: "eu", TOKEN: "head-and-middle-tail" });
    },
  },
];

const changes: readonly Scenario[] = [
  {
    title: "that are visible are sent with the value just read when services or visibility have to change",
    environment: LIVE,
    async run(stage) {
      const { engine, environmentId, world, puts } = stage;
      const visible = { variables: { A: "1", REGION: existing() } };
      await engine.up(set(environmentId, visible));
      changeByHand(stage);
      puts();
      await engine.up(set(environmentId, { ...visible, scopes: { REGION: ["web"] } }));
      expect(puts()).to.deep.equal([["REGION"]]);
      expect(world.variable(environmentId, "REGION")).to.deep.include({
        value: "us",
        hidden: false,
        services: ["web"],
      });
      const hidden = set(environmentId, { variables: { A: "1" }, secrets: { REGION: existing() } });
      await engine.up(hidden);
      expect(puts()).to.deep.equal([["REGION"]]);
      expect(world.variable(environmentId, "REGION")).to.deep.include({ value: "us", hidden: true, services: [] });
      expect(JSON.stringify(engine.kept("vars"))).not.to.contain('"us"');
      await quiet(engine.up(hidden, { refresh: true }));
    },
  },
  {
    title: "that are hidden cannot be: the error says so, the others are done, and no PUT has them",
    environment: LIVE,
    async run({ engine, environmentId, puts, world }) {
      await engine.up(set(environmentId, DECLARED));
      puts();
      for (const changed of [
        { ...DECLARED, services: ["web"], variables: { A: "2", REGION: existing() } },
        { variables: { ...DECLARED.variables, TOKEN: existing() }, secrets: { S: "secret-of-the-set" } },
      ]) {
        expect(await errorsOf(engine.up(set(environmentId, changed)))).to.contain(
          "TOKEN: its services or visibility cannot be changed",
        );
        expect(puts().flat()).to.include("A").and.not.to.include("TOKEN");
        expect(world.variable(environmentId, "TOKEN")).to.deep.include({ hidden: true, services: [] });
      }
      await engine.destroy();
      expect(world.variable(environmentId, "TOKEN")?.value).to.equal("head-and-middle-tail");
    },
  },
  {
    title: "that are made visible by hand show it, are hidden again by the next up, and destroy leaves them",
    environment: LIVE,
    async run({ engine, environmentId, world, values }) {
      const program = set(environmentId, DECLARED);
      await engine.up(program);
      world.setVariable(environmentId, { name: "TOKEN", value: "shown-to-everybody", hidden: false });
      expect((await engine.refresh()).paths).to.deep.equal({ vars: ["secrets.TOKEN", "variables.TOKEN"] });
      expect(JSON.stringify(engine.kept("vars"))).not.to.contain("shown-to");
      await engine.up(program);
      expect(world.variable(environmentId, "TOKEN")).to.deep.include({ value: "shown-to-everybody", hidden: true });
      world.setVariable(environmentId, { name: "TOKEN", value: "shown-to-everybody", hidden: false });
      await engine.refresh();
      await engine.destroy();
      expect(values()).to.deep.equal({ REGION: "eu", TOKEN: "shown-to-everybody" });
    },
  },
  {
    title:
      "that are gone leave state with a warning, and each up fails for them until they are back; the others are done",
    environment: LIVE,
    async run({ engine, environmentId, world, log, puts, values }) {
      await engine.up(set(environmentId, DECLARED));
      world.deleteVariable(environmentId, "TOKEN");
      await engine.refresh();
      await log.until(/does not have TOKEN any more/u);
      expect(engine.kept("vars").outputs["secrets"]).to.deep.equal({ S: DECLARED.secrets.S });
      puts();
      const program = set(environmentId, { ...DECLARED, variables: { A: "2", REGION: existing() } });
      expect((await engine.preview(program)).paths).to.deep.equal({ vars: ["secrets.TOKEN", "variables.A"] });
      expect(await errorsOf(engine.up(program))).to.contain("TOKEN: declared with `existing()`");
      expect(puts()).to.deep.equal([["A"]]);
      expect(await errorsOf(engine.up(program))).to.contain("TOKEN: declared with `existing()`");
      expect(puts()).to.deep.equal([]);
      world.setVariable(environmentId, { name: "TOKEN", value: "made-by-hand-again", hidden: true });
      await engine.up(program);
      expect(values()).to.deep.include({ A: "2", TOKEN: "made-by-hand-again" });
      await quiet(engine.up(program, { refresh: true }));
    },
  },
];

contract("existing values", lives);
contract("existing values, changes of them", changes);

const LIVE_VISIBLE = { variables: [{ name: "REGION", value: "value-of-others", hidden: false }] };
/** The variable exists and is visible: it has to be hidden, with the value that it has. */
const HIDDEN = { variables: { A: "1" }, secrets: { REGION: existing() } };

const lost: readonly { readonly what: string; readonly fault: FaultOptions; readonly next: readonly string[] }[] = [
  { what: "is lost", fault: { dropAfter: true }, next: ["GET"] },
  { what: "cannot be read", fault: { status: 200, body: "<html>", acts: true }, next: ["GET"] },
  { what: "is a 503, and it was not stored", fault: { status: 503 }, next: ["GET", "PUT"] },
];

contract(
  "existing values whose write gets no answer",
  lost.map(({ what, fault, next }): Scenario => ({
    title: `the answer ${what}: it is not sent again, and the next up reads again`,
    environment: LIVE_VISIBLE,
    needsTime: true,
    async run({ engine, environmentId, sandbox, puts, requests, values, world }) {
      sandbox.faults.add({
        label: "PUT /env-vars",
        match: ({ names }) => names.includes("REGION"),
        ...fault,
      });
      const program = set(environmentId, HIDDEN);
      expect(await errorsOf(engine.up(program))).to.match(/1 of 2 variables .*REGION/su);
      expect(puts()).to.deep.equal([["A"], ["REGION"]]);
      requests();
      await engine.up(program);
      expect(requests()).to.deep.equal(next.map((method) => `${method} /env-vars`));
      expect(values()).to.deep.equal({ A: "1", REGION: "value-of-others" });
      expect(world.variable(environmentId, "REGION")?.hidden).to.equal(true);
      await quiet(engine.up(program, { refresh: true }));
      await engine.destroy();
      expect(values()).to.deep.equal({ REGION: "value-of-others" });
    },
  })),
);

contract("existing values, and the build after them", [
  {
    title: "other services that a lost answer leaves behind move `revision` in the next up, which sends nothing",
    environment: LIVE_VISIBLE,
    needsTime: true,
    async run({ engine, environmentId, sandbox, puts }) {
      const declared = { variables: { A: "1", REGION: existing() } };
      await engine.up(set(environmentId, declared));
      const { revision } = engine.kept("vars").outputs;
      sandbox.faults.add({ label: "PUT /env-vars", dropAfter: true });
      const next = set(environmentId, { ...declared, scopes: { REGION: ["web"] } });
      await failing(engine.up(next));
      puts();
      await engine.up(next);
      expect(puts()).to.deep.equal([]);
      expect(engine.kept("vars").outputs["revision"]).not.to.equal(revision);
      await quiet(engine.up(next, { refresh: true }));
    },
  },
]);

/** What `pulumi-previewenv adopt` writes for the environment, as a program of the stage's engine. */
async function adopted({ sandbox, clock, environmentId }: Stage) {
  await using client = clientAt(sandbox.url, { apiToken: sandbox.token, clock });
  return runTypeScript(await adopt(functionContext(client, clock), { id: environmentId }, "typescript")).resources;
}

const adoptions: Scenario = {
  title:
    "`up` of the program that was written for 60 variables sends no write and causes no build; nothing differs then",
  environment: { variables: madeByHand },
  async run(stage) {
    const { engine, requests, world, environmentId } = stage;
    const before = [world.variables(environmentId), world.builds(environmentId)];
    const program = await adopted(stage);
    requests();
    expect(await engine.up(program)).to.deep.include({ operations: { vars: "create", branches: "create" } });
    expect(writes({ requests })).to.deep.equal([]);
    await quiet(engine.refresh());
    await quiet(engine.up(program));
    expect(writes({ requests })).to.deep.equal([]);
    expect([world.variables(environmentId), world.builds(environmentId)]).to.deep.equal(before);
  },
};

contract("adoption", [adoptions]);
