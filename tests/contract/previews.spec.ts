import { expect } from "chai";
import { UNKNOWN } from "../../provider/src/framework/properties";
import { errorsOf, failing } from "../support/stack";
import type { Program } from "../support/engine-steps";
import { branches, contract, type Scenario, set, type Stage, warningsOf, writes } from "../support/stage";

const LOOK = ["GET /environment"];
const action = (environmentId: string, name: string, triggers = {}) => ({
  act: { type: "EnvironmentAction", inputs: { environmentId, action: name, triggers } },
});
const running = (environmentId: string) => ({
  awake: { type: "EnvironmentState", inputs: { environmentId, state: "running" } },
});
const load = (environmentId: string) => ({
  load: { type: "SnapshotLoad", inputs: { environmentId, sequenceNumber: 1 } },
});

/** The one error that a preview showed. It has no warnings. */
async function errorOf({ engine, log }: Stage, program: Program): Promise<string> {
  const from = log.lines.length;
  const { errors } = await failing(engine.preview(program));
  expect(errors).to.have.length(1);
  expect(log.lines.slice(from).filter(({ severity }) => severity === "warning")).to.deep.equal([]);
  return errors[0] ?? "";
}

const ofBranches: readonly Scenario[] = [
  {
    title: "a repository that the environment lacks is an error in the preview that lists those it has",
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      const program = branches(environmentId, { branches: { weeb: "feature/x" } });
      const text = /no repository "weeb"\. It has "web", "api"\. Did you mean/u;
      expect(await errorOf(stage, program)).to.match(text);
      expect(await errorsOf(engine.up(program)), "before any write").to.match(text);
      expect(requests()).to.deep.equal([...LOOK, ...LOOK]);
      await engine.up(branches(environmentId, { branches: { web: "main" } }));
      requests();
      expect(await errorOf(stage, branches(environmentId, { branches: { web: "main", app: UNKNOWN } }))).to.contain(
        '"app"',
      );
      expect(requests()).to.deep.equal(LOOK);
    },
  },
  {
    title:
      "two repositories with one name: branches are an error that names both, before any request; `rebuildOn` alone is none",
    onHosts: true,
    environment: {
      projects: [
        { orgName: "acme", repoName: "web", branch: "main" },
        { orgName: "partner", repoName: "web", branch: "main" },
        { orgName: "acme", repoName: "api", branch: "main" },
      ],
    },
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      for (const declared of [{ api: "feature/x" }, { web: "main" }, { web: "feature/x", api: UNKNOWN }]) {
        const program = branches(environmentId, { branches: declared });
        expect(await errorOf(stage, program)).to.match(
          /cannot declare the branches of environment shop \(.*\): it has acme\/web and partner\/web, /u,
        );
        expect(requests()).to.deep.equal(LOOK);
      }
      expect(await errorsOf(engine.up(branches(environmentId, { branches: { api: "feature/x" } })))).to.contain(
        "Leave `branches` out: `rebuildOn` alone rebuilds the environment.",
      );
      expect(requests().every((label) => label.startsWith("GET"))).to.equal(true);
      const program = branches(environmentId, { rebuildOn: ["1"] });
      expect(await warningsOf(stage, program)).to.be.empty;
      await engine.up(program);
      expect(requests()).to.contain("POST /rebuild");
    },
  },
  {
    title: "nothing is asked when no build is due; a stopped environment is no matter then",
    async run(stage) {
      const { engine, environmentId, requests, world } = stage;
      const declared = { branches: { web: "main" }, rebuildOn: ["1"] };
      await engine.up(branches(environmentId, declared));
      world.setFlags(environmentId, { stopped: true });
      requests();
      for (const more of [{}, { buildTimeoutSeconds: 60 }, { branches: undefined, rebuildOn: ["1"] }]) {
        expect(await warningsOf(stage, branches(environmentId, { ...declared, ...more }))).to.be.empty;
        expect(requests()).to.be.empty;
      }
      for (const more of [
        { branches: { web: "x" } },
        { rebuildOn: ["2"] },
        { rebuildOn: [UNKNOWN] },
        { rebuildOn: UNKNOWN },
      ]) {
        const warnings = await warningsOf(stage, branches(environmentId, { ...declared, ...more }));
        expect(warnings.join()).to.contain("is stopped, and a build is due");
        expect(requests()).to.deep.equal(LOOK);
      }
    },
  },
  ...(["stopped", "retired", "deleted"] as const).map((flag): Scenario => ({
    title: `a build that is due in an environment that is ${flag}: a warning, which an EnvironmentState of the program may cure`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { [flag]: true });
      const program = branches(environmentId, { branches: { web: "feature/x" } });
      expect((await warningsOf(stage, program)).join()).to.match(
        new RegExp(`environment shop \\(${environmentId}\\) is ${flag}, and a build is due`, "u"),
      );
      for (const due of [program, branches(environmentId, { rebuildOn: ["2"] })])
        expect(await errorsOf(engine.up(due))).to.match(new RegExp(`it is ${flag}.*EnvironmentState`, "u"));
      expect([engine.state.size, writes(stage)]).to.deep.equal([0, []]);
      for (const other of [{}, running(environmentId)])
        expect((await warningsOf(stage, { ...other, ...program })).join()).to.contain(
          "unless an EnvironmentState of this program starts it before, `pulumi up` fails",
        );
      for (const [whenStopped, text] of [
        ["skip", "does not request the build"],
        ["wake", "starts the environment"],
        [UNKNOWN, "does what `whenStopped` says"],
      ]) {
        const other = branches(environmentId, { branches: { web: "feature/x" }, whenStopped });
        const warnings = await warningsOf(stage, other);
        expect(warnings).to.have.length(1);
        expect(warnings.join()).to.contain(flag === "deleted" ? "`pulumi up` fails" : text);
      }
      expect(await warningsOf(stage, branches(environmentId, { branches: { web: "main" } }))).to.be.empty;
    },
  })),
];

