import { expect } from "chai";
import type { Program } from "../../support/engine-steps";
import { failing } from "../../support/stack";
import { branches, set, type Stage, warningsOf } from "../../support/stage";
import { type Proof, type Proofs, variable } from "./difference-state";

/** Differences in what is foreseen and refused before anything is done. */
export const previews: Proofs<
  | "Outputs in a preview"
  | "What a preview checks"
  | "What a diff names"
  | "A Pulumi secret as a visible value"
  | "A visible value that reads like a secret"
  | "Missing or wrong settings"
> = {
  "Outputs in a preview": {
    dynamic: [
      {
        title: "the preview of an update knows inputs only",
        async run(stage) {
          const { engine } = stage;
          await engine.up(variable(stage, "1"));
          const { foreseen } = await engine.preview(variable(stage, "2"));
          expect(foreseen["one"]).to.deep.include({ value: "2" }).and.not.to.have.any.keys("variableId", "createdAt");
        },
      },
    ],
    native: [
      {
        title: "the preview of an update knows what the update does not change",
        async run(stage) {
          const { engine } = stage;
          const { one } = variable(stage, "1");
          await engine.up({ one });
          const { variableId, createdAt } = engine.kept("one").outputs;
          expect(variableId).to.be.a("string");
          const other = { one: { ...one, inputs: { ...one.inputs, onConflict: "overwrite" } } };
          const { foreseen } = await engine.preview(other);
          expect(foreseen["one"]).to.deep.include({ value: "1", variableId, createdAt });
          await engine.up(other);
          expect(engine.kept("one").outputs).to.deep.include({ value: "1", variableId, createdAt });
        },
      },
    ],
  },

  "What a preview checks": {
    dynamic: [
      {
        title: "a service that does not answer within 2 s ends the checks, and a warning says so",
        async run(stage) {
          const { promise: hold, resolve: release } = Promise.withResolvers<void>();
          stage.sandbox.faults.add({ label: "GET /env-vars", hold });
          const warnings = await warningsOf(stage, taken(stage)).finally(release);
          expect(warnings.join()).to.contain("2 s, which is the limit of the dynamic provider");
        },
      },
    ],
    native: [
      {
        title: "a service that answers after more than 2 s is waited for",
        async run(stage) {
          stage.sandbox.faults.add({ label: "GET /env-vars", delayMs: 2_100 });
          expect((await warningsOf(stage, taken(stage))).join()).to.contain("already has a variable");
        },
      },
    ],
  },

  "What a diff names": { dynamic: [changedNames([])], native: [changedNames(["variables.__INTERNAL"])] },
  "A visible value that reads like a secret": { dynamic: [unchangedPlainText(1)], native: [unchangedPlainText(0)] },
  "A Pulumi secret as a visible value": {
    dynamic: [
      {
        title: "the provider warns of what the program tells it, also of the value of an EnvVar",
        async run({ engine, environmentId, log }) {
          const one = { type: "EnvVar", inputs: { environmentId, name: "A", value: "shown-to-all", hidden: false } };
          await engine.preview({ one: { ...one, secretPaths: ["value"] } });
          const line = await log.until(/is a Pulumi secret/u);
          expect(line.text)
            .to.match(/^EnvVar "one": value is /u)
            .and.not.to.contain("shown-to-all");
        },
      },
    ],
    native: [
      {
        title: "the plugin warns on the row of the resource, without the value, and state keeps the secret",
        async run({ engine, environmentId, log }) {
          const { vars } = set(environmentId, { variables: { OTHER: "1", TOKEN: "shown-to-all" } });
          await engine.preview({ vars: { ...vars, secretPaths: ["variables.TOKEN"] } });
          const line = await log.until(/is a Pulumi secret/u);
          expect(line.text)
            .to.match(/^EnvVarSet "vars": variables\.TOKEN is /u)
            .and.not.to.contain("shown-to-all");
          expect(line).to.deep.include({ severity: "warning", passing: false });
          expect(line.urn).to.match(/::vars$/u);
          await engine.up({ vars: { ...vars, secretPaths: ["variables.TOKEN"] } });
        },
      },
    ],
  },

  "Missing or wrong settings": { dynamic: [wrongSettings(2)], native: [wrongSettings(1)] },
};

function changedNames(paths: readonly string[]): Proof {
  return {
    title: `a name that begins with two underscores is an update of ${JSON.stringify(paths)}`,
    async run({ engine, environmentId }) {
      await engine.up(set(environmentId, { variables: { __INTERNAL: "1" } }));
      const run = await engine.preview(set(environmentId, { variables: { __INTERNAL: "2" } }));
      expect(run).to.deep.include({ operations: { vars: "update" }, paths: { vars: paths } });
    },
  };
}

function unchangedPlainText(warnings: number): Proof {
  return {
    title: `a preview of what is deployed and unchanged has ${warnings === 0 ? "no warning" : "the warning again"}`,
    async run(stage) {
      const program = set(stage.environmentId, { variables: { DB_PASSWORD: "plain-by-mistake" } });
      expect((await warningsOf(stage, program)).join()).to.contain("DB_PASSWORD");
      await stage.engine.up(program);
      expect(await warningsOf(stage, program)).to.have.lengthOf(warnings);
    },
  };
}

function wrongSettings(errors: number): Proof {
  return {
    title: `a wrong setting and two resources make ${errors === 1 ? "one error" : "two errors"}, and no request`,
    settings: { batchSize: "none" },
    async run({ engine, environmentId, requests }) {
      const other = branches(environmentId, { branches: { web: "main" } });
      const run = await failing(engine.preview({ ...set(environmentId), ...other }));
      expect(run.errors).to.have.length(errors);
      for (const text of run.errors) expect(text).to.contain("previewenv:batchSize");
      expect(requests()).to.deep.equal([]);
    },
  };
}

/** A program that declares a name which somebody else has with another value. */
function taken({ environmentId, world }: Stage): Program {
  world.setVariable(environmentId, { name: "A", value: "theirs", hidden: false });
  return set(environmentId, { variables: { A: "ours" } });
}
