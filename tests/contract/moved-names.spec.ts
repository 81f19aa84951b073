import { expect } from "chai";
import { existing } from "../../sdk/nodejs/runtime/existing";
import type { FaultOptions } from "../../provider/src/sandbox";
import type { Properties } from "../../provider/src/framework/properties";
import { errorsOf, failing, quiet, type UpOptions } from "../support/stack";
import { contract, type Scenario, type Stage, writes } from "../support/stage";
import type { Declared, Program } from "../support/engine-steps";
import { see } from "../../provider/src/client/troubleshooting";

const VARIABLES = { A: "1", B: "2" };
const SECRETS = { C: "secret-c-1234", D: "secret-d-1234" };
const ALL = { ...VARIABLES, ...SECRETS };
const LEFT =
  /not deleted, because another resource of the program, or the replacement of this one, declares it now: A, B, C, D$/u;

/** A resource of the scenario's environment. */
type Declaration = Pick<Declared, "type"> & { readonly inputs: Properties };

const setOf = (inputs: Properties): Declaration => ({ type: "EnvVarSet", inputs });
const plain = (variables: Properties): Declaration => setOf({ variables });
const single = (name: string, value: string): Declaration => ({
  type: "EnvVar",
  inputs: { name, value, hidden: false },
});

function declare({ environmentId }: Stage, named: Readonly<Record<string, Declaration>>): Program {
  return Object.fromEntries(
    Object.entries(named).map(([name, { type, inputs }]) => [name, { type, inputs: { environmentId, ...inputs } }]),
  );
}

const WHOLE = setOf({ variables: VARIABLES, secrets: SECRETS });

