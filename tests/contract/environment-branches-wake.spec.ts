import { expect } from "chai";
import { branches, contract, type Scenario, type Stage } from "../support/stage";

const writes = ({ requests }: Stage): readonly string[] => requests().filter((label) => !label.startsWith("GET"));
const waking = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { rebuildOn: ["1"], whenStopped: "wake", ...inputs });
const isAsleep = ({ world, environmentId }: Stage): boolean => {
  const flags = world.environments.get(environmentId);
  return flags?.stopped === true || flags?.retired === true;
};

const rebuilds = (["stopped", "retired"] as const).flatMap((flag): readonly Scenario[] => [
  {
    title: `${flag}: the rebuild that is due wakes it, and is the only build`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(waking(stage));
      world.setFlags(environmentId, { [flag]: true });
      writes(stage);
      expect((await engine.up(waking(stage))).operations).to.deep.equal({ deployed: "same" });
      expect((await engine.up(waking(stage, { rebuildOn: ["2"] }))).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      expect(isAsleep(stage)).to.equal(false);
    },
  },
]);

contract("EnvironmentBranches, whenStopped wake", rebuilds);
