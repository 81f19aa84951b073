import { expect } from "chai";
import type { Declared, Program } from "../support/engine-steps";
import { failing } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";

/** A set `giver` and a resource `taker`, of which `giver` is asked first. */
function program({ environmentId }: Stage, giver: Declared["inputs"], taker?: Declared): Program {
  const named = (one: Declared): Declared => ({ ...one, inputs: { environmentId, ...one.inputs } });
  return {
    giver: named({ type: "EnvVarSet", inputs: giver }),
    ...(taker !== undefined && { taker: named(taker) }),
  };
}

const set = { type: "EnvVarSet", inputs: { variables: { X: "value-of-x" }, onConflict: "overwrite" } };
const secret = { type: "EnvVarSet", inputs: { secrets: { X: "value-of-x" }, onConflict: "overwrite" } };
const single = { type: "EnvVar", inputs: { name: "X", value: "value-of-x", onConflict: "overwrite" } };

/** Takers that say of the very name which they have got that its changes are not to be looked at. */
const takers: readonly (readonly [string, Declared])[] = [
  ["ignores nothing", set],
  ["a variable", { ...set, ignoreChanges: ["variables.X"] }],
  ["all variables", { ...set, ignoreChanges: ["variables"] }],
  ["a secret", { ...secret, ignoreChanges: ["secrets.X"] }],
  ["the value of a single variable", { ...single, ignoreChanges: ["value"] }],
];

/** The giver's DELETE fails in the run that hands X over, so that the next run takes X away from its taker. Only a program in
 * another language can come so far: in TypeScript, the giver is told of its taker. */
const scenarios = takers.map(([what, taker]): Scenario => ({
  title: `a name that another resource has just taken away is written again, whatever its owner ignores: ${what}`,
  async run(stage) {
    const { engine, values, sandbox } = stage;
    await engine.up(program(stage, { variables: { K: "k", X: "value-of-x" } }));
    sandbox.faults.add({ method: "DELETE", status: 400 });
    const moved = program(stage, { variables: { K: "k" } }, taker);
    const up = { otherLanguage: true };
    expect((await failing(engine.up(moved, up))).errors.join("\n")).to.contain("X");
    const run = await engine.up(moved, up);
    expect(run).to.deep.include({ operations: { giver: "update", taker: "update" } });
    expect(values()).to.deep.equal({ K: "k", X: "value-of-x" });
    expect((await engine.up(moved)).operations).to.deep.equal({ giver: "same", taker: "same" });
  },
}));

contract("hand-over of what a program ignores", scenarios);
