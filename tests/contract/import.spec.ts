import { expect } from "chai";
import { findResource } from "../../provider/src/resources";
import { existing } from "../../sdk/nodejs/runtime/existing";
import type { Program } from "../support/engine-steps";
import { errorsOf, failing, quiet } from "../support/stack";
import { branches, contract, type Scenario, set, type Stage } from "../support/stage";
import { type Properties, SIGNATURE } from "../../provider/src/framework/properties";

/** Variables of an environment that nobody has declared yet. */
const LIVE = [
  { name: "LOG_LEVEL", value: "debug", hidden: false },
  { name: "EMPTY", value: "", hidden: false },
  { name: "TOKEN", value: "s3cr3t-token-abcdef", hidden: true },
  { name: "DATABASE_URL", value: "postgres://user:pass@db/shop", hidden: true },
];

/** Only the native plugin can import: docs/hosts.md. */
function importContract(topic: string, scenarios: readonly Scenario[]): void {
  contract(
    `import, ${topic}`,
    scenarios.map((scenario): Scenario => ({ ...scenario, difference: { row: "Import", side: "native" } })),
  );
}

const WRITES = /^(?:PUT|POST|PATCH|DELETE) /u;

/** What the engine prints after an import: resources with the inputs of state. */
function generated({ engine }: Stage): Program {
  return Object.fromEntries([...engine.state].map(([name, { type, inputs }]) => [name, { type, inputs }]));
}

/** The program that an import prints changes nothing, not even after a refresh. */
async function expectQuiet(stage: Stage): Promise<void> {
  const { engine, requests } = stage;
  const program = generated(stage);
  const names = [...engine.state.keys()];
  requests();
  await quiet(engine.up(program));
  expect(requests()).to.deep.equal([]);
  const refreshed = await engine.refresh();
  expect(refreshed.paths).to.deep.equal(Object.fromEntries(names.map((name) => [name, []])));
  expect(requests().filter((label) => WRITES.test(label))).to.deep.equal([]);
  await quiet(engine.up(program));
  expect(requests()).to.deep.equal([]);
}

const environments: readonly Scenario[] = [
  {
    title: "a live environment, imported into a fresh stack: `up` of the printed program changes nothing",
    onHosts: true,
    environment: { variables: LIVE.map((one) => ({ ...one, services: ["worker", "web"] })) },
    async run(stage) {
      const { engine, environmentId: id, requests } = stage;
      for (const [name, type, given] of [
        ["vars", "EnvVarSet", id],
        ["deployed", "EnvironmentBranches", id],
        ["running", "EnvironmentState", id],
      ] as const)
        await engine.import(name, type, given);
      expect(requests().filter((label) => WRITES.test(label))).to.deep.equal([]);
      expect(engine.kept("vars").inputs).to.deep.include({
        environmentId: id,
        services: ["web", "worker"],
        variables: { LOG_LEVEL: "debug", EMPTY: "" },
      });
      expect(Object.keys(engine.kept("vars").inputs).toSorted()).to.deep.equal([
        "environmentId",
        "secrets",
        "services",
        "variables",
      ]);
      expect(engine.kept("deployed").inputs).to.deep.equal({
        environmentId: id,
        branches: { web: "main", api: "main" },
      });
      expect(engine.kept("deployed").outputs).to.deep.include({ originalBranches: { web: "main", api: "main" } });
      expect(engine.kept("running").inputs).to.deep.equal({ environmentId: id, state: "running" });
      await expectQuiet(stage);
    },
  },
  ...["stopped", "retired", "deleted"].map((flag): Scenario => ({
    title: `a ${flag} environment is a stopped one, and no reason to write`,
    environment: { [flag]: true },
    async run(stage) {
      const { engine, environmentId } = stage;
      await engine.import("running", "EnvironmentState", environmentId);
      expect(engine.kept("running").inputs).to.deep.equal({ environmentId, state: "stopped" });
      await expectQuiet(stage);
    },
  })),
  {
    title: "branches that Check would refuse are not imported, and a warning says why",
    environment: {
      projects: [
        { repoName: "web", branch: "main\n" },
        { repoName: "w\u0085b", branch: "main" },
        { repoName: "api", branch: "main" },
      ],
    },
    async run(stage) {
      const { engine, environmentId, log } = stage;
      await engine.import("deployed", "EnvironmentBranches", environmentId);
      const { text } = await log.until(/not imported, and as it is: /u);
      expect(text).to.match(/"web", because it has a branch .*; "w\\u\{85\}b", because it has a name/u);
      expect(engine.kept("deployed").inputs["branches"]).to.deep.equal({ api: "main" });
      await expectQuiet(stage);
    },
  },
  {
    title:
      "the branches of an environment with two repositories of one name are not imported: the error names both owners",
    environment: { projects: ["acme", "partner"].map((orgName) => ({ orgName, repoName: "web", branch: "main" })) },
    async run({ engine, environmentId }) {
      expect(await errorsOf(engine.import("deployed", "EnvironmentBranches", environmentId))).to.match(
        /"web", because it is in one environment with acme\/web and partner\/web/u,
      );
      expect(engine.state.size).to.equal(0);
    },
  },
];

