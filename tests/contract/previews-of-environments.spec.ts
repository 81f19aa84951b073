import { expect } from "chai";
import { UNKNOWN } from "../../provider/src/framework/properties";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, set } from "../support/stage";
import { errorOf, warningsOf } from "./support/previews";

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

const ofBranches: readonly Scenario[] = [
  {
    title: "a repository that the environment lacks is an error in the preview that lists those it has",
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      const program = branches(environmentId, { branches: { weeb: "feature/x" } });
      expect(await errorOf(stage, program)).to.match(/no repository "weeb"; it has "web", "api"\. Did you mean/u);
      expect(requests()).to.deep.equal(LOOK);
      await engine.up(branches(environmentId, { branches: { web: "main" } }));
      requests();
      expect(await errorOf(stage, branches(environmentId, { branches: { web: "main", app: UNKNOWN } }))).to.contain(
        '"app"',
      );
      expect(requests()).to.deep.equal(LOOK);
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
    title: `a build that is due in an environment that is ${flag}: a warning, unless the program brings it up`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { [flag]: true });
      const program = branches(environmentId, { branches: { web: "feature/x" } });
      expect((await warningsOf(stage, program)).join()).to.match(
        new RegExp(`environment shop \\(${environmentId}\\) is ${flag}, and a build is due`, "u"),
      );
      expect((await failing(engine.up(program))).errors.join()).to.contain(`it is ${flag}`);
      expect(await warningsOf(stage, { ...running(environmentId), ...program })).to.be.empty;
      for (const [whenStopped, text] of [
        ["skip", "does not request it"],
        ["wake", "starts the environment"],
      ]) {
        const other = branches(environmentId, { branches: { web: "feature/x" }, whenStopped });
        const warnings = await warningsOf(stage, other);
        expect(warnings).to.have.length(1);
        expect(warnings.join()).to.contain(flag === "deleted" ? "fails unless" : text);
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
      expect((await failing(engine.up(program))).errors.join()).to.match(/lacks the variables ABSENT, MISSING/u);
    },
  },
  {
    title: "required names are not looked at while they are unknown, when no build is due, or when none is requested",
    async run(stage) {
      const { engine, environmentId, requests, world } = stage;
      const declared = { branches: { web: "feature/x" } };
      for (const requires of [UNKNOWN, [UNKNOWN]]) {
        expect(await warningsOf(stage, branches(environmentId, { ...declared, requires }))).to.be.empty;
        expect(requests()).to.deep.equal(LOOK);
      }
      await engine.up(branches(environmentId, declared));
      requests();
      expect(await warningsOf(stage, branches(environmentId, { ...declared, requires: ["MISSING"] }))).to.be.empty;
      expect(requests()).to.be.empty;
      world.setFlags(environmentId, { stopped: true });
      const skipped = branches(environmentId, { rebuildOn: ["1"], requires: ["MISSING"], whenStopped: "skip" });
      expect(await warningsOf(stage, skipped)).to.have.length(1);
      expect(requests()).to.deep.equal(LOOK);
    },
  },
];

const others: readonly Scenario[] = [
  {
    title: "an environment that is gone is an error in the preview, for each kind of resource",
    async run(stage) {
      const { environmentId, world } = stage;
      world.remove(environmentId);
      const expected = `environment ${environmentId} does not exist (any more). Check the id`;
      const rebuilt = branches(environmentId, { rebuildOn: ["1"] });
      for (const program of [rebuilt, running(environmentId), action(environmentId, "rebuild"), load(environmentId)])
        expect(await errorOf(stage, program)).to.contain(expected);
    },
  },
  {
    title: "a rejected token is an error in the preview, for each kind of resource",
    async run(stage) {
      const { environmentId, sandbox } = stage;
      sandbox.faults.add({ label: "GET /environment", status: 401, times: Infinity });
      const rebuilt = branches(environmentId, { rebuildOn: ["1"] });
      for (const program of [rebuilt, running(environmentId), action(environmentId, "rebuild"), load(environmentId)])
        expect(await errorOf(stage, program)).to.contain("401");
    },
  },
  {
    title: "however many resources are new, a preview has one GET of the environment and one of its variables",
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
    title: "what is done already is not looked at; what is to be done again is",
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      const program = (trigger: string) => ({
        ...running(environmentId),
        ...action(environmentId, "rebuild", { trigger }),
      });
      await engine.up(program("1"));
      requests();
      expect(await warningsOf(stage, program("1"))).to.be.empty;
      expect(requests()).to.be.empty;
      expect(await warningsOf(stage, program("2"))).to.be.empty;
      expect(requests()).to.deep.equal(LOOK);
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
      world.setFlags(environmentId, { deleted: true });
      for (const name of ["rebuild", "restart"]) expect(await warned(name)).to.contain("is deleted");
      expect(await warned("stop")).to.contain("does not run");
      expect(await warned("revive")).to.equal("");
      expect((await warningsOf(stage, load(environmentId))).join()).to.contain("is deleted");
      expect(await warningsOf(stage, { ...running(environmentId), ...action(environmentId, "stop") })).to.be.empty;
    },
  },
];

contract("previews of branches", [...ofBranches, ...ofRequired]);
contract("previews of an environment", others);
