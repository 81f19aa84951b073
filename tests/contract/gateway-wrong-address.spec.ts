import { expect } from "chai";
import { failing } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";
import { every, holdsAll, start } from "./support/gateway-program";

const LISTS = "GET /environments";
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
    title: "a destroy fails, and the secrets and the branch to restore stay due",
    async run(stage) {
      const { engine, environmentId, values, world } = stage;
      await start(stage);
      world.switchBranch(environmentId, "web", "feature/x", { build: false });
      const fault = everyRoute(stage);
      const { errors } = await failing(engine.destroy());
      expect(errors).to.have.length(3);
      for (const error of errors)
        expect(error)
          .to.match(ADDRESS)
          .and.not.match(/secret-b/u);
      // An EnvironmentState changes nothing on the service when it goes.
      expect([...engine.state.keys()]).to.deep.equal(["vars", "one", "deployed"]);
      fault.remove();
      await engine.destroy();
      expect(values()).to.deep.equal({});
      expect(engine.state.size).to.equal(0);
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
    title: "only the environment answers so, and the list has it: nothing is gone, and nothing leaves state",
    async run(stage) {
      const { engine, sandbox } = stage;
      await start(stage);
      for (const label of ["GET /environment", "GET /env-vars"])
        sandbox.faults.add({ label, status: 404, times: Infinity });
      for (const { errors } of [await failing(engine.refresh()), await failing(engine.destroy())])
        for (const error of errors) expect(error).to.contain("The list of environments has it, so it is not gone.");
      expect([...engine.state.keys()]).to.include.members(["vars", "one", "deployed"]);
      sandbox.faults.clear();
      await engine.refresh();
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
  {
    title: "getEnvironment by id names the address in place of the id",
    difference: { row: "functions", side: "native" },
    async run(stage) {
      everyRoute(stage);
      const args = { id: stage.environmentId };
      const failed: unknown = await stage.engine
        .invoke("previewenv:index:getEnvironment", args)
        .catch((error: unknown) => error);
      expect(failed).to.have.property("message").that.matches(ADDRESS);
    },
  },
];

const gone: readonly Scenario[] = [
  {
    title: "an environment that is really gone costs one list more, for all its resources",
    async run(stage) {
      const { engine, environmentId, world, requests } = stage;
      await start(stage);
      world.remove(environmentId);
      requests();
      await engine.refresh();
      expect(engine.state.size).to.equal(0);
      expect(requests().filter((label) => label === LISTS)).to.have.length(1);
      await failing(engine.up(every(environmentId)));
      expect(requests().filter((label) => label === LISTS)).to.have.length(1);
    },
  },
];

// A process that has had a list once believes the service's 404 from then on.
contract(
  "every route answers 404",
  [...wrong, ...gone].map((scenario) => ({ ...scenario, fresh: true })),
);