const variables: readonly Scenario[] = [
  {
    title: "hidden values are left to the service as `existing()`, and one warning names the variables",
    environment: { variables: LIVE },
    async run({ engine, environmentId, log }) {
      await engine.import("vars", "EnvVarSet", environmentId);
      const { secrets } = engine.kept("vars").inputs;
      expect(secrets).to.deep.equal({ DATABASE_URL: existing(), TOKEN: existing() });
      await log.until(/DATABASE_URL, TOKEN/u);
      const warnings = log.lines.filter(({ severity }) => severity === "warning");
      expect(warnings).to.have.length(1);
      expect(warnings[0]?.text).to.contain("(outside TypeScript: the text `previewenv:existing:v1`) for them.");
      expect(warnings[0]?.text).to.contain("To manage the values in the program, declare them there");
    },
  },
  {
    title: "the set owns what it imported: a name that the program drops is deleted, others are left",
    environment: { variables: [...LIVE, { name: "A,B", value: "x", hidden: false }] },
    async run({ engine, environmentId, requests, values }) {
      const id = `${environmentId}?names=LOG_LEVEL,A%2CB`;
      await engine.import("vars", "EnvVarSet", id);
      expect(engine.kept("vars").id).to.equal(environmentId);
      expect(engine.kept("vars").inputs["variables"]).to.deep.equal({ "A,B": "x", LOG_LEVEL: "debug" });
      requests();
      await engine.up(set(environmentId, { variables: { LOG_LEVEL: "debug" } }));
      expect(requests()).to.deep.equal(["GET /env-vars", "DELETE /env-vars"]);
      expect(Object.keys(values()).toSorted()).to.deep.equal(["DATABASE_URL", "EMPTY", "LOG_LEVEL", "TOKEN"]);
    },
  },
  {
    title: "one variable: visible, hidden, and the program that is printed changes nothing",
    environment: { variables: [...LIVE, { name: "A/B", value: "x", hidden: false, services: ["worker", "web"] }] },
    async run(stage) {
      const { engine, environmentId, log } = stage;
      for (const name of ["TOKEN", "A/B"]) await engine.import(name, "EnvVar", `${environmentId}/${name}`);
      expect(engine.kept("A/B").inputs).to.deep.equal({
        environmentId,
        name: "A/B",
        value: "x",
        hidden: false,
        services: ["web", "worker"],
      });
      expect(engine.kept("A/B").outputs).to.have.keys(
        "environmentId name value hidden services onConflict variableId createdAt updatedAt".split(" "),
      );
      expect(Object.keys(engine.kept("TOKEN").inputs)).to.have.members(["environmentId", "name", "value"]);
      await log.until(/TOKEN/u);
      await expectQuiet(stage);
      const program = { TOKEN: { type: "EnvVar", inputs: { environmentId, name: "TOKEN", value: "declared" } } };
      expect((await engine.up({ ...generated(stage), ...program })).operations).to.deep.equal({
        "A/B": "same",
        TOKEN: "update",
      });
      expect(stage.values()).to.deep.include({ TOKEN: "declared" });
    },
  },
  {
    title: "variables of different scopes are one set: `services` is the commonest scope, of several the one for all",
    environment: {
      variables: [
        { name: "A", value: "1", hidden: false, services: ["web"] },
        { name: "B&C", value: "2", hidden: false, services: ["web", "api"] },
        { name: "D", value: "3", hidden: false, services: ["api", "web"] },
        { name: "E", value: "4", hidden: false, services: ["web"] },
        { name: "F", value: "5", hidden: false },
      ],
    },
    async run(stage) {
      const { engine, environmentId: id } = stage;
      await engine.import("vars", "EnvVarSet", id);
      expect(engine.kept("vars").inputs).to.deep.include({
        services: ["api", "web"],
        scopes: { A: ["web"], E: ["web"], F: [] },
      });
      await expectQuiet(stage);
      await engine.import("some", "EnvVarSet", `${id}?names=A,F,E`);
      expect(engine.kept("some").inputs).to.deep.include({ services: ["web"], scopes: { F: [] } });
      await engine.import("two", "EnvVarSet", `${id}?names=A,F`);
      expect(engine.kept("two").inputs).to.deep.include({ scopes: { A: ["web"] } });
    },
  },
];

