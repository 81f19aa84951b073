import { expect } from "chai";
import { existing } from "../../sdk/nodejs/runtime/existing";
import type { Declared, Program, Run } from "../support/engine-steps";
import { failing } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";
import { cancelledAt } from "./support/cancelled";

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
        await engine.up(moved);
        expect(requests().filter((label) => !label.startsWith("GET"))).to.deep.equal([]);
        expect(values()).to.deep.equal({ MOVED: REAL });
        expect([...engine.state.keys()]).to.deep.equal(["taker"]);
        expect((await engine.up(moved, { refresh: true })).operations).to.deep.equal({ taker: "same" });
        await engine.destroy();
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
        await engine.up(moved, { refresh: true });
        expect(values()).to.deep.equal({ MOVED: REAL });
        expect([...engine.state.keys()]).to.deep.equal(["taker"]);
        expect((await engine.up(moved)).operations).to.deep.equal({ taker: "same" });
        await engine.destroy();
        expect(values()).to.deep.equal({});
      },
    },
  ];
}

const PUT = "PUT /env-vars";
/** What may become of the write of the taker, which limits MOVED to a service. */
const endings: readonly (readonly [string, (stage: Stage, program: Program) => Promise<Run>])[] = [
  [
    "cancelled, and done",
    (stage, program) => cancelledAt(stage, { label: PUT, acts: true }, () => failing(stage.engine.up(program))),
  ],
  [
    "cancelled, and lost",
    (stage, program) => cancelledAt(stage, { label: PUT, acts: false }, () => failing(stage.engine.up(program))),
  ],
  [
    "refused",
    ({ engine, sandbox }, program) => {
      sandbox.faults.add({ label: PUT, status: 400 });
      return failing(engine.up(program));
    },
  ],
];

/** existing() moves to a resource that limits it to a service, and the write of that does not succeed. */
function interrupted(to: Kind): readonly Scenario[] {
  return endings.map(([what, end]) => ({
    title: `existing() that moves to a ${to} with another scope is existing() there, also when the write is ${what}`,
    environment: { variables: [{ name: "MOVED", value: LIVE, hidden: false }] },
    cancels: true,
    async run(stage) {
      const { engine, values, world, environmentId } = stage;
      await engine.up({ giver: owner("set", stage, existing()) });
      const { type, inputs } = owner(to, stage, existing());
      const moved: Program = {
        giver: { type: "EnvVarSet", inputs: { environmentId, variables: {} } },
        taker: { type, inputs: { ...inputs, services: ["web"] } },
      };
      await end(stage, moved);
      const { outputs } = engine.kept("taker");
      expect(outputs["value"] ?? outputs["variables"]).to.deep.equal(to === "set" ? { MOVED: existing() } : existing());
      stage.sandbox.faults.clear();
      await engine.up(moved);
      expect(world.variable(environmentId, "MOVED")?.services).to.deep.equal(["web"]);
      expect((await engine.up(moved, { refresh: true })).operations).to.deep.equal({ giver: "same", taker: "same" });
      await engine.destroy();
      expect(values()).to.deep.equal({ MOVED: LIVE });
    },
  }));
}

/** The program leaves a value of its own to the service, and the write of its scope does not succeed. */
const left: readonly Scenario[] = endings.map(([what, end]) => ({
  title: `a real value that becomes existing() with another scope is not deleted any more, also when the write is ${what}`,
  cancels: true,
  async run(stage) {
    const { engine, values, environmentId } = stage;
    await engine.up({ own: owner("set", stage, REAL) });
    const inputs = { environmentId, variables: { MOVED: existing() }, services: ["web"] };
    await end(stage, { own: { type: "EnvVarSet", inputs } });
    expect(engine.kept("own").outputs["variables"]).to.deep.equal({ MOVED: existing() });
    await engine.destroy();
    expect(values()).to.deep.equal({ MOVED: REAL });
  },
}));

contract("values that are left to the service, and a write that does not succeed", [
  ...interrupted("set"),
  ...interrupted("EnvVar"),
  ...left,
]);

contract("hand-over of values that are left to the service", [
  ...moves("set", "set"),
  ...moves("set", "EnvVar"),
  ...moves("EnvVar", "set"),
]);
