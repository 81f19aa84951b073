import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { Declared } from "../support/engine-steps";
import { errorsOf, quiet } from "../support/stack";
import { contract, type Scenario, writes } from "../support/stage";

const THEIRS = { name: "A", value: "theirs", hidden: false };
const KEPT = /: A not deleted, because the program looks at it with `get`\. State forgets it, unless/u;

/** A `get` of the variable A, by type. */
const looks = {
  EnvVar: (environmentId: string): Declared => ({ type: "EnvVar", inputs: {}, lookUp: `${environmentId}/A` }),
  EnvVarSet: (environmentId: string): Declared => ({
    type: "EnvVarSet",
    inputs: {},
    lookUp: `${environmentId}?names=A`,
  }),
};

/** A set that declares these variables, and may write over those that are there. */
function setOf(environmentId: string, variables: Properties, inputs: Properties = {}): Declared {
  return { type: "EnvVarSet", inputs: { environmentId, variables, onConflict: "overwrite", ...inputs } };
}

const scenarios = (["EnvVar", "EnvVarSet"] as const).flatMap((type): readonly Scenario[] => [
  {
    title: `a pruning set leaves what an earlier ${type}.get names, and shows no difference, until the \`get\` goes`,
    onHosts: type === "EnvVar",
    environment: { variables: [THEIRS] },
    async run({ engine, environmentId, values, requests, log }) {
      const vars = setOf(environmentId, { B: "2" }, { prune: true });
      const program = { info: looks[type](environmentId), vars: { ...vars, dependsOn: ["info"] } };
      await engine.up(program);
      await engine.refresh();
      await quiet(engine.preview(program));
      for (const _again of [1, 2]) await quiet(engine.up(program, { refresh: true }));
      expect(requests()).not.to.include("DELETE /env-vars");
      expect(log.lines.filter(({ text }) => text.includes("not deleted"))).to.deep.equal([]);
      await engine.up({ vars }, { refresh: true });
      expect(values()).to.deep.equal({ B: "2" });
    },
  },
  {
    title: `a name that a set drops stays if an earlier ${type}.get names it: preview and up say so, and nothing is to be built`,
    onHosts: type === "EnvVar",
    async run(stage) {
      const { engine, environmentId, values, requests, log } = stage;
      await engine.up({ vars: setOf(environmentId, { A: "1", B: "2" }) });
      const { revision } = engine.kept("vars").outputs;
      const vars = { ...setOf(environmentId, { B: "2" }), dependsOn: ["info"] };
      const program = { info: looks[type](environmentId), vars };
      const { paths, operations, foreseen } = await engine.preview(program);
      expect(operations["vars"]).to.equal("update");
      expect(paths["vars"]).not.to.include("variables.A");
      // A dynamic provider foresees no output.
      const { revision: planned = revision } = foreseen["vars"] ?? {};
      expect(planned).to.equal(revision);
      requests();
      await engine.up(program);
      expect(writes(stage)).to.deep.equal([]);
      const said = log.lines.filter(({ text }) => KEPT.test(text)).map(({ severity }) => severity);
      expect(said).to.deep.equal(["warning", "warning"]);
      expect(engine.kept("vars").outputs["revision"]).to.equal(revision);
      await quiet(engine.up(program, { refresh: true }));
      expect(values()).to.deep.equal({ A: "1", B: "2" });
    },
  },
  ...[true, false].map((prune): Scenario => ({
    title: `an ${type}.get after a set that ${prune ? "prunes" : "drops"} its name is a warning in the preview, and the advice helps`,
    onHosts: type === "EnvVar" && !prune,
    environment: { variables: [THEIRS] },
    async run({ engine, environmentId, values, log }) {
      await engine.up({ vars: setOf(environmentId, { B: "2", ...(!prune && { A: "1" }) }, { prune }) });
      await engine.refresh();
      const vars = setOf(environmentId, { B: "2" }, { prune });
      const info = looks[type](environmentId);
      const late = { vars, info: { ...info, dependsOn: ["vars"] } };
      await engine.preview(late);
      expect(log.lines.map(({ text }) => text).join("\n")).to.match(
        /that an EnvVarSet drops\. .*: A\. .* `dependsOn`/u,
      );
      expect(await errorsOf(engine.up(late))).to.match(/and has deleted them: A\. /u);
      await engine.up({ vars: setOf(environmentId, { A: "1", B: "2" }) });
      const advised = { info, vars: { ...vars, dependsOn: ["info"] } };
      await engine.up(advised);
      await quiet(engine.up(advised, { refresh: true }));
      expect(Object.keys(values())).to.have.members(["A", "B"]);
    },
  })),
]);

const others: readonly Scenario[] = [
  {
    title: "a `get` of a name that one set drops and another one declares is none of a dropped name",
    async run({ engine, environmentId, values }) {
      await engine.up({ giver: setOf(environmentId, { A: "1", B: "2" }) });
      const moved = { taker: setOf(environmentId, { A: "1" }), giver: setOf(environmentId, { B: "2" }) };
      const program = { ...moved, info: looks.EnvVar(environmentId) };
      await engine.preview(program);
      await engine.up(program);
      expect(values()).to.deep.equal({ A: "1", B: "2" });
    },
  },
  {
    title: "a `get` of a name that `keep` matches now is no error after a refresh that saw it",
    environment: { variables: [THEIRS] },
    async run({ engine, environmentId, values }) {
      await engine.up({ vars: setOf(environmentId, { B: "2" }, { prune: true }) });
      const program = {
        vars: setOf(environmentId, { B: "2" }, { prune: true, keep: ["A"] }),
        info: looks.EnvVar(environmentId),
      };
      await engine.up(program, { refresh: true });
      expect(values()).to.deep.equal({ A: "theirs", B: "2" });
    },
  },
];

contract("a set beside a `get` of a name that it does not declare", [...scenarios, ...others]);
