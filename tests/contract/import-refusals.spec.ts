import { expect } from "chai";
import { failing } from "../support/stack";
import type { Scenario } from "../support/stage";
import { importContract, LIVE } from "./support/import-contract";

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
  ["EnvironmentBranches", `${UUID}?names=A`, "<environmentId>"],
  ["EnvironmentBranches", "shop", "<environmentId>"],
  ["EnvironmentState", `${UUID}/x`, "<environmentId>"],
];

const refusals: readonly Scenario[] = [
  {
    title: "a malformed id is refused before any request, and the error shows the form",
    async run({ engine, requests }) {
      for (const [type, id, form] of malformed) {
        const { errors } = await failing(engine.import("one", type, id));
        expect(errors, `${type} ${id}`).to.have.length(1);
        expect(errors[0], `${type} ${id}`).to.match(/^cannot import/u);
        expect(errors[0]?.endsWith(`The id for an import is ${form}.`), errors[0]).to.equal(true);
      }
      expect(requests()).to.deep.equal([]);
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "what is done and not kept cannot be imported: the error says why",
    async run({ engine, environmentId, requests }) {
      for (const type of ["EnvironmentAction", "SnapshotLoad"]) {
        const { errors } = await failing(engine.import("one", type, `${environmentId}/x`));
        expect(errors[0]).to.contain(`${type} cannot be imported. The service keeps no record`);
      }
      expect(requests()).to.deep.equal([]);
    },
  },
  {
    title: "names that the environment lacks are listed, and nothing is imported",
    environment: { variables: LIVE },
    async run({ engine, environmentId }) {
      const { errors } = await failing(engine.import("vars", "EnvVarSet", `${environmentId}?names=NO,TOKEN,NEITHER`));
      expect(errors.join("\n")).to.contain("has no variables NEITHER, NO of its own");
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "variables that no program can declare are left out of a whole environment, with a warning that names them",
    environment: { variables: [{ name: "A", value: "1", hidden: false }] },
    async run({ engine, environmentId, world, log }) {
      for (const name of ["", "..", "a\nb", "__proto__", "half \ud83c"])
        world.setVariable(environmentId, { name, value: "1", hidden: false });
      world.setVariable(environmentId, { name: "HALF", value: "half \ud83c", hidden: false });
      world.setVariable(environmentId, { name: "NAMELESS", value: "1", hidden: false, services: ["", "web"] });
      await engine.import("vars", "EnvVarSet", environmentId);
      expect(engine.kept("vars").inputs["variables"]).to.deep.equal({ A: "1" });
      expect(log.lines.map(({ text }) => text).join("\n")).to.contain(
        '"", "..", "HALF", "NAMELESS", "__proto__", "a\\u{a}b", "half \\u{d83c}"',
      );
      await engine.destroy();
      expect(world.variables(environmentId)).to.have.length(7);
    },
  },
  ...(["404", "200"] as const).map((deletedEnvironmentVariables): Scenario => ({
    title: `what does not exist is not found; variables of a deleted environment answer ${deletedEnvironmentVariables}`,
    choices: { deletedEnvironmentVariables },
    async run({ engine, environmentId, world }) {
      expect((await failing(engine.import("one", "EnvVar", `${environmentId}/NONE`))).errors.join()).to.contain(
        "does not exist",
      );
      world.setFlags(environmentId, { deleted: true });
      const running = engine.import("vars", "EnvVarSet", environmentId);
      if (deletedEnvironmentVariables === "200") await running;
      else expect((await failing(running)).errors.join("\n")).to.contain("does not exist");
      await engine.import("state", "EnvironmentState", environmentId);
      await engine.import("deployed", "EnvironmentBranches", environmentId);
      world.remove(environmentId);
      for (const type of ["EnvVarSet", "EnvironmentState", "EnvironmentBranches"])
        expect((await failing(engine.import("two", type, environmentId))).errors.join("\n")).to.contain(
          "does not exist",
        );
    },
  })),
  {
    title: "an answer that is an error is no proof that something does not exist",
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ status: 403 });
      const { errors } = await failing(engine.import("vars", "EnvVarSet", environmentId));
      expect(errors.join("\n")).to.contain("403").and.not.to.contain("does not exist");
    },
  },
];

importContract("refusals", refusals);
