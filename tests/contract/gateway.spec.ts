import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, set, type Stage } from "../support/stage";
import type { FaultOptions, GatewayWords } from "../../provider/src/sandbox";

const LISTS = "GET /environments";
/** The text of the error for an undocumented 404 answer. */
const FOREIGN_TEXT = /the answer is 404, but not the documented one .+ check previewenv:baseUrl/u;

/** A program with a resource of each type that reads something. */
function every(environmentId: string) {
  const one = { environmentId, name: "ONE", value: "1", hidden: false };
  return {
    ...set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b-1234" } }),
    one: { type: "EnvVar", inputs: one },
    ...branches(environmentId, { branches: { web: "main" }, onDestroy: "restore" }),
    power: { type: "EnvironmentState", inputs: { environmentId, state: "running" } },
  } as const;
}

/** Everything is deployed. */
async function start({ engine, environmentId }: Stage): Promise<void> {
  await engine.up(every(environmentId));
}

/** Nothing is missing, on the service or in state: an `up` has nothing to do. */
async function holdsAll({ engine, environmentId, values }: Stage): Promise<void> {
  expect(values()).to.deep.equal({ A: "1", B: "secret-b-1234", ONE: "1" });
  expect(Object.values((await engine.up(every(environmentId))).operations)).to.deep.equal(Array(4).fill("same"));
}

