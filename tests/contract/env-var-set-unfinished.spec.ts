import { expect } from "chai";
import { isMap } from "../../provider/src/framework/properties";
import { existing } from "../../sdk/nodejs/runtime/existing";
import { failing } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";

const SECRET = "s3cr3t-battery-staple";
const OTHER = "another-secret-1234";

/** An update that adds a secret, which is stored, and another variable, which is refused. */
const added: readonly Scenario[] = [
  { title: "that was visible before", before: { variables: { A: "one" }, secrets: { OLD: OTHER } } },
  { title: "with a new name", before: { secrets: { OLD: OTHER } } },
].map(({ title, before }): Scenario => ({
  title: `a secret that one added, ${title}: a refresh shows it in no inputs, and the next up does not send it again`,
  async run({ engine, environmentId, sandbox, clock, puts, values }) {
    await engine.up(set(environmentId, before));
    clock.advance(5_000);
    const secrets = { A: SECRET, OLD: OTHER };
    const program = set(environmentId, { variables: { B: "two" }, secrets });
    sandbox.faults.add({ refuse: { B: "no room" } });
    expect((await failing(engine.up(program))).errors.join("\n")).to.contain("B: no room");
    puts();
    for (const _time of [1, 2]) {
      await engine.refresh();
      const { inputs, outputs } = engine.kept("vars");
      // The engine encrypts an output that was a secret in state, and an input that was one in the inputs.
      expect(outputs["secrets"]).to.deep.equal(secrets);
      expect(JSON.stringify(inputs)).to.contain(OTHER).and.not.to.contain("s3cr");
      expect(isMap(inputs["secrets"]) && inputs["secrets"]["A"]).to.match(/^previewenv:unknown:v1:[^*]*$/u);
    }
    await engine.up(program);
    expect(puts()).to.deep.equal([["B"]]);
    expect(values()).to.deep.equal({ A: SECRET, B: "two", OLD: OTHER });
    expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    expect(puts()).to.deep.equal([]);
  },
}));

/** What is refused, and then taken back in the program. */
const takenBack: readonly Scenario[] = [
  { what: "a visible value", changed: { variables: { A: "two", B: "b" }, secrets: { S: SECRET } } },
  { what: "a hidden value", changed: { variables: { A: "one", B: "b" }, secrets: { S: OTHER } } },
  { what: "a new name", changed: { variables: { A: "one", B: "b", C: "new" }, secrets: { S: SECRET } } },
  {
    what: "a scope",
    changed: { variables: { A: "one", B: "b" }, secrets: { S: SECRET }, scopes: { A: ["web"], S: ["api"] } },
  },
].flatMap(({ what, changed }) =>
  [false, true].map((refresh): Scenario => ({
    title: `${what} that was refused and is then taken back${refresh ? ", refresh between" : ""}: nothing is sent`,
    async run({ engine, environmentId, sandbox, clock, puts, requests }) {
      const program = set(environmentId, { variables: { A: "one", B: "b" }, secrets: { S: SECRET } });
      await engine.up(program);
      clock.advance(5_000);
      sandbox.faults.add({ refuse: { A: "no room", S: "no room", C: "no room" } });
      expect((await failing(engine.up(set(environmentId, changed)))).errors.join("\n")).to.contain("no room");
      if (refresh) await engine.refresh();
      puts();
      requests();
      expect((await engine.preview(program)).paths["vars"] ?? [])
        .not.to.include("variables.A")
        .and.not.to.include("secrets.S");
      await engine.up(program);
      expect(puts()).to.deep.equal([]);
      expect(requests()).to.deep.equal([]);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  })),
);

const writtenAgain: readonly Scenario[] = [
  {
    title: "a triggered write that was refused stays due when the program takes another change back",
    async run({ engine, environmentId, sandbox, puts }) {
      const program = (value: string, run: string) =>
        set(environmentId, { variables: { A: value, B: "b" }, triggers: { run } });
      await engine.up(program("one", "1"));
      sandbox.faults.add({ refuse: { A: "no room" } });
      await failing(engine.up(program("one", "2")));
      sandbox.faults.add({ refuse: { A: "no room" } });
      await failing(engine.up(program("two", "2")));
      puts();
      await engine.up(program("one", "2"));
      expect(puts()).to.deep.equal([["A"]]);
    },
  },
  {
    title:
      "ignoreChanges on a secret that one added, after a refresh: it is left alone, and its value is in no plain state",
    async run({ engine, environmentId, sandbox, puts, values }) {
      await engine.up(set(environmentId, { variables: { B: "one" }, secrets: { OLD: OTHER } }));
      const secrets = { A: SECRET, OLD: OTHER };
      sandbox.faults.add({ refuse: { B: "no room" } });
      await failing(engine.up(set(environmentId, { variables: { B: "two" }, secrets })));
      await engine.refresh();
      puts();
      const { vars } = set(environmentId, { variables: { B: "two" }, secrets });
      await engine.up({ vars: { ...vars, ignoreChanges: ["secrets"] } });
      expect(puts()).to.deep.equal([["B"]]);
      expect(values()).to.deep.equal({ ...secrets, B: "two" });
      // Its input is no secret now, so the engine would not encrypt the output.
      expect(JSON.stringify(engine.kept("vars").outputs)).not.to.contain("s3cr");
    },
  },
  {
    title: "ignoreChanges on existing() that one added, after a refresh: it stays the service's, also in a destroy",
    environment: { variables: [{ name: "THEIRS", value: "value-of-others", hidden: true }] },
    async run({ engine, environmentId, sandbox, values }) {
      await engine.up(set(environmentId, { variables: { B: "one" }, secrets: { OLD: OTHER } }));
      const secrets = { OLD: OTHER, THEIRS: existing() };
      sandbox.faults.add({ refuse: { B: "no room" } });
      await failing(engine.up(set(environmentId, { variables: { B: "two" }, secrets })));
      await engine.refresh();
      const { vars } = set(environmentId, { variables: { B: "two" }, secrets });
      await engine.up({ vars: { ...vars, ignoreChanges: ["secrets"] } });
      await engine.destroy();
      expect(values()).to.deep.equal({ THEIRS: "value-of-others" });
    },
  },
];

contract("EnvVarSet, unfinished updates", [...added, ...takenBack, ...writtenAgain]);
