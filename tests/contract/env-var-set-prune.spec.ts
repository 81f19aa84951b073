import { expect } from "chai";
import { SIGNATURE, UNKNOWN } from "../../provider/src/framework/properties";
import { existing } from "../../sdk/nodejs/runtime/existing";
import { failing, quiet } from "../support/stack";
import { contract, type Scenario, set, warningsOf, writes } from "../support/stage";
import { EXISTING_VARIABLES } from "./support/existing-variables";

const LONG = "L".repeat(5_000);
/** No request can name these, or state cannot hold them. */
const STUCK = ["", ".", "..", "half \ud83c", "__proto__", SIGNATURE, "C:\\", LONG];
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
const pruned = (environmentId: string, inputs: Readonly<Record<string, unknown>> = {}) =>
  set(environmentId, { variables: { MINE: "1" }, prune: true, ...inputs });

const pruning: readonly Scenario[] = [
  {
    title: "a create deletes nothing, an up before a refresh neither, and a destroy leaves what a refresh merely saw",
    environment: { variables: EXISTING_VARIABLES },
    async run({ engine, environmentId, values, requests }) {
      for (const value of ["1", "2"]) await engine.up(pruned(environmentId, { variables: { MINE: value } }));
      expect(requests()).not.to.include("DELETE /env-vars");
      await engine.refresh();
      await engine.destroy();
      expect(Object.keys(values())).to.have.members(EXISTING_VARIABLES.map(({ name }) => name));
    },
  },
  {
    title: "the preview after a refresh names exactly what the up deletes, but for `keep`, and shows no mask",
    environment: { variables: EXISTING_VARIABLES },
    async run({ engine, environmentId, values, requests }) {
      const program = pruned(environmentId, { keep: ["S*"] });
      await engine.up(program);
      await engine.refresh();
      const { secrets: _secrets, ...plain } = engine.kept("vars").outputs;
      expect(JSON.stringify(plain)).not.to.match(/a-\*|\*34/u);
      expect((await engine.preview(program)).paths).to.deep.equal({ vars: ["secrets.HIDDEN", "variables.OTHER"] });
      requests();
      await engine.up(program);
      expect(requests()).to.deep.equal(["GET /env-vars", "DELETE /env-vars", "DELETE /env-vars"]);
      expect(Object.keys(values())).to.have.members(["SAME", "SCOPED", "SHORT", "MINE"]);
      await quiet(engine.up(program, { refresh: true }));
    },
  },
  {
    title: "a name that leaves the program stays if `keep` matches it, and a message names it",
    async run({ engine, environmentId, values, requests, log }) {
      await engine.up(pruned(environmentId, { secrets: { KEPT_1: "s", GONE: "s" } }));
      const program = pruned(environmentId, { keep: ["KEPT_*"] });
      // A map that is not known yet may still have it.
      await engine.preview(pruned(environmentId, { keep: ["KEPT_*"], secrets: UNKNOWN }));
      const { paths } = await engine.preview(program);
      expect(paths["vars"]).to.include("secrets.GONE").and.not.include("secrets.KEPT_1");
      requests();
      await engine.up(program);
      await log.until(/: 1 deleted \(GONE\)$/u);
      const kept = log.lines.filter(({ text }) => text.endsWith(": not deleted, because `keep` matches: KEPT_1"));
      expect(kept.map(({ severity }) => severity)).to.deep.equal(["warning", "info"]);
      expect(requests()).to.deep.equal(["GET /env-vars", "DELETE /env-vars"]);
      await quiet(engine.up(program, { refresh: true }));
      expect(Object.keys(values())).to.have.members(["MINE", "KEPT_1"]);
    },
  },
  {
    title: "what somebody has written since the refresh stays until the next one, and a warning says so",
    async run({ engine, environmentId, world, clock, values, log }) {
      await engine.up(pruned(environmentId, { variables: { MINE: "1", OURS: "1" } }));
      world.setVariable(environmentId, { name: "THEIRS", value: "1", hidden: false });
      await engine.refresh();
      clock.advance(5_000);
      for (const name of ["OURS", "THEIRS"]) world.setVariable(environmentId, { name, value: "2", hidden: false });
      await engine.up(pruned(environmentId));
      await log.until(
        /: OURS, THEIRS not deleted, because .* `prune` deletes them after the next refresh, unless you declare them or add/u,
      );
      expect(values()).to.deep.equal({ MINE: "1", OURS: "2", THEIRS: "2" });
      await engine.up(pruned(environmentId), { refresh: true });
      expect(Object.keys(values())).to.deep.equal(["MINE"]);
    },
  },
  {
    title: "an `existing()` that leaves the program stays until the next refresh: preview and up say so",
    onHosts: true,
    environment: {
      variables: ["TOKEN", "KEY", "KEPT", "SEEN"].map((name) => ({ name, value: "theirs", hidden: true })),
    },
    async run(stage) {
      const { engine, environmentId, values, requests, log } = stage;
      const secrets = { TOKEN: existing(), KEY: existing(), KEPT: existing(), SEEN: existing() };
      await engine.up(pruned(environmentId, { secrets, keep: ["KEPT"] }));
      const { vars } = pruned(environmentId, { keep: ["KEPT"] });
      const info = { type: "EnvVar", inputs: {}, lookUp: `${environmentId}/SEEN` };
      const program = { info, vars: { ...vars, dependsOn: ["info"] } };
      const text = /: KEY, TOKEN not deleted yet, because the program declared `existing\(\)` for them\. .* `keep`\.$/u;
      requests();
      expect((await warningsOf(stage, program)).join("\n")).to.match(text);
      await engine.up(program);
      expect(writes(stage)).to.deep.equal([]);
      const said = log.lines.filter(({ text: line }) => line.includes("not deleted yet"));
      expect(said.map(({ severity }) => severity)).to.deep.equal(["warning", "warning"]);
      expect(said.every(({ text: line }) => text.test(line))).to.equal(true);

      await engine.up(program, { refresh: true });
      expect(Object.keys(values())).to.have.members(["MINE", "KEPT", "SEEN"]);
    },
  },
  {
    title: "no preview says that an `existing()` goes later if it may stay, as with a map or `keep` that is not known",
    environment: { variables: [{ name: "TOKEN", value: "theirs", hidden: true }] },
    async run(stage) {
      const { engine, environmentId } = stage;
      await engine.up(pruned(environmentId, { secrets: { TOKEN: existing() } }));
      for (const inputs of [
        { prune: false },
        { secrets: UNKNOWN },
        { keep: UNKNOWN },
        { keep: ["A", UNKNOWN] },
        { prune: UNKNOWN },
      ])
        expect(await warningsOf(stage, pruned(environmentId, inputs)), JSON.stringify(inputs)).to.deep.equal([]);
    },
  },
  {
    title: "what a run has only imported stays until the next refresh: the up says so",
    difference: { row: "Import", side: "native" },
    environment: { variables: EXISTING_VARIABLES },
    async run({ engine, environmentId, values, log }) {
      const { vars } = pruned(environmentId, { variables: { SAME: "1" }, keep: ["S*"] });
      const program = { vars: { ...vars, import: environmentId } };
      await engine.up(program);
      const { severity } = await log.until(
        /: HIDDEN, OTHER not deleted yet, because this run has only imported them\. State/u,
      );
      expect(severity).to.equal("warning");
      await engine.up(program, { refresh: true });
      expect(Object.keys(values())).to.have.members(["SAME", "SCOPED", "SHORT"]);
    },
  },
  {
    title: "a secret that could not be written, and that somebody made visible, is not taken for a value to show",
    async run({ engine, environmentId, world, sandbox, values }) {
      const secret = "geheim-4711-nicht-zeigen";
      const whole = pruned(environmentId, { secrets: { KEY: secret }, onConflict: "overwrite" });
      await engine.up(pruned(environmentId));
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
    title: "names that no request can address fail no up, and no preview says that they go",
    async run({ engine, environmentId, world }) {
      await engine.up(pruned(environmentId));
      for (const name of [...STUCK, ...ODD]) world.setVariable(environmentId, { name, value: "x", hidden: false });
      await engine.refresh();
      expect((await engine.preview(pruned(environmentId))).paths["vars"]).to.have.members(
        ODD.map((name) => `variables.${name}`),
      );
      await engine.up(pruned(environmentId));
      expect(world.variables(environmentId).map(({ name }) => name)).to.have.members(["MINE", ...STUCK]);

      await quiet(engine.up(pruned(environmentId), { refresh: true }));
      await engine.destroy();
      expect(world.variables(environmentId).map(({ name }) => name)).to.have.members(STUCK);
    },
  },
];

contract("EnvVarSet that prunes", pruning);