const scenarios: readonly Scenario[] = [
  {
    title: "a renamed Pulumi resource loses nothing, and says so in one line",
    onHosts: true,
    async run(stage) {
      const { engine, values, log, requests } = stage;
      await engine.up(declare(stage, { old: WHOLE }));
      requests();
      const run = await engine.up(declare(stage, { renamed: WHOLE }));
      expect(run).to.deep.include({ operations: { renamed: "create", old: "delete" } });
      expect(values()).to.deep.equal(ALL);
      expect(requests()).not.to.include("DELETE /env-vars");
      expect(await log.until(LEFT)).to.deep.include({ severity: "info", passing: false });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title:
      "one after the other, taker first, with another value: an error in three lines of advice and an address, and up --refresh finishes",
    async run(stage) {
      const { engine, values } = stage;
      await engine.up(declare(stage, { taker: plain({ T: "t" }), giver: plain({ A: "1", B: "2" }) }));
      const moved = declare(stage, { taker: plain({ T: "t", B: "new" }), giver: plain({ A: "1" }) });
      const [first = "", second = "", third = "", fourth = "", fifth] = (await errorsOf(engine.up(moved))).split("\n");
      expect(first).to.match(/already has a variable with another value than declared: B\. Nothing was written\.$/u);
      expect(second).to.contain("`pulumi up --refresh`").and.contain("--target");
      expect(third).to.contain('onConflict: "overwrite"');
      expect(fourth).to.contain("`previewenv.existing()` (outside TypeScript: the text `previewenv:existing:v1`)");
      expect(fifth).to.equal(see("conflict"));
      await engine.up(moved, { refresh: true });
      expect(values()).to.deep.equal({ A: "1", B: "new", T: "t" });
      await quiet(engine.up(moved));
    },
  },
  {
    title: "a conflict after a refresh of this run does not advise another refresh",
    environment: { variables: [{ name: "B", value: "somebody else's", hidden: false }] },
    async run(stage) {
      const { engine, values } = stage;
      await engine.up(declare(stage, { vars: plain({ A: "1" }) }));
      const both = declare(stage, { vars: plain({ A: "1", B: "2" }) });
      expect(await errorsOf(engine.up(both, { refresh: true })))
        .to.contain("This run has refreshed")
        .and.not.contain("`pulumi up --refresh`");
      expect(values()).to.deep.equal({ A: "1", B: "somebody else's" });
    },
  },
  {
    title: "a DELETE under way does not take away what another set writes meanwhile",
    async run(stage) {
      const { engine, values, sandbox } = stage;
      await engine.up(declare(stage, { giver: plain({ A: "1", B: "2" }), taker: plain({ T: "t" }) }));
      // The service is slow with the DELETE: in the meantime the other set's PUT comes and goes.
      sandbox.faults.add({ label: "DELETE /env-vars", delayMs: 200 });
      const moved = declare(stage, {
        giver: plain({ A: "1" }),
        taker: setOf({ variables: { T: "t", B: "2" }, onConflict: "overwrite" }),
      });
      await engine.up(moved, { parallel: true });
      expect(values()).to.deep.equal({ A: "1", B: "2", T: "t" });
    },
  },
];

contract("renamed and replaced", scenarios);

/** What two resources declare. Every move is of `MOVED`. `KEPT` stays where it is. */
interface Move {
  readonly title: string;
  readonly before: readonly [Declaration, Declaration];
  readonly after: readonly [Declaration, Declaration];
}

const OLD = "old-value-1234";
const NEW = "new-value-5678";

const toSingle: Move = {
  title: "set to EnvVar, new value",
  before: [plain({ G: "g", MOVED: OLD }), single("T", "t")],
  after: [plain({ G: "g" }), single("MOVED", NEW)],
};

const exchange: Move = {
  title: "two names change places",
  before: [plain({ MOVED: OLD }), plain({ OTHER: "o" })],
  after: [plain({ OTHER: "other" }), plain({ MOVED: NEW })],
};

const moves: readonly Move[] = [
  ...Object.entries({
    "same value": plain({ T: "t", MOVED: OLD }),
    "new value": plain({ T: "t", MOVED: NEW }),
    "visible to hidden": setOf({ variables: { T: "t" }, secrets: { MOVED: NEW } }),
  }).map(([what, taker]): Move => ({
    title: `set to set, ${what}`,
    before: [plain({ G: "g", MOVED: OLD }), plain({ T: "t" })],
    after: [plain({ G: "g" }), taker],
  })),
  {
    title: "set to set, hidden to visible",
    before: [setOf({ secrets: { G: "g-1234-5678", MOVED: OLD } }), plain({ T: "t" })],
    after: [setOf({ secrets: { G: "g-1234-5678" } }), plain({ T: "t", MOVED: NEW })],
  },
  {
    title: "set to set, another scope",
    before: [plain({ G: "g", MOVED: OLD }), setOf({ services: ["web"] })],
    after: [plain({ G: "g" }), setOf({ variables: { MOVED: OLD }, services: ["web"] })],
  },
  toSingle,
  {
    title: "EnvVar to set, new value",
    before: [single("MOVED", OLD), plain({ T: "t" })],
    after: [single("OTHER", "o"), plain({ T: "t", MOVED: NEW })],
  },
  exchange,
];

/** Which of the two the program declares first. */
const orders = ["giver first", "taker first"] as const;
type Order = (typeof orders)[number];

function arranged(stage: Stage, order: Order, [giver, taker]: readonly [Declaration, Declaration]): Program {
  return declare(stage, order === "giver first" ? { giver, taker } : { taker, giver });
}

/** An `up` that moves names. Where the old owner was not shown in time, it is one error, whose advice moves them. */
async function move({ engine }: Stage, moved: Program, options: UpOptions): Promise<void> {
  try {
    await engine.up(moved, options);
  } catch (error) {
    expect(String(error)).to.contain("already has").and.to.contain("`pulumi up --refresh`");
    await engine.up(moved, { ...options, refresh: true });
  }
}

/** A move of one `up`, or of the error and what it advises: nothing is lost, and the next `up` changes nothing. */
function inOneUp({ title, before, after }: Move, order: Order, options: UpOptions): Scenario {
  const { refresh = false, parallel = false } = options;
  return {
    title: [title, order, ...(refresh ? ["--refresh"] : []), ...(parallel ? ["at once"] : [])].join(", "),
    async run(stage) {
      const { engine, world, environmentId, requests } = stage;
      await engine.up(arranged(stage, order, before));
      requests();
      const moved = arranged(stage, order, after);
      const isEqual = title.includes("same value");
      if (refresh || isEqual) await engine.up(moved, options);
      else await move(stage, moved, options);
      const isSame = isEqual || title.includes("scope");
      expect(world.variable(environmentId, "MOVED")?.value).to.equal(isSame ? OLD : NEW);
      await quiet(engine.up(moved));
      await quiet(engine.up(moved, { refresh: true }));
      await engine.destroy();
      expect(stage.values()).to.deep.equal({});
    },
  };
}

const faults = [
  { what: "a PUT that gets 503", fault: { label: "PUT /env-vars", status: 503 } },
  { what: "every PUT gets 500", fault: { label: "PUT /env-vars", status: 500, times: 4 } },
  { what: "a PUT whose answer is lost", fault: { label: "PUT /env-vars", dropAfter: true } },
  { what: "a GET whose answer is lost", fault: { label: "GET /env-vars", dropAfter: true } },
  { what: "every GET gets 500", fault: { label: "GET /env-vars", status: 500, times: 4 } },
  { what: "a refusal of the name", fault: { refuse: { MOVED: "no room" } } },
] as const;

/** After a fault two `up` converge, or what the error of the first one advises. In between the name may be missing. */
function withFault(moved: Move, order: Order, { what, fault }: (typeof faults)[number]): Scenario {
  return {
    title: `${moved.title}, ${order}, ${what}`,
    settings: { maxRetries: "0" },
    async run(stage) {
      const { engine, sandbox, world, environmentId } = stage;
      await engine.up(arranged(stage, order, moved.before));
      const after = arranged(stage, order, moved.after);
      sandbox.faults.add(fault);
      await failing(engine.up(after, { parallel: true }));
      sandbox.faults.clear();
      expect(world.variable(environmentId, "MOVED")?.value).to.be.oneOf([OLD, NEW, undefined]);
      await move(stage, after, { parallel: true });
      await engine.up(after, { parallel: true });
      expect(world.variable(environmentId, "MOVED")?.value).to.equal(NEW);
      await quiet(engine.up(after));
    },
  };
}

const runs: readonly UpOptions[] = [{}, { parallel: true }, { refresh: true }, { refresh: true, parallel: true }];

contract(
  "names that move",
  moves.flatMap((one) => orders.flatMap((order) => runs.map((options) => inOneUp(one, order, options)))),
);

contract(
  "names that move, with a fault",
  // Not from an EnvVar: what a replacement has left to be deleted needs a refresh (below).
  [toSingle, exchange].flatMap((one) => orders.flatMap((order) => faults.map((fault) => withFault(one, order, fault)))),
);

const GIVEN = { giver: plain({ G: "g", MOVED: OLD }), taker: plain({ T: "t" }) };
const TAKEN = { giver: plain({ G: "g" }), taker: plain({ T: "t", MOVED: NEW }) };

const previewed: Scenario = {
  title: "a preview of a move whose old owner is declared first warns of nothing",
  onHosts: true,
  async run(stage) {
    const { engine, log } = stage;
    await engine.up(declare(stage, GIVEN));
    const before = log.lines.length;
    await engine.preview(declare(stage, TAKEN));
    expect(log.lines.slice(before).filter(({ severity }) => severity === "warning")).to.deep.equal([]);
  },
};

contract("names that move, in a preview", [previewed]);

/** Resources that declare MOVED. */
const owners = { set: (value: string) => plain({ MOVED: value }), EnvVar: (value: string) => single("MOVED", value) };
type Kind = keyof typeof owners;

const REAL = "value-of-the-program";
const LIVE = "value-of-the-service";

/** One resource gives MOVED away by leaving the program, and another one of the same or the other type takes it. */
function leftOrTaken(from: Kind, to: Kind): readonly Scenario[] {
  return [
    {
      title: `a real value of a ${from} that becomes existing() in a ${to} stays, also after destroy`,
      async run(stage) {
        const { engine, values, requests } = stage;
        await engine.up(declare(stage, { giver: owners[from](REAL) }));
        requests();
        const moved = declare(stage, { taker: owners[to](existing()) });
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
        await engine.up(declare(stage, { giver: owners[from](existing()) }));
        const moved = declare(stage, { taker: owners[to](REAL) });
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
  ...leftOrTaken("set", "set"),
  ...leftOrTaken("set", "EnvVar"),
  ...leftOrTaken("EnvVar", "set"),
]);

/** How the taker fails. */
const failures: readonly (readonly [string, FaultOptions | undefined])[] = [
  ["was refused", { refuse: { MOVED: "no room" } }],
  ["had a conflict", undefined],
];

/** The giver has left the program, and an engine that goes on after errors deletes it although its taker has failed. */
const dropped = failures.map(([how, fault]): Scenario => ({
  title: `a giver that the program has dropped stays when its taker ${how}; the next up --refresh moves the name`,
  async run(stage) {
    const { engine, sandbox, values, requests } = stage;
    await engine.up(declare(stage, { giver: plain({ MOVED: OLD, GONE: "g" }), taker: plain({ T: "t" }) }));
    const moved = declare(stage, { taker: TAKEN.taker });
    requests();
    if (fault !== undefined) sandbox.faults.add(fault);
    const errors = await errorsOf(engine.up(moved, { refresh: fault !== undefined, continueOnError: true }));
    sandbox.faults.clear();
    expect(requests()).not.to.include("DELETE /env-vars");
    expect(errors).to.contain("giver: not deleted, because a create or update of environment ");
    expect(errors).to.contain("`pulumi up --refresh`");
    expect(values()).to.deep.equal({ MOVED: OLD, GONE: "g", T: "t" });
    await engine.up(moved, { refresh: true });
    expect(values()).to.deep.equal({ T: "t", MOVED: NEW });
    await quiet(engine.up(moved));
  },
}));

/** The giver goes on without the name, after its taker has failed. */
const released = failures.map(([how, fault]): Scenario => ({
  title: `a giver keeps the name when its taker ${how} before it; the next up --refresh moves the name`,
  onHosts: true,
  async run(stage) {
    const { engine, sandbox, values, requests } = stage;
    await engine.up(declare(stage, { giver: plain({ MOVED: OLD, GONE: "g" }), taker: plain({ T: "t" }) }));
    const moved = declare(stage, { taker: TAKEN.taker, giver: plain({}) });
    requests();
    if (fault !== undefined) sandbox.faults.add(fault);
    const errors = await errorsOf(engine.up(moved, { refresh: fault !== undefined }));
    sandbox.faults.clear();
    expect(requests().filter((label) => label === "DELETE /env-vars")).to.have.lengthOf(1);
    expect(errors).to.contain("MOVED: Not deleted, because another resource of the program declares it");
    expect(values()).to.deep.equal({ MOVED: OLD, T: "t" });
    await engine.up(moved, { refresh: true });
    expect(values()).to.deep.equal({ T: "t", MOVED: NEW });
    await quiet(engine.up(moved));
  },
}));

/** What depends on the resource that leaves: the engine skips it after a failure, and keeps its dependency in state. */
const skipped: Scenario = {
  title: "after a failure, nothing of its environment is deleted in an up that goes on; the next up deletes it",
  onHosts: true,
  async run(stage) {
    const { engine, sandbox, world, environmentId, values, addEnvironment } = stage;
    const elsewhere = addEnvironment();
    const deployed = { type: "EnvironmentBranches", inputs: { environmentId, branches: { web: "feature/x" } } };
    await engine.up({
      ...declare(stage, { vars: plain({ A: "1" }), more: plain({ M: "1" }) }),
      state: { type: "EnvironmentState", inputs: { environmentId, state: "running" } },
      branches: { ...deployed, dependsOn: ["vars", "more", "state"] },
      other: { type: "EnvVarSet", inputs: { environmentId: elsewhere, variables: { O: "1" } } },
    });
    sandbox.faults.add({ refuse: { NEW: "no room" } });
    const after = {
      ...declare(stage, { vars: plain({ A: "1", NEW: "1" }) }),
      branches: { ...deployed, dependsOn: ["vars"] },
    };
    await failing(engine.up(after, { continueOnError: true }));
    sandbox.faults.clear();
    expect([...engine.state.keys()].toSorted()).to.deep.equal(["branches", "more", "state", "vars"]);
    expect(values()).to.deep.equal({ A: "1", M: "1" });
    expect(world.variables(elsewhere)).to.deep.equal([]);
    await engine.up(after, { continueOnError: true });
    expect(values()).to.deep.equal({ A: "1", NEW: "1" });
    await quiet(engine.up(after));
    await engine.destroy();
  },
};

/** A variable that breaks the build leaves the program: the error names two ways out. */
const breaking = (["EnvVarSet", "EnvVar"] as const).map((type): Scenario => ({
  title: `an ${type} that breaks the build and leaves the program stays, and the error says how to delete it`,
  async run(stage) {
    const { engine, world, environmentId, values } = stage;
    const inputs = { branches: { web: "feature/x" }, rebuildOn: ["1"] };
    const bad =
      type === "EnvVar"
        ? { type, inputs: { environmentId, name: "BAD", value: "1" } }
        : { type, inputs: { environmentId, variables: { BAD: "1" } } };
    const deployed = (on: string) => ({
      type: "EnvironmentBranches",
      inputs: { environmentId, ...inputs, rebuildOn: [on] },
    });
    await engine.up({ bad, deployed: deployed("1") });
    world.failNextBuild(environmentId);
    expect(await errorsOf(engine.up({ deployed: deployed("2") }, { continueOnError: true })))
      .to.contain("bad: not deleted")
      .and.to.match(/declare it again without variables first, or run `pulumi destroy --target` with its URN/u);
    expect(values()).to.deep.equal({ BAD: "1" });
    if (type === "EnvVar") await engine.destroy({ targets: ["bad"] });
    else await engine.up({ bad: { type, inputs: { environmentId, variables: {} } }, deployed: deployed("2") });
    expect(values()).to.deep.equal({});
    await engine.up({ deployed: deployed("2") });
    await quiet(engine.up({ deployed: deployed("2") }));
  },
}));

contract("names that move, the taker fails", [...dropped, ...released, skipped, ...breaking]);

/** Moves that an earlier run began: the taker is unchanged by the time the giver goes. */
const acrossRuns: readonly Scenario[] = [
  ...[false, true].map((refresh): Scenario => ({
    title: `renamed beside another resource that fails: the next up${refresh ? " --refresh" : ""} loses nothing`,
    async run(stage) {
      const { engine, values, sandbox } = stage;
      await engine.up(declare(stage, { old: WHOLE }));
      sandbox.faults.add({ refuse: { OTHER: "no room" } });
      const program = declare(stage, { renamed: WHOLE, other: plain({ OTHER: "x" }) });
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
      await engine.up(declare(stage, { vars: setOf({ secrets: { KEEP: "keep-1234", GONE: "gone-1234" } }) }));
      sandbox.faults.add({ method: "DELETE", status: 500 });
      const program = declare(stage, { vars: setOf({ secrets: { KEEP: "keep-1234" } }) });
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
      await engine.up(declare(stage, { vars: setOf({ secrets: { MOVED: "moved-1234" } }) }));
      sandbox.faults.add({ refuse: { MOVED: "not now" } });
      const program = declare(stage, { vars: setOf({ variables: { MOVED: "moved-1234" } }) });
      await failing(engine.up(program));
      expect(JSON.stringify(engine.kept("vars").outputs))
        .to.contain('"MOVED"')
        .and.not.to.contain("moved-1234");
      await engine.up(program);
      expect(values()).to.deep.equal({ MOVED: "moved-1234" });
    },
  },
];

contract("names across runs", acrossRuns);
