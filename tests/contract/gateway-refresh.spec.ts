import { expect } from "chai";
import type { GatewayWords } from "../../provider/src/sandbox";
import { failing } from "../support/stack";
import { contract, type Scenario, set, type Stage } from "../support/stage";
import { importContract } from "./support/import-contract";
import { FOREIGN_TEXT, holdsAll, start } from "./support/gateway-program";

const WORDS: readonly GatewayWords[] = ["page", "empty", "json"];
const LISTS = "GET /environments";

/** Where a gateway answers for ever, and what the error adds to its own 404. */
const places: readonly (readonly [string, (stage: Stage) => string | undefined, RegExp])[] = [
  [
    "everything",
    () => undefined,
    /list of environments could not be read to see whether it is gone: Could not list environments/u,
  ],
  ["the path of the environment", ({ environmentId }) => environmentId, /The list of environments has it/u],
  ["the path of its variables", () => "/env-vars", /./u],
];

const refused: readonly Scenario[] = places.flatMap(([where, path, adds]) =>
  WORDS.map((gateway): Scenario => ({
    title: `404 for ever to ${where} (${gateway}): a refresh fails, and takes nothing out of state`,
    async run(stage) {
      const { engine, sandbox } = stage;
      await start(stage);
      const before = [...engine.state];
      sandbox.faults.add({ gateway, path: path(stage), times: Infinity });
      const { errors, operations } = await failing(engine.refresh());
      expect(Object.values(operations)).not.to.include("gone");
      expect([...engine.state]).to.deep.equal(before);
      expect(errors).to.have.length(path(stage) === "/env-vars" ? 2 : 4);
      for (const error of errors)
        expect(error)
          .to.match(FOREIGN_TEXT)
          .and.match(adds)
          .and.not.match(/<|Route/u);
      sandbox.faults.clear();
      await engine.refresh();
      await holdsAll(stage);
    },
  })),
);

const passing: Scenario = {
  title: "404 once, to each request of a refresh: nothing leaves state",
  async run(stage) {
    const { engine, sandbox, requests } = stage;
    await start(stage);
    requests();
    await engine.refresh();
    const each = requests();
    expect(each).to.have.length(4);
    for (const [after, label] of each.entries()) {
      const fault = sandbox.faults.add({ gateway: WORDS[after % WORDS.length], after });
      const { errors, operations } = await failing(engine.refresh());
      expect([fault.hits, errors.length], label).to.deep.equal([1, 1]);
      expect(Object.values(operations)).not.to.include("gone");
    }
    await holdsAll(stage);
  },
};

const lists: readonly Scenario[] = [
  ...[{ status: 401 }, { status: 500 }, { malformed: true }, { gateway: "json" } as const].map((fault): Scenario => ({
    title: `the list that would tell answers ${JSON.stringify(fault)}: an error, which has both`,
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      await start(stage);
      sandbox.faults.add({ ...fault, label: LISTS, times: Infinity });
      sandbox.faults.add({ gateway: "page", path: environmentId, times: Infinity });
      const { errors } = await failing(engine.refresh());
      expect(errors.join("\n"))
        .to.match(FOREIGN_TEXT)
        .and.match(/could not be read to see whether it is gone: Could not list environments/u);
      expect(engine.state.size).to.equal(4);
    },
  })),
  {
    title: "the list has many pages, and the environment is on the last one: it is not gone",
    choices: { maxPageSize: 2 },
    async run(stage) {
      const { engine, environmentId, addEnvironment, sandbox, world, requests } = stage;
      await start(stage);
      for (let index = 0; index < 9; index += 1) addEnvironment({ name: `other-${index}` });
      world.setFlags(environmentId, { deleted: true });
      sandbox.faults.add({ gateway: "empty", path: environmentId, times: Infinity });
      requests();
      expect((await failing(engine.refresh())).errors).to.have.length(4);
      // Five pages of those that are there, and one of those that are marked as deleted; resources that ask at once share them.
      const asked = requests().filter((label) => label === LISTS).length;
      expect(asked).to.be.within(6, 6 * 4);
      expect(asked % 6).to.equal(0);
      expect(engine.state.size).to.equal(4);
      // A page that is not the service's is no end of the list.
      sandbox.faults.add({ gateway: "json", label: LISTS, after: 2, times: Infinity });
      expect((await failing(engine.refresh())).errors.join("\n")).to.contain(
        "could not be read to see whether it is gone",
      );
      expect(engine.state.size).to.equal(4);
    },
  },
];