const variables: readonly Scenario[] = [
  ...(["page", "empty", "json"] as const).map((gateway): Scenario => ({
    title: `404 for ever to everything (${gateway}): a create leaves nothing in state, an update every name`,
    async run({ engine, environmentId, sandbox, values }) {
      const before = set(environmentId, { variables: { A: "1", GOES: "1" }, secrets: { B: "secret-b-1234" } });
      const fault = sandbox.faults.add({ gateway, times: Infinity });
      const created = await failing(engine.up(before));
      expect(created.errors.join("\n")).to.match(FOREIGN_TEXT);
      expect(engine.state.size).to.equal(0);
      fault.remove();
      await engine.up(before);
      sandbox.faults.add({ gateway, times: Infinity });
      const after = set(environmentId, { variables: { A: "2" }, secrets: { B: "secret-b-5678" } });
      const { errors } = await failing(engine.up(after));
      expect(errors.join("\n"))
        .to.match(FOREIGN_TEXT)
        .and.not.match(/<|Route|secret-b/u);
      // Nobody could say whether the PUT came through: what it was about stays known by name.
      expect(engine.kept("vars").outputs).to.have.nested.property("variables").that.has.all.keys("A", "GOES");
      expect(engine.kept("vars").outputs).to.have.nested.property("secrets").that.has.all.keys("B");
      expect(values()).to.deep.equal({ A: "1", GOES: "1", B: "secret-b-1234" });
      sandbox.faults.clear();
      await engine.up(after);
      expect(values()).to.deep.equal({ A: "2", B: "secret-b-5678" });
    },
  })),
  {
    title: "what a PUT stored behind such a 404 is in state by its name, and a destroy deletes it",
    async run({ engine, environmentId, sandbox, values }) {
      const program = set(environmentId, { variables: { A: "1" } });
      sandbox.faults.add({ label: "PUT /env-vars", status: 404, body: "<html>", acts: true });
      expect((await failing(engine.up(program))).errors.join("\n")).to.match(FOREIGN_TEXT);
      expect(engine.kept("vars").outputs["variables"]).to.have.all.keys("A");
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
];

const builds: readonly Scenario[] = [
  {
    title:
      "a router whose 404 for a method is not the service's: the environment is there, so the other method is tried",
    async run({ engine, environmentId, sandbox, world, requests }) {
      const program = (web: string) => branches(environmentId, { branches: { web } });
      sandbox.faults.add({ gateway: "page", label: "PATCH /environment", times: Infinity });
      requests();
      await engine.up(program("feature/x"));
      expect(requests()).to.include.members(["PATCH /environment", "POST /environment"]);
      expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/x");
      expect(world.builds(environmentId)).to.have.length(2);
    },
    fresh: true,
  },
  ...(["EnvironmentAction", "EnvironmentBranches", "SnapshotLoad"] as const).map((type): Scenario => ({
    title: `404 once to the POST of ${type}: it is not sent twice, and the next up asks for it again`,
    needsTime: true,
    async run({ engine, environmentId, sandbox, requests }) {
      const inputs = {
        EnvironmentAction: { environmentId, action: "rebuild" },
        EnvironmentBranches: { environmentId, branches: { web: "main" }, rebuildOn: ["1"] },
        SnapshotLoad: { environmentId, sequenceNumber: 3 },
      }[type];
      const fault = sandbox.faults.add({ gateway: "json", method: "POST" });
      requests();
      const { errors } = await failing(engine.up({ one: { type, inputs } }));
      expect(errors.join("\n")).to.match(FOREIGN_TEXT);
      expect(requests().filter((label) => label.startsWith("POST"))).to.have.length(1);
      expect(fault.hits).to.equal(1);
      await engine.up({ one: { type, inputs } });
      expect(requests().filter((label) => label.startsWith("POST"))).to.have.length(1);
    },
  })),
];

contract("a gateway answers 404: create and update", [...variables, ...builds]);

const LEFT = { "app/db": "1", B: "2", C: "3" };

const destroys: readonly Scenario[] = (["page", "empty", "json"] as const).map((gateway): Scenario => ({
  title: `404 for ever to everything (${gateway}): a destroy fails, and what it has not deleted stays in state`,
  async run(stage) {
    const { engine, environmentId, sandbox, values, world } = stage;
    await start(stage);
    world.switchBranch(environmentId, "web", "feature/x", { build: false });
    const fault = sandbox.faults.add({ gateway, times: Infinity });
    const { errors } = await failing(engine.destroy());
    expect(errors).to.have.length(3);
    for (const error of errors)
      expect(error)
        .to.match(FOREIGN_TEXT)
        .and.not.match(/<|Route|secret-b/u);
    // An EnvironmentState changes nothing on the service when it goes.
    expect([...engine.state.keys()]).to.deep.equal(["vars", "one", "deployed"]);
    fault.remove();
    world.switchBranch(environmentId, "web", "main", { build: false });
    await engine.up(every(environmentId));
    await holdsAll(stage);
    await engine.destroy();
    expect(values()).to.deep.equal({});
  },
}));

const single: readonly Scenario[] = [
  {
    title:
      "a proxy that answers 404 to %2F: the variable counts as there, every other one goes, and the next up finishes",
    async run({ engine, environmentId, sandbox, values, requests }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      const fault = sandbox.faults.add({ gateway: "empty", path: "%2F", times: Infinity });
      requests();
      const { errors } = await failing(engine.up(set(environmentId, { variables: { C: "3" } })));
      expect(requests()).to.have.members(["GET /env-vars", "DELETE /env-vars", "DELETE /env-vars", "GET /env-vars"]);
      expect(errors.join("\n"))
        .to.match(FOREIGN_TEXT)
        .and.match(/^ {2}app\/db: .+ The variable is still there\.$/mu);
      expect(values()).to.deep.equal({ "app/db": "1", C: "3" });
      expect((await failing(engine.destroy())).errors).to.have.length(1);
      expect(values()).to.deep.equal({ "app/db": "1" });
      fault.remove();
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  ...([{ gateway: "page" }, { status: 500 }, { status: 401 }] satisfies readonly FaultOptions[]).map(
    (fault): Scenario => ({
      title: `what cannot be looked up (${JSON.stringify(fault)}) after such a 404 stays in state`,
      async run({ engine, environmentId, sandbox, values }) {
        await engine.up(set(environmentId, { variables: LEFT }));
        sandbox.faults.add({ gateway: "json", label: "DELETE /env-vars", times: Infinity });
        // The read before the deletes is answered, the look after them is not.
        let reads = 0;
        const isLook = ({ label }: { readonly label: string }): boolean => label === "GET /env-vars" && reads++ > 0;
        const look = sandbox.faults.add({ ...fault, match: isLook, times: Infinity });
        const { errors } = await failing(engine.destroy());
        expect(errors.join("\n")).to.match(
          /list of variables could not be read to see whether it is gone: Could not read/u,
        );
        expect(look.hits).to.equal(1);
        expect(engine.state.size).to.equal(1);
        expect(values()).to.deep.equal(LEFT);
      },
    }),
  ),
  ...(
    [
      ["a page with status 200", { status: 200, body: "<html>Please sign in</html>", contentType: "text/html" }],
      ["an empty 200", { status: 200, body: "" }],
      ["a 202 with JSON of its own", { status: 202, body: { message: "maintenance" } }],
    ] satisfies readonly (readonly [string, FaultOptions])[]
  ).map(([what, fault]): Scenario => ({
    title: `${what} is no 204: a DELETE fails while the variable is there, and is done when it is not`,
    async run({ engine, environmentId, sandbox, values }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      sandbox.faults.add({ ...fault, label: "DELETE /env-vars", times: 3 });
      const { errors } = await failing(engine.destroy());
      expect(errors.join("\n")).to.match(/not as documented: .+ The variable is still there\.$/mu);
      expect(errors.join("\n")).not.to.match(/sign in|maintenance/u);
      expect(engine.state.size).to.equal(1);
      expect(values()).to.deep.equal(LEFT);
      sandbox.faults.add({ ...fault, label: "DELETE /env-vars", times: 3, acts: true });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  })),
];

contract("a gateway answers 404: destroy and DELETE", [...destroys, ...single]);

const WORDS: readonly GatewayWords[] = ["page", "empty", "json"];

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

contract("a gateway answers 404: refresh", [...refused, ...gone]);

contract("a gateway answers 404: import", [
  {
    title: "what may exist is not called missing",
    difference: { row: "import", side: "native" },
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

/** The error for an address at which nothing but 404 is answered, in the API's own form. */
const ADDRESS = /Every request to http:\/\/127\.0\.0\.1:\d+ is answered with 404.+ check previewenv:baseUrl/u;

/** From now on every route answers 404 in the API's own form: a path too much in the address, or an API that is switched off. */
function everyRoute({ sandbox }: Stage): { remove(): void } {
  return sandbox.faults.add({ status: 404, times: Infinity });
}

const wrong: readonly Scenario[] = [
  {
    title: "a refresh keeps everything, and says which address it is",
    async run(stage) {
      const { engine } = stage;
      await start(stage);
      const fault = everyRoute(stage);
      const { errors, operations } = await failing(engine.refresh());
      expect(errors).to.have.length(4);
      for (const error of errors)
        expect(error)
          .to.match(ADDRESS)
          .and.not.match(/does not exist/u);
      expect(Object.values(operations)).not.to.include("gone");
      fault.remove();
      await engine.refresh();
      await holdsAll(stage);
    },
  },
  {
    title: "only the list is missing: what answers 404 is not gone either",
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      await start(stage);
      world.remove(environmentId);
      sandbox.faults.add({ label: LISTS, status: 404, times: Infinity });
      const refreshed = await failing(engine.refresh());
      expect(refreshed.errors).to.have.length(4);
      for (const error of refreshed.errors) expect(error).to.match(ADDRESS);
      sandbox.faults.clear();
      sandbox.faults.add({ label: LISTS, status: 500, times: Infinity });
      expect((await failing(engine.destroy())).errors.join("\n")).to.match(
        /404.+ could not be read to see whether it is gone: Could not list environments/u,
      );
      expect(engine.state.size).to.equal(3);
    },
  },
  {
    title: "an environment that the list does not have is gone, and a warning says that the token may be another one's",
    async run(stage) {
      const { engine, environmentId, world, log } = stage;
      await start(stage);
      world.remove(environmentId);
      await engine.destroy();
      const warning = await log.until(/does not exist \(any more\).+the token belongs to another organization/u);
      expect(warning).to.include({ severity: "warning" });
      expect(log.lines.filter(({ text }) => text === warning.text)).to.have.length(1);
    },
  },
];

// A process that has had a list once believes the service's 404 from then on.
contract(
  "every route answers 404",
  wrong.map((scenario) => ({ ...scenario, fresh: true })),
);