const option: readonly Scenario[] = [
  {
    title: "resource option `import`: what differs is written in the same run",
    environment: { variables: LIVE },
    async run({ engine, environmentId, puts, values }) {
      const secrets = { TOKEN: "s3cr3t-token-abcdef", DATABASE_URL: "postgres://user:pass@db/shop" };
      const { vars } = set(environmentId, { variables: { LOG_LEVEL: "debug", EMPTY: "" }, secrets });
      const program = { vars: { ...vars, import: environmentId } };
      await engine.up(program);
      expect(puts()).to.deep.equal([["DATABASE_URL", "TOKEN"]]);
      expect(values()).to.deep.include(secrets);
      await quiet(engine.up(program));
    },
  },
];

importContract("environments", environments);
importContract("variables", variables);
importContract("resource option", option);

const UUID = "4e1b6b5e-8c1d-4f0e-9d55-0f5d7a3c2b10";
const SET_FORM = "<environmentId> or <environmentId>?names=A,B";
const malformed: readonly (readonly [type: string, id: string, form: string])[] = [
  ["EnvVarSet", "shop", SET_FORM],
  ["EnvVarSet", "", SET_FORM],
  ["EnvVarSet", `${UUID}/A`, SET_FORM],
  ["EnvVarSet", `${UUID}?`, SET_FORM],
  ["EnvVarSet", `${UUID}?names=`, SET_FORM],
  ["EnvVarSet", `${UUID}?names=A,,B`, SET_FORM],
  ["EnvVarSet", `${UUID}?names=A&prune=true`, SET_FORM],
  ["EnvVarSet", `${UUID}?name=A`, SET_FORM],
  ["EnvVarSet", `${UUID}?names=%E0%A4%A`, SET_FORM],
  ["EnvVar", UUID, "<environmentId>/<NAME>"],
  ["EnvVar", `${UUID}/`, "<environmentId>/<NAME>"],
  ["EnvVar", `${UUID}/..`, "<environmentId>/<NAME>"],
  ["EnvVar", "shop/A", "<environmentId>/<NAME>"],
  ["EnvVar", "/A", "<environmentId>/<NAME>"],
  ["EnvVar", "x", "<environmentId>/<NAME>"],
  ["EnvironmentBranches", `${UUID}?names=A`, "<environmentId>"],
  ["EnvironmentBranches", "shop", "<environmentId>"],
  ["EnvironmentState", `${UUID}/x`, "<environmentId>"],
];

