import { expect } from "chai";
import { failing } from "../../support/stack";
import { branches, set, type Stage, warningsOf } from "../../support/stage";
import { type Proof, type Proofs, variable } from "./difference-state";

/** Differences in what is foreseen and refused before anything is done. */
export const previews: Proofs<
  "preview-outputs" | "preview-checks" | "changed-names" | "declared-twice" | "visible-secret" | "wrong-settings"
> = {
  "preview-outputs": {
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

  "preview-checks": {
    dynamic: [
      {
        title: "a name that a later resource gives up is a warning, and no error",
        async run(stage) {
          const [warning, ...others] = await warningsOfMove(stage, ["taker", "giver"]);
          expect(warning).to.contain(": A. Unless a resource of this stack has it");
          expect(others).to.deep.equal([]);
        },
      },
      {
        title: "a name that an earlier resource gives up is no warning",
        async run(stage) {
          expect(await warningsOfMove(stage, ["giver", "taker"])).to.deep.equal([]);
        },
      },
    ],
    native: [["giver", "taker"] as const, ["taker", "giver"] as const].flatMap((order) => [
      {
        title: `a name that another resource gives up is no warning: ${order.join(", ")}`,
        async run(stage: Stage) {
          expect(await warningsOfMove(stage, order)).to.deep.equal([]);
        },
      },
      {
        title: `a name that an EnvVar gives up for another one is no warning: ${order.join(", ")}`,
        async run(stage: Stage) {
          expect(await warningsOfMove(stage, order, SINGLE)).to.deep.equal([]);
        },
      },
    ]),
  },

  "changed-names": { dynamic: [changedNames([])], native: [changedNames(["variables.__INTERNAL"])] },
  "declared-twice": {
    dynamic: [
      {
        title: "the provider cannot tell two resources from one",
        async run({ engine, environmentId }) {
          const [one, two] = [
            set(environmentId, { variables: { A: "1" } }),
            set(environmentId, { variables: { A: "1" } }),
          ];
          await engine.up({ one: one.vars, two: two.vars });
        },
      },
    ],
    native: [
      {
        title: "the second resource is refused, and both are named",
        async run({ engine, environmentId, requests }) {
          const [one, two] = [
            set(environmentId, { variables: { A: "1" } }),
            set(environmentId, { variables: { A: "1" } }),
          ];
          const { errors } = await failing(engine.preview({ one: one.vars, two: two.vars }));
          expect(errors).to.have.length(1);
          expect(errors[0]).to.match(/^EnvVarSet "one" and EnvVarSet "two" both declare the variable "A"/u);
          expect(requests(), "the look of the first one").to.deep.equal(["GET /env-vars"]);
        },
      },
      {
        title: "what `ignoreChanges` keeps in one resource is refused in another",
        async run({ engine, environmentId }) {
          const [one, two] = [
            set(environmentId, { secrets: { A: "1" } }),
            set(environmentId, { variables: { A: "2" } }),
          ];
          await engine.up({ one: one.vars });
          const emptied = { ...set(environmentId, { secrets: {} }).vars, ignoreChanges: ["secrets"] };
          const { errors } = await failing(engine.preview({ one: emptied, two: two.vars }));
          expect(errors).to.have.length(1);
          expect(errors[0]).to.match(/^EnvVarSet "one" and EnvVarSet "two" both declare the variable "A"/u);
        },
      },
      {
        title: "a resource that wakes what another one stops is refused, and both are named",
        async run({ engine, environmentId }) {
          const { deployed } = branches(environmentId, { rebuildOn: [], whenStopped: "wake" });
          const off = { type: "EnvironmentState", inputs: { environmentId, state: "stopped" } };
          for (const program of [
            { deployed, off },
            { off, deployed },
          ])
            expect((await failing(engine.preview(program))).errors.join()).to.match(
              /EnvironmentBranches "deployed" has `whenStopped: "wake"`, and EnvironmentState "off" has `state: "stopped"`/u,
            );
        },
      },
    ],
  },

  "visible-secret": {
    dynamic: [
      {
        title: "the provider says nothing",
        async run({ engine, environmentId, log }) {
          const { vars } = set(environmentId, { variables: { TOKEN: "shown-to-all" } });
          await engine.up({ vars: { ...vars, secretPaths: ["variables.TOKEN"] } });
          expect(log.lines.filter(({ severity }) => severity === "warning")).to.deep.equal([]);
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

  "wrong-settings": { dynamic: [wrongSettings(2)], native: [wrongSettings(1)] },
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

/** What the preview of a move warns of: the variable A, with another value, goes from one set to another. */
const SINGLE = [
  { type: "EnvVar", inputs: { name: "A", value: "1", hidden: false } },
  { type: "EnvVar", inputs: { name: "G", value: "1", hidden: false } },
] as const;

const SETS = [
  { type: "EnvVarSet", inputs: { variables: { A: "1", G: "1" } } },
  { type: "EnvVarSet", inputs: { variables: { G: "1" } } },
] as const;

/** What a preview warns of when `A` moves from one resource, which is a set unless another one is given, to a set. */
async function warningsOfMove(
  stage: Stage,
  order: readonly ("giver" | "taker")[],
  [before, after]: typeof SETS | typeof SINGLE = SETS,
): Promise<readonly string[]> {
  const { engine, environmentId } = stage;
  const program = (declared: Readonly<Record<"giver" | "taker", { readonly type: string; readonly inputs: object }>>) =>
    Object.fromEntries(
      order.map((name) => {
        const { type, inputs } = declared[name];
        return [name, { type, inputs: { environmentId, ...inputs } }];
      }),
    );
  const taker = (variables: object) => ({ type: "EnvVarSet", inputs: { variables } });
  await engine.up(program({ giver: before, taker: taker({ T: "1" }) }));
  return warningsOf(stage, program({ giver: after, taker: taker({ A: "2", T: "1" }) }));
}