const ofRequired: readonly Scenario[] = [
  {
    title: "required variables that are missing are a warning that names them; those that the program declares are not",
    environment: {
      variables: [{ name: "THERE", value: "1" }],
      inherited: [{ name: "REGION", value: "eu", hidden: false }],
    },
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      const requires = ["THERE", "REGION", "DECLARED", "MISSING", "ABSENT"];
      const program = {
        ...set(environmentId, { secrets: { DECLARED: "1" } }),
        ...branches(environmentId, { branches: { web: "feature/x" }, requires }),
      };
      const warnings = await warningsOf(stage, program);
      expect(warnings).to.have.length(1);
      expect(warnings.join()).to.match(
        /lacks the variables ABSENT, MISSING, which `requires` names: `pulumi up` fails/u,
      );
      expect(requests().toSorted()).to.deep.equal(["GET /env-vars", "GET /environment"]);
      expect(await errorsOf(engine.up(program))).to.match(/lacks the variables ABSENT, MISSING/u);
    },
  },
  {
    title: "required variables are no warning while the names in a map are not known: it may declare them",
    async run(stage) {
      const { environmentId } = stage;
      const build = branches(environmentId, { rebuildOn: [UNKNOWN], requires: ["DATABASE_URL"] });
      const secrets = { DATABASE_URL: UNKNOWN };
      expect(await warningsOf(stage, { ...set(environmentId, { secrets }), ...build })).to.be.empty;
      expect(await warningsOf(stage, { ...set(environmentId, { secrets: UNKNOWN }), ...build })).to.be.empty;
      expect(
        await warningsOf(stage, { ...set(environmentId, { secrets: { OTHER: UNKNOWN } }), ...build }),
      ).to.have.length(1);
    },
  },
];

