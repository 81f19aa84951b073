import { expect } from "chai";
import { contract, type Scenario } from "../support/stage";

const ENVIRONMENTS = 4;
const PARTS = ["app", "jobs", "edge"] as const;
const SETS = ENVIRONMENTS * PARTS.length;
const NAMES = ["MODE", "URL"] as const;
const reads = (count: number): readonly string[] => Array.from({ length: count }, () => "GET /env-vars");

const manyEnvironments: Scenario = {
  title: "with three sets in each of four: a preview reads once for each environment, a refresh once for each set",
  async run({ engine, addEnvironment, requests }) {
    const ids = Array.from({ length: ENVIRONMENTS }, (_, index) => addEnvironment({ name: `pr-${index}` }));
    const sets = ids.flatMap((environmentId, index) =>
      PARTS.map((part) => {
        const declared = Object.fromEntries(NAMES.map((name) => [`${part}_${name}`, "1"]));
        return [`${part}-${index}`, { type: "EnvVarSet", inputs: { environmentId, variables: declared } }] as const;
      }),
    );
    const program = Object.fromEntries(sets);
    await engine.preview(program);
    expect(requests()).to.deep.equal(reads(ENVIRONMENTS));
    await engine.up(program, { parallel: true });
    expect(requests().filter((label) => label === "PUT /env-vars")).to.have.length(SETS);
    await engine.preview(program);
    await engine.up(program, { parallel: true });
    expect(requests()).to.deep.equal([]);
    await engine.refresh();
    expect(requests()).to.deep.equal(reads(SETS));
    await engine.destroy();
    const deletes = Array.from({ length: SETS * NAMES.length }, () => "DELETE /env-vars");
    expect(requests().toSorted()).to.deep.equal([...deletes, ...reads(ENVIRONMENTS)]);
  },
};

contract("the requests of many environments", [manyEnvironments]);
