import { expect } from "chai";
import { errorsOf, failing } from "../support/stack";
import { branches, contract, type Scenario, set, type Stage } from "../support/stage";
import type { FaultOptions } from "../../provider/src/sandbox";

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

const variables: readonly Scenario[] = (
  [
    [404, FOREIGN_TEXT],
    [302, /A redirect is not followed/u],
  ] as const
).map(([status, text]): Scenario => ({
  title: `what a PUT stored behind such a ${status} is in state by its name, and a destroy deletes it`,
  async run({ engine, environmentId, sandbox, values }) {
    const program = set(environmentId, { variables: { A: "1" } });
    sandbox.faults.add({ label: "PUT /env-vars", status, body: "<html>", acts: true });
    expect(await errorsOf(engine.up(program))).to.match(text);
    expect(engine.kept("vars").outputs["variables"]).to.have.all.keys("A");
    await engine.destroy();
    expect(values()).to.deep.equal({});
  },
}));

/** The body of an error, with a status that says success. */
const OVERLOADED = { status: 200, body: { data: [], errors: [{ status: 503, title: "Overloaded" }] } };

const builds: readonly Scenario[] = (["EnvironmentAction", "EnvironmentBranches", "SnapshotLoad"] as const).flatMap(
  (type) =>
    (
      [
        ["404", { gateway: "json" }, FOREIGN_TEXT],
        ["an error with status 200", OVERLOADED, /"Overloaded"/u],
      ] as const
    ).map(([what, answer, text]): Scenario => ({
      title: `${what} once to the POST of ${type}: it is not sent twice, and the next up asks for it again`,
      needsTime: true,
      async run({ engine, environmentId, sandbox, requests }) {
        const inputs = {
          EnvironmentAction: { environmentId, action: "rebuild" },
          EnvironmentBranches: { environmentId, branches: { web: "main" }, rebuildOn: ["1"] },
          SnapshotLoad: { environmentId, sequenceNumber: 3 },
        }[type];
        const fault = sandbox.faults.add({ ...answer, method: "POST" });
        requests();
        expect(await errorsOf(engine.up({ one: { type, inputs } }))).to.match(text);
        expect(requests().filter((label) => label.startsWith("POST"))).to.have.length(1);
        expect(fault.hits).to.equal(1);
        await engine.up({ one: { type, inputs } });
        expect(requests().filter((label) => label.startsWith("POST"))).to.have.length(1);
      },
    })),
);

contract("a gateway answers 404: create and update", [...variables, ...builds]);

const LEFT = { "app/db": "1", B: "2", C: "3" };