const ofDropped: Scenario = {
  title:
    "a required variable that the program drops is a warning, unless it is inherited or another resource declares it",
  onHosts: true,
  environment: { inherited: [{ name: "REGION", value: "eu", hidden: false }] },
  async run(stage) {
    const { engine, environmentId } = stage;
    const program = (variables: Readonly<Record<string, string>>, more: Program = {}): Program => ({
      ...set(environmentId, { variables }),
      ...more,
      deployed: {
        type: "EnvironmentBranches",
        inputs: { environmentId, rebuildOn: [Object.keys(variables)], requires: ["A", "B", "REGION"] },
      },
    });
    await engine.up(program({ A: "1", B: "1", REGION: "own" }));
    const warnings = (await warningsOf(stage, program({ A: "1" }))).join("\n");
    expect(warnings).to.match(/lacks the variable B, which `requires` names: `pulumi up` fails unless/u);
    const other = { other: { type: "EnvVarSet", inputs: { environmentId, variables: { B: "2" } } } };
    expect((await warningsOf(stage, program({ A: "1" }, other))).join("\n")).not.to.contain("requires");
    expect(await errorsOf(engine.up(program({ A: "1" })))).to.contain("lacks the variable B");
  },
};

/** A program of one resource, for each kind that a preview looks at the service for. */
const each = (environmentId: string) => [
  branches(environmentId, { rebuildOn: ["1"] }),
  running(environmentId),
  action(environmentId, "rebuild"),
  load(environmentId),
  set(environmentId, { variables: { A: "1" } }),
  set(environmentId, { variables: UNKNOWN }),
  single(environmentId, { A: "1" }),
];

const unchecked: readonly Scenario[] = [
  ...(
    [
      [
        "an environment that is gone",
        ({ world, environmentId }) => world.remove(environmentId),
        /does not exist \(any more\)\. Check the id/u,
      ],
      ["a rejected token", ({ sandbox }) => void sandbox.faults.add({ status: 401, times: Infinity }), /401/u],
    ] satisfies readonly (readonly [string, (stage: Stage) => void, RegExp])[]
  ).map(([what, arrange, text]): Scenario => ({
    title: `${what} is an error in the preview, for each kind of resource`,
    async run(stage) {
      arrange(stage);
      for (const program of each(stage.environmentId)) expect(await errorOf(stage, program)).to.match(text);
    },
  })),
  {
    title: "however many resources are new, a preview has one GET of the environment and one of its variables",
    onHosts: true,
    async run(stage) {
      const { environmentId, requests } = stage;
      const program = {
        ...set(environmentId, { variables: { A: "1" } }),
        ...running(environmentId),
        ...branches(environmentId, { rebuildOn: ["1"] }),
        ...action(environmentId, "rebuild"),
        ...load(environmentId),
      };
      expect(await warningsOf(stage, program)).to.be.empty;
      expect(requests().toSorted()).to.deep.equal(["GET /env-vars", "GET /environment"]);
    },
  },
  {
    title: "an action that the service refuses as the environment is now is a warning",
    async run(stage) {
      const { environmentId, world } = stage;
      const warned = async (name: string) => (await warningsOf(stage, action(environmentId, name))).join();
      expect(await warned("revive")).to.contain("is not deleted");
      expect(await warned("restart")).to.contain("runs");
      expect(await warned("cancel")).to.contain("has no build that is running");
      expect(await warned("stop")).to.equal("");
      world.setFlags(environmentId, { stopped: true });
      expect(await warned("restart"))
        .to.contain("is stopped, but not retired: ")
        .and.to.contain("may refuse");
      world.setFlags(environmentId, { stopped: false, retired: true });
      expect(await warned("restart")).to.equal("");
      world.setFlags(environmentId, { retired: false, deleted: true });
      for (const name of ["rebuild", "restart"]) expect(await warned(name)).to.contain("is deleted");
      expect(await warned("stop")).to.contain("does not run");
      expect(await warned("revive")).to.equal("");
      expect((await warningsOf(stage, load(environmentId))).join())
        .to.contain("is deleted: the service may refuse")
        .and.not.to.contain("fails");
      expect(await warned("stop")).to.contain("unless something of this program changes that before");
    },
  },
];

contract("previews of branches", [...ofBranches, ...ofRequired, ofDropped]);
contract("previews of an environment", unchecked);

const THEIRS = [
  { name: "A", value: "their-visible", hidden: false },
  { name: "S", value: "their-secret-value", hidden: true },
  { name: "SAME", value: "1", hidden: false },
];

/** One EnvVar for each name. */
function single(environmentId: string, values: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.toLowerCase(),
      { type: "EnvVar", inputs: { environmentId, name, value, hidden: false } },
    ]),
  );
}

