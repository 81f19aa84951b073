import { expect } from "chai";
import { failing } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";

const LONG = "L".repeat(5_000);
/** No request can name these, or state cannot hold them. */
const STUCK = ["", ".", "..", "half \ud83c", "__proto__", LONG];
/** Odd, and names all the same. */
const ODD = [
  "...",
  "a/b",
  "a\nb",
  "nul\u0000",
  "\u001b[2J",
  "%2E",
  "ﬁ",
  "\u00e9",
  "e\u0301",
  "CASE",
  "case",
  "constructor",
];
const program = (environmentId: string, inputs: Readonly<Record<string, unknown>> = {}) =>
  set(environmentId, { variables: { MINE: "1" }, prune: true, ...inputs });

const scenarios: readonly Scenario[] = [
  {
    title: "a secret that could not be written, and that somebody made visible, is not taken for a value to show",
    async run({ engine, environmentId, world, sandbox, values }) {
      const secret = "geheim-4711-nicht-zeigen";
      const whole = program(environmentId, { secrets: { KEY: secret }, onConflict: "overwrite" });
      await engine.up(program(environmentId));
      world.setVariable(environmentId, { name: "KEY", value: secret, hidden: false });
      sandbox.faults.add({ refuse: { KEY: "no room" } });
      expect((await failing(engine.up(whole))).errors).to.have.length(1);

      await engine.refresh();
      expect(JSON.stringify(engine.kept("vars").outputs["variables"])).to.not.contain(secret);

      await engine.up(whole);
      expect(values()["KEY"]).to.equal(secret);
      expect(world.variables(environmentId).find(({ name }) => name === "KEY")?.hidden).to.equal(true);
    },
  },
  {
    title: "names that no request can address fail no up: a warning names them, and no preview says that they go",
    async run({ engine, environmentId, world, log }) {
      await engine.up(program(environmentId));
      for (const name of [...STUCK, ...ODD]) world.setVariable(environmentId, { name, value: "x", hidden: false });
      await engine.refresh();
      const { severity, text } = await log.until(/no request can address/u);
      expect(severity).to.equal("warning");
      expect(text).to.contain('"", ".", "..", "LLLLL').and.to.contain('"__proto__", "half \\u{d83c}"');

      expect((await engine.preview(program(environmentId))).paths["vars"]).to.have.members(
        ODD.map((name) => `variables.${name}`),
      );
      await engine.up(program(environmentId));
      expect(world.variables(environmentId).map(({ name }) => name)).to.have.members(["MINE", ...STUCK]);

      expect((await engine.up(program(environmentId), { refresh: true })).operations).to.deep.equal({ vars: "same" });
      await engine.destroy();
      expect(world.variables(environmentId).map(({ name }) => name)).to.have.members(STUCK);
    },
  },
  {
    title: "what `keep` spares is not warned of",
    async run({ engine, environmentId, world, log }) {
      const sparing = program(environmentId, { keep: ["..", "__*"] });
      await engine.up(sparing);
      for (const name of ["..", "__proto__"]) world.setVariable(environmentId, { name, value: "x" });
      expect((await engine.up(sparing, { refresh: true })).operations).to.deep.equal({ vars: "same" });
      expect(log.lines.filter(({ severity }) => severity !== "info")).to.deep.equal([]);
    },
  },
  {
    title: "a hidden variable of somebody else whose name begins like one that is kept goes alone",
    async run({ engine, environmentId, world }) {
      const sparing = program(environmentId, { keep: ["KEPT_?", "{A,B}_[0-9]"] });
      await engine.up(sparing);
      for (const name of ["KEPT_1", "KEPT_12", "A_1", "C_1", "kept_1"])
        world.setVariable(environmentId, { name, value: "x" });
      await engine.up(sparing, { refresh: true });
      expect(world.variables(environmentId).map(({ name }) => name)).to.have.members(["MINE", "KEPT_1", "A_1"]);
    },
  },
  {
    title: "state says since when a variable of somebody else is there, visible or hidden, and nothing of its value",
    async run({ engine, environmentId, world }) {
      await engine.up(program(environmentId));
      world.setVariable(environmentId, { name: "SHOWN", value: "x", hidden: false });
      world.setVariable(environmentId, { name: "HIDDEN", value: "tiger-4711-and-more" });
      await engine.refresh();
      const observed = engine.state.get("vars")?.outputs["observed"];
      const times = new Map(world.variables(environmentId).map(({ name, updatedAt }) => [name, updatedAt]));
      expect(observed).to.deep.include({
        names: { [times.get("MINE") ?? ""]: "MINE" },
        seenAt: { HIDDEN: times.get("HIDDEN"), SHOWN: times.get("SHOWN") },
      });
      expect(JSON.stringify(observed)).not.to.match(/tiger|more|\*/u);
      await engine.up(program(environmentId));
      expect(engine.state.get("vars")?.outputs["observed"]).not.to.have.property("seenAt");
    },
  },
  {
    title: "a pattern that begins with ! is refused before any request",
    async run({ engine, environmentId, requests }) {
      const { errors } = await failing(engine.up(program(environmentId, { keep: ["A", "!B"] })));
      expect(errors.join("\n")).to.match(/^keep\.1 cannot begin with `!`/u);
      expect(requests()).to.deep.equal([]);
    },
  },
];

contract("EnvVarSet that prunes", scenarios);