const refusals: readonly Scenario[] = [
  {
    title:
      "a malformed id of an import or a `get` is refused before any request, and the error shows it whole, and the form",
    async run({ engine, requests }) {
      for (const [type, id, form] of malformed) {
        const { errors } = await failing(engine.import("one", type, id));
        expect(errors, `${type} ${id}`).to.have.length(1);
        expect(errors[0]?.startsWith(`cannot read ${JSON.stringify(id)}: `), errors[0]).to.equal(true);
        if (/names=$|,,|\/$/u.test(id)) expect(errors[0]).to.contain(": the name of a variable is missing.");
        expect(errors[0]?.endsWith(`The id is ${form}.`), errors[0]).to.equal(true);
        const looked: unknown = await engine.get(type, id).catch((error: unknown) => error);
        expect(String(looked)).to.contain(errors[0]);
      }
      expect(requests()).to.deep.equal([]);
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "variables that no program can declare are left out of a whole environment, with a warning that names them",
    environment: { variables: [{ name: "A", value: "1", hidden: false }] },
    async run({ engine, environmentId, world, log }) {
      for (const name of ["", "..", "a\nb", "__proto__", SIGNATURE, "half \ud83c"])
        world.setVariable(environmentId, { name, value: "1", hidden: false });
      world.setVariable(environmentId, { name: "HALF", value: "half \ud83c", hidden: false });
      world.setVariable(environmentId, { name: "NAMELESS", value: "1", hidden: false, services: ["", "web"] });
      world.setVariable(environmentId, { name: "SCOPED", value: "1", hidden: false, services: ["web\n"] });
      await engine.import("vars", "EnvVarSet", environmentId);
      expect(engine.kept("vars").inputs["variables"]).to.deep.equal({ A: "1" });
      expect(log.lines.map(({ text }) => text).join("\n")).to.contain(
        `"", "..", "${SIGNATURE}", "HALF", "NAMELESS", "SCOPED", "__proto__", "a\\u{a}b", "half \\u{d83c}"`,
      );
      await engine.destroy();
      expect(world.variables(environmentId)).to.have.length(9);
    },
  },
  {
    title: "a variable that is named and that no program can declare, or that the environment lacks, is refused",
    async run({ engine, environmentId, world }) {
      world.setVariable(environmentId, { name: "HALF", value: "never-shown \ud83c", hidden: false });
      world.setVariable(environmentId, { name: "SCOPED", value: "1", services: ["web\n"] });
      for (const [type, id, text] of [
        ["EnvVarSet", `${environmentId}?names=NO,SCOPED,NEITHER`, /has no variables NEITHER, NO of its own/u],
        [
          "EnvVar",
          `${environmentId}/HALF`,
          /HALF, because no program can declare it: value contains an unpaired surrogate/u,
        ],
        [
          "EnvVar",
          `${environmentId}/SCOPED`,
          /SCOPED, because no program can declare it: services\.0 must not have a control/u,
        ],
        [
          "EnvVarSet",
          `${environmentId}?names=SCOPED`,
          /SCOPED, because no program can declare it: services\.0 must not have a control/u,
        ],
      ] as const)
        expect(await errorsOf(engine.import("one", type, id)))
          .to.match(text)
          .and.not.contain("never-shown");
      expect(engine.state.size).to.equal(0);
    },
  },
  ...(["404", "200"] as const).map((deletedEnvironmentVariables): Scenario => ({
    title: `what does not exist is not found; variables of a deleted environment answer ${deletedEnvironmentVariables}`,
    choices: { deletedEnvironmentVariables },
    async run({ engine, environmentId, world }) {
      expect(await errorsOf(engine.import("one", "EnvVar", `${environmentId}/NONE`))).to.contain("does not exist");
      world.setFlags(environmentId, { deleted: true });
      const running = engine.import("vars", "EnvVarSet", environmentId);
      if (deletedEnvironmentVariables === "200") await running;
      else expect(await errorsOf(running)).to.contain("does not exist");
      await engine.import("state", "EnvironmentState", environmentId);
      await engine.import("deployed", "EnvironmentBranches", environmentId);
      world.remove(environmentId);
      for (const type of ["EnvVarSet", "EnvironmentState", "EnvironmentBranches"])
        expect(await errorsOf(engine.import("two", type, environmentId))).to.contain("does not exist");
    },
  })),
];

importContract("refusals", refusals);
const MINUTE_MS = 60_000;

/** The revision of a set that the program only looks at. Time passes before. */
async function revision({ engine, clock }: Stage, id: string, given: Properties = {}): Promise<string> {
  clock.advance(MINUTE_MS);
  const { revision: found } = await engine.get("EnvVarSet", id, given);
  expect(found)
    .to.be.a("string")
    .and.match(/^[0-9a-f-]{32,36}$/u);
  return String(found);
}

const edits: readonly (readonly [what: string, edit: (stage: Stage) => void])[] = [
  ["a variable comes", ({ world, environmentId }) => world.setVariable(environmentId, { name: "NEW", value: "1" })],
  ["a variable goes", ({ world, environmentId }) => void world.deleteVariable(environmentId, "EMPTY")],
  [
    "a visible value changes",
    ({ world, environmentId }) => world.setVariable(environmentId, { name: "EMPTY", value: "x", hidden: false }),
  ],
  [
    "a hidden value changes behind the same mask",
    ({ world, environmentId }) => world.setVariable(environmentId, { name: "TOKEN", value: "s3cr3t-other-abcdef" }),
  ],
];

const sets: readonly Scenario[] = [
  {
    title: "a set that is only looked up has the same revision at each look, however it is asked for",
    onHosts: true,
    environment: { variables: LIVE },
    async run(stage) {
      const { environmentId } = stage;
      const first = await revision(stage, environmentId);
      expect(await revision(stage, environmentId)).to.equal(first);
      const names = `${environmentId}?names=TOKEN,EMPTY`;
      const some = await revision(stage, names);
      expect(some).not.to.equal(first);
      expect(await revision(stage, `${environmentId}?names=EMPTY,TOKEN`)).to.equal(some);
      const given = { environmentId, variables: { EMPTY: "any" }, secrets: { TOKEN: "any" } };
      expect(await revision(stage, environmentId, given)).to.equal(some);
    },
  },
  ...edits.map(([what, edit]): Scenario => ({
    title: `its revision is another one once ${what}`,
    environment: { variables: LIVE },
    async run(stage) {
      const first = await revision(stage, stage.environmentId);
      const other = await revision(stage, `${stage.environmentId}?names=LOG_LEVEL`);
      edit(stage);
      expect(await revision(stage, stage.environmentId)).not.to.equal(first);
      expect(await revision(stage, `${stage.environmentId}?names=LOG_LEVEL`)).to.equal(other);
    },
  })),
];

const others: readonly Scenario[] = [
  {
    title: "every output of a resource that is only looked up is the same at each look, and nothing is written",
    environment: { variables: LIVE },
    async run({ engine, environmentId, clock, requests }) {
      const state = { state: "stopped", processing: true };
      for (const [type, id, given] of [
        ["EnvVarSet", environmentId, {}],
        ["EnvVarSet", environmentId, set(environmentId, { secrets: { TOKEN: "x" } }).vars.inputs],
        ["EnvVar", `${environmentId}/TOKEN`, {}],
        ["EnvVar", `${environmentId}/TOKEN`, { environmentId, name: "TOKEN", value: "s3cr3t-token-abcdef" }],
        ["EnvVar", `${environmentId}/LOG_LEVEL`, { environmentId, name: "LOG_LEVEL", value: "x", hidden: false }],
        ["EnvironmentBranches", environmentId, {}],
        ["EnvironmentBranches", environmentId, branches(environmentId, { branches: { web: "x" } }).deployed.inputs],
        ["EnvironmentState", environmentId, {}],
        ["EnvironmentState", environmentId, { environmentId, ...state }],
      ] as const) {
        const first = await engine.get(type, id, given);
        clock.advance(MINUTE_MS);
        expect(await engine.get(type, id, given), `${type} ${JSON.stringify(given)}`).to.deep.equal(first);
      }
      expect(requests().filter((label) => !label.startsWith("GET "))).to.deep.equal([]);
      const running = await engine.get("EnvironmentState", environmentId, { environmentId, ...state });
      expect(running).to.deep.include({ state: "running", processing: false });
    },
  },
  {
    title: "what is only looked up is refreshed, whatever the program has given",
    onHosts: true,
    environment: { variables: LIVE },
    async run({ engine, environmentId }) {
      const all = { environmentId, onConflict: "fail" };
      const program = {
        set: { type: "EnvVarSet", inputs: {}, lookUp: environmentId },
        some: { type: "EnvVarSet", inputs: { ...all, secrets: { TOKEN: "x" } }, lookUp: environmentId },
        one: { type: "EnvVar", inputs: {}, lookUp: `${environmentId}/TOKEN` },
        given: {
          type: "EnvVar",
          inputs: { ...all, name: "TOKEN", value: "x", hidden: true },
          lookUp: `${environmentId}/TOKEN`,
        },
        branches: { type: "EnvironmentBranches", inputs: {}, lookUp: environmentId },
        declared: {
          type: "EnvironmentBranches",
          inputs: { environmentId, branches: { web: "x" }, onDestroy: "restore" },
          lookUp: environmentId,
        },
        // With all defaults, as Check leaves them.
        full: {
          type: "EnvVarSet",
          inputs: { ...all, variables: { LOG_LEVEL: "x" }, prune: false },
          lookUp: environmentId,
        },
        built: {
          type: "EnvironmentBranches",
          inputs: { environmentId, branches: { web: "x" }, ...findResource("EnvironmentBranches").defaults },
          lookUp: environmentId,
        },
        state: { type: "EnvironmentState", inputs: { timeoutSeconds: 60 }, lookUp: environmentId },
      };
      await engine.up(program);
      const refreshed = Object.fromEntries(Object.keys(program).map((name) => [name, "refresh"]));
      const looked = engine.kept("set").inputs;
      expect(await engine.refresh()).to.deep.include({ errors: [], operations: refreshed });
      // With those that are found, Pulumi would show all of them as removed.
      expect(engine.kept("set").inputs).to.deep.equal(looked);
      expect(await engine.up(program, { refresh: true })).to.deep.include({ errors: [] });
    },
  },
  {
    title: "a variable that a `get` names is not deleted by the resource that had it",
    onHosts: true,
    async run({ engine, environmentId, world, log }) {
      await engine.up({
        set: { type: "EnvVarSet", inputs: { environmentId, variables: { A: "1", B: "2" } } },
        one: { type: "EnvVar", inputs: { environmentId, name: "C", value: "3" } },
        giver: { type: "EnvVarSet", inputs: { environmentId, variables: { D: "4" } } },
      });
      await engine.up({
        taker: { type: "EnvVarSet", inputs: { environmentId, variables: { D: "4" } } },
        moved: { type: "EnvVar", inputs: {}, lookUp: `${environmentId}/D` },
        seen: { type: "EnvVarSet", inputs: {}, lookUp: `${environmentId}?names=A` },
        single: { type: "EnvVar", inputs: {}, lookUp: `${environmentId}/C` },
      });
      expect(world.variables(environmentId).map(({ name }) => name)).to.have.members(["A", "C", "D"]);
      await log.until(
        /not deleted, because another resource of the program, or the replacement of this one, declares it now: D$/u,
      );
      expect(await log.until(/: C not deleted, because the program looks at it with `get`\./u)).to.include({
        severity: "warning",
      });
    },
  },
  {
    title: "a wrong argument of a `get` is named as one, and nothing is asked",
    onHosts: true,
    async run({ engine, environmentId, requests }) {
      const looking = engine.get("EnvironmentBranches", environmentId, { onDestroy: "keep" });
      expect(String(await looking.catch((error: unknown) => error))).to.contain(
        'EnvironmentBranches.get: onDestroy must be one of "retain", "restore".',
      );
      expect(requests()).to.deep.equal([]);
    },
  },
  {
    title: "what is done and not kept cannot be looked at by its id: the error says why",
    onHosts: true,
    async run({ engine, environmentId, requests }) {
      for (const type of ["EnvironmentAction", "SnapshotLoad"]) {
        const looked: unknown = await engine.get(type, `${environmentId}/x`).catch((error: unknown) => error);
        expect(String(looked)).to.contain(
          `${type} cannot be imported, nor looked at with \`get\`. The service keeps no record`,
        );
      }
      expect(requests()).to.deep.equal([]);
    },
  },
];

contract("a set that is only looked up", sets);
contract("what is only looked up", others);