const told: readonly Scenario[] = [
  {
    title: "names that exist with something else are a warning, without values; the `up` fails with the same names",
    onHosts: true,
    environment: { variables: THEIRS },
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      const secrets = { S: "my-hidden-value", N: "new-hidden" };
      const program = set(environmentId, { variables: { A: "my-visible", SAME: "1" }, secrets });
      const [warning = "", ...others] = await warningsOf(stage, program);
      expect(others).to.deep.equal([]);
      expect(warning).to.contain(environmentId).and.to.contain(": A, S.").and.to.contain('onConflict: "overwrite"');
      expect(warning).not.to.match(/their-|my-|new-hidden/u);
      expect(warning).to.match(/Unless a resource of this stack has them, .*run `pulumi up --refresh`/su);
      expect(requests()).to.deep.equal(["GET /env-vars"]);
      expect(await errorsOf(engine.up(program))).to.contain(": A, S.");
      expect(requests()).to.deep.equal(["GET /env-vars"]);
      expect(await warningsOf(stage, set(environmentId, { ...program.vars.inputs, onConflict: "overwrite" }))).to.be
        .empty;
    },
  },
  {
    title: "a name that a set gains is looked at, with one GET; nothing new, and nothing is asked",
    environment: { variables: THEIRS },
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      await engine.up(set(environmentId, { variables: { B: "1" } }));
      requests();
      const [warning, ...others] = await warningsOf(stage, set(environmentId, { variables: { A: "mine", B: "1" } }));
      expect(others).to.be.empty;
      expect(warning).to.contain(": A.");
      expect(requests()).to.deep.equal(["GET /env-vars"]);
      for (const variables of [{ B: "1" }, { B: "2" }, {}]) {
        expect(await warningsOf(stage, set(environmentId, { variables }))).to.be.empty;
        expect(requests()).to.deep.equal([]);
      }
    },
  },
  {
    title: "an EnvVar whose name exists with another value is a warning",
    environment: { variables: THEIRS },
    async run(stage) {
      const { environmentId } = stage;
      const warnings = await warningsOf(stage, single(environmentId, { A: "mine", SAME: "1" }));
      expect(warnings.join()).to.contain(": A.").and.not.to.contain("SAME");
      expect(warnings).to.have.length(1);
    },
  },
  {
    title: "a value that becomes empty is a warning, as a CI job without the variable gives it, and only once",
    async run(stage) {
      const { environmentId, engine } = stage;
      await engine.up(set(environmentId, { variables: { A: "1" }, secrets: { KEY: "s" } }));
      const empty = set(environmentId, { variables: { A: "", B: "" }, secrets: { KEY: "", NEW: "" } });
      expect((await warningsOf(stage, empty)).join()).to.contain("the value becomes an empty text: A, KEY, NEW. If");
      await engine.up(empty);
      expect(await warningsOf(stage, empty)).to.deep.equal([]);
      const unknown = { type: "EnvVar", inputs: { environmentId, name: "C", value: "", hidden: UNKNOWN } };
      expect(await warningsOf(stage, { ...empty, unknown })).to.deep.equal([]);
    },
  },
  {
    title: "what a preview does not know is not compared, but a visibility or scope that is known is",
    environment: { variables: [...THEIRS, { name: "SCOPED", value: "x", hidden: false, services: ["web"] }] },
    async run(stage) {
      const { environmentId } = stage;
      const variables = { A: UNKNOWN, SAME: UNKNOWN, SCOPED: UNKNOWN };
      expect((await warningsOf(stage, set(environmentId, { variables }))).join()).to.contain(": SCOPED.");
      expect(await warningsOf(stage, set(environmentId, { variables, services: UNKNOWN }))).to.be.empty;
      expect((await warningsOf(stage, set(environmentId, { secrets: { A: UNKNOWN } }))).join()).to.contain(": A.");
      const one = { type: "EnvVar", inputs: { environmentId, name: "A", value: UNKNOWN, hidden: UNKNOWN } };
      expect(await warningsOf(stage, { one })).to.be.empty;
    },
  },
  {
    title: "`existing()` of a name that is not there is a warning, and of a hidden one whose scope is to change",
    environment: { variables: THEIRS },
    async run(stage) {
      const { engine, environmentId, requests, world } = stage;
      const value = "previewenv:existing:v1";
      const program = set(environmentId, { variables: { A: value, LOST: value }, secrets: { S: value } });
      expect((await warningsOf(stage, program)).join()).to.match(/LOST: declared with `existing\(\)`/u);
      const kept = { variables: { A: value }, secrets: { S: value } };
      await engine.up(set(environmentId, kept));
      requests();
      world.deleteVariable(environmentId, "A");
      expect(await warningsOf(stage, set(environmentId, kept))).to.be.empty;
      expect(requests()).to.be.empty;
      expect((await warningsOf(stage, set(environmentId, { ...kept, services: ["web"] }))).join()).to.match(
        /A: declared with `existing\(\)`.*S: its services or visibility cannot be changed/su,
      );
    },
  },
  {
    title: "a value that is not known and would have to be sent is a warning, without a request",
    async run(stage) {
      const { engine, environmentId, requests, world } = stage;
      const inputs = { variables: { B: "1" }, secrets: { TOKEN: "declared-0123456789" } };
      await engine.up(set(environmentId, inputs));
      world.setVariable(environmentId, { name: "TOKEN", value: "edited-by-hand-entirely", hidden: true });
      await engine.refresh();
      requests();
      const moved = set(environmentId, { ...inputs, services: ["web"] });
      const program = { vars: { ...moved.vars, ignoreChanges: ["secrets"] } };
      const warnings = await warningsOf(stage, program);
      expect(warnings).to.have.length(1);
      expect(warnings.join()).to.match(/`pulumi up` fails.*TOKEN: not sent, because its value is not known/su);
      expect(requests()).to.be.empty;
      expect(await errorsOf(engine.up(program))).to.contain("TOKEN: not sent");
      expect(await warningsOf(stage, moved)).to.be.empty;
    },
  },
];