const gone: readonly Scenario[] = [
  ...WORDS.map((gateway): Scenario => ({
    title: `a service whose own 404 is another one (${gateway}): what no list has is gone, for refresh and for destroy`,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      await start(stage);
      const before = [...engine.state];
      world.remove(environmentId);
      sandbox.faults.add({ gateway, path: environmentId, times: Infinity });
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
      for (const [name, kept] of before) engine.state.set(name, kept);
      await engine.refresh();
      expect(engine.state.size).to.equal(0);
    },
  })),
  {
    title:
      "the service's own 404 needs one page of a list; another one needs one decision for many variables of an environment",
    fresh: true,
    async run({ engine, environmentId, sandbox, world, requests }) {
      const names = Array.from({ length: 9 }, (_, index) => `V${index}`);
      const program = Object.fromEntries(
        names.map((name) => [name, { type: "EnvVar", inputs: { environmentId, name, value: "1", hidden: false } }]),
      );
      await engine.up(program);
      const before = [...engine.state];
      world.remove(environmentId);
      requests();
      await engine.refresh();
      expect(requests()).to.deep.equal(["GET /env-vars", "GET /environment", LISTS]);
      for (const [name, kept] of before) engine.state.set(name, kept);
      sandbox.faults.add({ gateway: "page", path: environmentId, times: Infinity });
      await engine.refresh();
      expect(engine.state.size).to.equal(0);
      // Each list twice: what slips from one page to another must not be missed.
      expect(requests()).to.deep.equal(["GET /env-vars", "GET /environment", ...Array<string>(4).fill(LISTS)]);
    },
  },
  {
    title: "an environment that is marked as deleted is gone for its variables only when the service says 404 itself",
    async run({ engine, environmentId, sandbox, world }) {
      await engine.up(set(environmentId, { variables: { A: "1" } }));
      world.setFlags(environmentId, { deleted: true });
      sandbox.faults.add({ gateway: "page", label: "GET /env-vars" });
      expect((await failing(engine.refresh())).errors.join("\n")).to.match(FOREIGN_TEXT);
      expect(engine.state.size).to.equal(1);
      expect((await engine.refresh()).operations).to.deep.equal({ vars: "gone" });
    },
  },
];

const functions: readonly Scenario[] = WORDS.map((gateway) => ({
  title: `functions fail, and say what to check (${gateway})`,
  difference: { row: "functions", side: "native" },
  async run({ engine, environmentId, sandbox }) {
    sandbox.faults.add({ gateway, times: Infinity });
    for (const [name, args] of [
      ["getEnvironment", { id: environmentId }],
      ["getEnvironments", {}],
      ["getEnvVars", { environmentId }],
      ["getBuildHistory", { environmentId }],
      ["getBypassToken", { environmentId }],
    ] as const) {
      const failure: unknown = await engine.invoke(`previewenv:index:${name}`, args).catch((error: unknown) => error);
      expect(failure, name)
        .to.have.property("message")
        .that.matches(FOREIGN_TEXT)
        .and.not.matches(/<|Route/u);
    }
  },
}));

contract("a gateway answers 404: refresh", [...refused, passing, ...lists, ...gone, ...functions]);

importContract("a gateway answers 404", [
  {
    title: "what may exist is not called missing",
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ gateway: "page", times: Infinity });
      for (const [type, id] of [
        ["EnvVarSet", environmentId],
        ["EnvVar", `${environmentId}/A`],
        ["EnvironmentState", environmentId],
        ["EnvironmentBranches", environmentId],
      ] as const) {
        const text = (await failing(engine.import("one", type, id))).errors.join("\n");
        expect(text).to.match(FOREIGN_TEXT).and.not.contain("does not exist");
      }
    },
  },
]);
