import { expect } from "chai";
import { existing } from "../../sdk/nodejs/runtime/existing";
import type { Declared, Program } from "../support/engine-steps";
import { errorsOf, failing, quiet } from "../support/stack";
import { contract, type Scenario, type Stage, writes } from "../support/stage";
import type { Properties } from "../../provider/src/framework/properties";
import type { FaultOptions } from "../../provider/src/sandbox";

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
        expect(writes({ requests })).to.deep.equal([]);
        expect(values()).to.deep.equal({ MOVED: REAL });
        expect([...engine.state.keys()]).to.deep.equal(["taker"]);
        await quiet(engine.up(moved, { refresh: true }));
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
        await quiet(engine.up(moved));
        await engine.destroy();
        expect(values()).to.deep.equal({});
      },
    },
  ];
}

contract("values that are left to the service and move", [
  ...moves("set", "set"),
  ...moves("set", "EnvVar"),
  ...moves("EnvVar", "set"),
]);

const set = ({ environmentId }: Stage, inputs: Properties): Declared => ({
  type: "EnvVarSet",
  inputs: { environmentId, ...inputs },
});
const OLD = "old-value-1234";
const NEW = "new-value-5678";

/** How the taker fails. */
const failures: readonly (readonly [string, FaultOptions | undefined])[] = [
  ["was refused", { refuse: { MOVED: "no room" } }],
  ["had a conflict", undefined],
];

/** The giver has left the program, and an engine that goes on after errors deletes it although its taker has failed. */
const dropped = failures.map(([how, fault]): Scenario => ({
  title: `a giver that the program has dropped deletes the name although its taker ${how}; the next up writes it`,
  async run(stage) {
    const { engine, sandbox, values } = stage;
    const before: Program = {
      giver: set(stage, { variables: { MOVED: OLD, GONE: "g" } }),
      taker: set(stage, { variables: { T: "t" } }),
    };
    await engine.up(before);
    const moved: Program = { taker: set(stage, { variables: { T: "t", MOVED: NEW } }) };
    if (fault !== undefined) sandbox.faults.add(fault);
    await failing(engine.up(moved, { refresh: fault !== undefined, continueOnError: true }));
    sandbox.faults.clear();
    expect(values()).to.deep.equal({ T: "t" });
    expect([...engine.state.keys()]).to.deep.equal(["taker"]);
    await engine.up(moved);
    expect(values()).to.deep.equal({ T: "t", MOVED: NEW });
    await quiet(engine.up(moved));
  },
}));

contract("names that move, the taker fails", dropped);

const whole = { variables: { A: "1" }, secrets: { C: "secret-c-1234" } };
const ALL = { A: "1", C: "secret-c-1234" };

function sets({ environmentId }: Stage, named: Readonly<Record<string, Properties>>) {
  return Object.fromEntries(
    Object.entries(named).map(([name, inputs]) => [name, { type: "EnvVarSet", inputs: { environmentId, ...inputs } }]),
  );
}

/** Moves that an earlier run began: the taker is unchanged by the time the giver goes. */
const scenarios: readonly Scenario[] = [
  ...[false, true].map((refresh): Scenario => ({
    title: `renamed beside another resource that fails: the next up${refresh ? " --refresh" : ""} loses nothing`,
    async run(stage) {
      const { engine, values, sandbox } = stage;
      await engine.up(sets(stage, { old: whole }));
      sandbox.faults.add({ refuse: { OTHER: "no room" } });
      const program = sets(stage, { renamed: whole, other: { variables: { OTHER: "x" } } });
      await failing(engine.up(program));
      const run = await engine.up(program, { refresh });
      expect(run.operations).to.include({ renamed: "same", old: "delete" });
      expect(values()).to.deep.equal({ ...ALL, OTHER: "x" });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  })),
  {
    title: "a secret whose removal failed stays in state by its name, not by its value",
    async run(stage) {
      const { engine, sandbox } = stage;
      await engine.up(sets(stage, { vars: { secrets: { KEEP: "keep-1234", GONE: "gone-1234" } } }));
      sandbox.faults.add({ method: "DELETE", status: 500 });
      const program = sets(stage, { vars: { secrets: { KEEP: "keep-1234" } } });
      expect(await errorsOf(engine.up(program))).to.contain("GONE");
      const outputs = JSON.stringify(engine.kept("vars").outputs);
      expect(outputs).to.contain('"GONE"').and.not.to.contain("gone-1234");
      await engine.up(program);
      expect(engine.kept("vars").outputs["secrets"]).to.deep.equal({ KEEP: "keep-1234" });
    },
  },
  {
    title: "a secret that should become visible, and was refused, leaves no value in state",
    async run(stage) {
      const { engine, sandbox, values } = stage;
      await engine.up(sets(stage, { vars: { secrets: { MOVED: "moved-1234" } } }));
      sandbox.faults.add({ refuse: { MOVED: "not now" } });
      const program = sets(stage, { vars: { variables: { MOVED: "moved-1234" } } });
      await failing(engine.up(program));
      expect(JSON.stringify(engine.kept("vars").outputs))
        .to.contain('"MOVED"')
        .and.not.to.contain("moved-1234");
      await engine.up(program);
      expect(values()).to.deep.equal({ MOVED: "moved-1234" });
    },
  },
];

contract("names and builds across runs", scenarios);