const gone: readonly Scenario[] = [
  {
    title:
      "a deleted environment is a warning, also with `overwrite`, which an EnvironmentState of the program may cure",
    async run(stage) {
      const { environmentId, world } = stage;
      world.setFlags(environmentId, { deleted: true });
      const program = set(environmentId, { variables: { A: "1" }, onConflict: "overwrite" });
      expect((await warningsOf(stage, program)).join()).to.contain(`environment shop (${environmentId}) is deleted`);
      expect((await warningsOf(stage, { ...running(environmentId), ...program })).join()).to.contain(
        "unless an EnvironmentState of this program starts it before",
      );
    },
  },
  {
    title: "a service that does not answer is one warning, and the preview goes on",
    settings: { maxRetries: "0" },
    async run(stage) {
      const second = stage.addEnvironment();
      stage.sandbox.faults.add({ label: "GET /env-vars", status: 503, times: Infinity });
      const other = set(second, { variables: { A: "1" } }).vars;
      const program = { ...set(stage.environmentId, { variables: { A: "1" } }), other };
      const warnings = await warningsOf(stage, program);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/could not check what the service has: .*503/u);
    },
  },
  {
    title: "plain texts that read like secrets are one warning, without values, but for names that the setting has",
    onHosts: true,
    settings: { previewChecks: "false", secretHints: "SORT_KEY,CACHE_*" },
    async run(stage) {
      const variables = { API_KEY: "tiger", SORT_KEY: "name", CACHE_TOKEN: "x", LATER_KEY: UNKNOWN, B: "1" };
      const [text = "", ...others] = await warningsOf(stage, set(stage.environmentId, { variables }));
      expect(others).to.be.empty;
      expect(text)
        .to.match(/^EnvVarSet.*: variables\.API_KEY reads like a secret/u)
        .and.not.contain("tiger");
      expect(stage.requests()).to.be.empty;
      const one = { environmentId: stage.environmentId, name: "X_TOKEN", value: "tiger", hidden: false };
      const [open = ""] = await warningsOf(stage, { open: { type: "EnvVar", inputs: one } });
      expect(open)
        .to.match(/^EnvVar.*: value reads like a secret/u)
        .and.not.contain("tiger");
    },
  },
];

contract("previews of variables", [...told, ...gone]);
