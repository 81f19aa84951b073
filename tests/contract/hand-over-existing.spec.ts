import { expect } from "chai";
import { existing } from "../../sdk/nodejs/runtime/existing";
import type { Declared, Program } from "../support/engine-steps";
import { contract, type Scenario, type Stage } from "../support/stage";

type Kind = "set" | "EnvVar";

/** A resource that declares MOVED. */
function owner(kind: Kind, { environmentId }: Stage, value: string): Declared {
  const inputs = kind === "set" ? { variables: { MOVED: value } } : { name: "MOVED", value, hidden: false };
  return { type: kind === "set" ? "EnvVarSet" : "EnvVar", inputs: { environmentId, ...inputs } };
}

const REAL = "value-of-the-program";
const LIVE = "value-of-the-service";

/** One resource gives MOVED away by leaving the program, and another one of the same or the other type takes it. */
function moves(from: Kind, to: Kind): readonly Scenario[] {
  return [
    {
      title: `a real value of a ${from} that becomes existing() in a ${to} stays, also after destroy`,
      async run(stage) {
        const { engine, values, requests } = stage;
        await engine.up({ giver: owner(from, stage, REAL) });
        requests();
        const moved: Program = { taker: owner(to, stage, existing()) };
        expect((await engine.up(moved)).errors).to.deep.equal([]);
        expect(requests().filter((label) => !label.startsWith("GET"))).to.deep.equal([]);
        expect(values()).to.deep.equal({ MOVED: REAL });
        expect([...engine.state.keys()]).to.deep.equal(["taker"]);
        expect((await engine.up(moved, { refresh: true })).operations).to.deep.equal({ taker: "same" });
        expect((await engine.destroy()).errors).to.deep.equal([]);
        expect(values()).to.deep.equal({ MOVED: REAL });
      },
    },
    {
      title: `existing() of a ${from} that becomes a real value in a ${to} is written, and goes with it`,
      environment: { variables: [{ name: "MOVED", value: LIVE, hidden: false }] },
      async run(stage) {
        const { engine, values } = stage;
        await engine.up({ giver: owner(from, stage, existing()) });
        const moved: Program = { taker: owner(to, stage, REAL) };
        expect((await engine.up(moved, { refresh: true })).errors).to.deep.equal([]);
        expect(values()).to.deep.equal({ MOVED: REAL });
        expect([...engine.state.keys()]).to.deep.equal(["taker"]);
        expect((await engine.up(moved)).operations).to.deep.equal({ taker: "same" });
        await engine.destroy();
        expect(values()).to.deep.equal({});
      },
    },
  ];
}

contract("hand-over of values that are left to the service", [
  ...moves("set", "set"),
  ...moves("set", "EnvVar"),
  ...moves("EnvVar", "set"),
]);
