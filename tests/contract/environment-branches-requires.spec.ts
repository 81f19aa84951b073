import { expect } from "chai";
import { branches, contract, type Scenario, type Stage } from "../support/stage";

const requiring = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, requires: ["B", "A"], ...inputs });
const writes = ({ requests }: Stage): readonly string[] => requests().filter((label) => !label.startsWith("GET"));

const missing: readonly Scenario[] = [
  {
    title: "what is missing is an error that names it, and nothing is built",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setVariable(environmentId, { name: "A", value: "1" });
      expect((await engine.up(requiring(stage))).errors.join()).to.match(
        /lacks the variable B, which `requires` names/u,
      );
      expect(writes(stage)).to.deep.equal([]);
      world.setVariable(environmentId, { name: "B", value: "1" });
      expect((await engine.up(requiring(stage))).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
    },
  },
];

contract("EnvironmentBranches, requires", missing);