const single: readonly Scenario[] = [
  {
    title:
      "a proxy that answers 404 to %2F: the variable counts as there, every other one goes, and the next up finishes",
    async run({ engine, environmentId, sandbox, values, requests }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      const fault = sandbox.faults.add({ gateway: "empty", path: "%2F", times: Infinity });
      requests();
      const text = await errorsOf(engine.up(set(environmentId, { variables: { C: "3" } })));
      expect(requests()).to.have.members(["GET /env-vars", "DELETE /env-vars", "DELETE /env-vars", "GET /env-vars"]);
      expect(text)
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
  ...([{ gateway: "page" }, { status: 401 }] satisfies readonly FaultOptions[]).map((fault): Scenario => ({
    title: `what cannot be looked up (${JSON.stringify(fault)}) after such a 404 stays in state`,
    async run({ engine, environmentId, sandbox, values }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      sandbox.faults.add({ gateway: "json", label: "DELETE /env-vars", times: Infinity });
      // The read before the deletes is answered, the look after them is not.
      let reads = 0;
      const isLook = ({ label }: { readonly label: string }): boolean => label === "GET /env-vars" && reads++ > 0;
      const look = sandbox.faults.add({ ...fault, match: isLook, times: Infinity });
      expect(await errorsOf(engine.destroy())).to.match(
        /list of variables could not be read to see whether it is gone: Could not read/u,
      );
      expect(look.hits).to.equal(1);
      expect(engine.state.size).to.equal(1);
      expect(values()).to.deep.equal(LEFT);
    },
  })),
  {
    title: "a page with status 200 is no 204: a DELETE fails while the variable is there, and is done when it is not",
    async run({ engine, environmentId, sandbox, values }) {
      await engine.up(set(environmentId, { variables: LEFT }));
      const page = { status: 200, body: "<html>Please sign in</html>", contentType: "text/html" };
      sandbox.faults.add({ ...page, label: "DELETE /env-vars", times: 3 });
      const { errors } = await failing(engine.destroy());
      expect(errors.join("\n")).to.match(/not as documented: .+ The variable is still there\.$/mu);
      expect(errors.join("\n")).not.to.contain("sign in");
      expect(engine.state.size).to.equal(1);
      expect(values()).to.deep.equal(LEFT);
      sandbox.faults.add({ ...page, label: "DELETE /env-vars", times: 3, acts: true });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
];

contract("a gateway answers 404: destroy and DELETE", single);

/** The error for an address at which nothing but 404 is answered, in the API's own form. */
const ADDRESS =
  /^(?!.*does not exist).*Every request to http:\/\/127\.0\.0\.1:\d+ is answered with 404.+ Check previewenv:baseUrl/su;
const PAGE = { gateway: "page" } as const;

/** Where a 404 is answered for ever, and the texts of the errors. */
const places: readonly (readonly [string, (stage: Stage) => FaultOptions, readonly RegExp[]])[] = [
  [
    "everything",
    () => PAGE,
    [FOREIGN_TEXT, /list of environments could not be read to see whether it is gone: Could not list environments/u],
  ],
  [
    "the path of the environment",
    ({ environmentId }) => ({ ...PAGE, path: environmentId }),
    [FOREIGN_TEXT, /The list of environments has it/u],
  ],
  ["the path of its variables", () => ({ ...PAGE, path: "/env-vars" }), [FOREIGN_TEXT]],
  // A path too much in the address, or an API that is switched off.
  ["every route, in the form of the API", () => ({ status: 404 }), [ADDRESS]],
];

const refused: readonly Scenario[] = places.map(([where, faultOf, texts]) => ({
  title: `404 for ever to ${where}: a refresh fails, and takes nothing out of state`,
  // A process that has had a list once believes the service's 404 from then on.
  fresh: true,
  async run(stage) {
    const { engine, sandbox } = stage;
    await start(stage);
    const before = [...engine.state];
    const fault = faultOf(stage);
    sandbox.faults.add({ ...fault, times: Infinity });
    const { errors, operations } = await failing(engine.refresh());
    expect(Object.values(operations)).not.to.include("gone");
    expect([...engine.state]).to.deep.equal(before);
    expect(errors).to.have.length(fault.path === "/env-vars" ? 2 : 4);
    for (const error of errors) {
      expect(error).not.to.match(/<|Route/u);
      for (const text of texts) expect(error).to.match(text);
    }
    sandbox.faults.clear();
    await engine.refresh();
    await holdsAll(stage);
  },
}));

const gone: readonly Scenario[] = [
  {
    title: "a service whose own 404 is another one: what no list has is gone, for refresh and for destroy",
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      await start(stage);
      const before = [...engine.state];
      world.remove(environmentId);
      sandbox.faults.add({ gateway: "empty", path: environmentId, times: Infinity });
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
      for (const [name, kept] of before) engine.state.set(name, kept);
      await engine.refresh();
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "an environment that the list does not have is gone, and a warning says that the token may be another one's",
    fresh: true,
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
  {
    title: "an environment that is marked as deleted is gone for its variables only when the service says 404 itself",
    async run({ engine, environmentId, sandbox, world }) {
      await engine.up(set(environmentId, { variables: { A: "1" } }));
      world.setFlags(environmentId, { deleted: true });
      sandbox.faults.add({ gateway: "page", label: "GET /env-vars" });
      expect(await errorsOf(engine.refresh())).to.match(FOREIGN_TEXT);
      expect(engine.state.size).to.equal(1);
      expect((await engine.refresh()).operations).to.deep.equal({ vars: "gone" });
    },
  },
];

contract("a gateway answers 404: refresh", [...refused, ...gone]);

contract("a gateway answers 404: import", [
  {
    title: "what may exist is not called missing",
    difference: { row: "Import", side: "native" },
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ gateway: "page", times: Infinity });
      for (const [type, id] of [
        ["EnvVarSet", environmentId],
        ["EnvVar", `${environmentId}/A`],
        ["EnvironmentState", environmentId],
        ["EnvironmentBranches", environmentId],
      ] as const) {
        const text = await errorsOf(engine.import("one", type, id));
        expect(text).to.match(FOREIGN_TEXT).and.not.contain("does not exist");
      }
    },
  },
]);
