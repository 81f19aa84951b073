import { expect } from "chai";
import { branches, contract, type Scenario, type Stage } from "../support/stage";
import { changes } from "./support/branch-changes";

const writes = ({ requests }: Stage): readonly string[] => requests().filter((label) => !label.startsWith("GET"));
const skipping = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, whenStopped: "skip", ...inputs });
const same = { deployed: "same" };
const OWED = /is (?:stopped|retired), so no build was requested\. It is owed/u;

/** Each `up` is without an error and sends nothing but reads. */
async function quietUps(stage: Stage, program: ReturnType<typeof skipping>): Promise<void> {
  for (const refresh of [false, true, false])
    expect((await stage.engine.up(program, { refresh })).operations).to.deep.equal(same);
  expect((await stage.engine.refresh()).errors).to.deep.equal([]);
  expect((await stage.engine.preview(program)).operations).to.deep.equal(same);
  expect(writes(stage)).to.deep.equal([]);
}

const asleep = (["stopped", "retired"] as const).flatMap((flag): readonly Scenario[] => [
  {
    title: `${flag}: branches that differ are owed at create, until a refresh sees it running`,
    async run(stage) {
      const { engine, environmentId, world, log } = stage;
      world.setFlags(environmentId, { [flag]: true });
      expect((await engine.up(skipping(stage))).errors).to.deep.equal([]);
      expect(await log.until(OWED)).to.include({ severity: "warning" });
      await quietUps(stage, skipping(stage));
      expect(engine.kept("deployed").initErrors).to.deep.equal([]);

      world.setFlags(environmentId, { [flag]: false });
      expect((await engine.up(skipping(stage))).operations).to.deep.equal(same);
      expect((await engine.refresh()).errors).to.deep.equal([]);
      expect((await engine.preview(skipping(stage))).operations).to.deep.equal({ deployed: "update" });
      expect((await engine.up(skipping(stage))).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(changes(stage)).to.deep.equal([{ web: "feature/x", api: "main" }]);
      await quietUps(stage, skipping(stage));
    },
  },
  {
    title: `${flag}: a rebuild that is due is owed, and done once`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(skipping(stage, { rebuildOn: ["1"] }));
      world.setFlags(environmentId, { [flag]: true });
      writes(stage);
      const program = skipping(stage, { rebuildOn: ["2"] });
      expect((await engine.up(program)).errors).to.deep.equal([]);
      await quietUps(stage, program);

      world.setFlags(environmentId, { [flag]: false });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ deployed: "update" });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, program);
    },
  },
]);

contract("EnvironmentBranches, whenStopped skip", asleep);
