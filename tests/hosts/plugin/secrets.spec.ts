import { expect } from "chai";
import type { Properties } from "../../../provider/src/framework/properties";
import { isMarked, type Marked, type Marks, textsOf, unmarked } from "../../support/marked-values";
import { urnOf, usePlugin } from "./suite";

const SECRET = "S3CR3T-of-the-test";

/** The paths at which a secret is plain. */
function plainIn({ bag, marks }: Marked): readonly string[] {
  const found = textsOf(bag, []).filter(({ text, path }) => text.includes(SECRET) && !isMarked(marks, path));
  return found.map(({ path }) => path.join("."));
}

describe("native plugin, a Pulumi secret in a list", () => {
  const plugin = usePlugin();

  // The second item is the secret. Check sorts the items of all lists but the last two.
  const lists: readonly (readonly [string, Properties, Marks[number]])[] = [
    ["EnvVarSet", { variables: { A: "1" }, services: ["web", SECRET] }, ["services"]],
    ["EnvVarSet", { variables: { A: "1" }, scopes: { A: ["web", SECRET] } }, ["scopes", "A"]],
    ["EnvVar", { name: "A", value: "1", services: ["web", SECRET] }, ["services"]],
    ["EnvironmentBranches", { rebuildOn: [], requires: ["THERE", SECRET], waitForBuild: false }, ["requires"]],
    ["EnvironmentBranches", { rebuildOn: ["1", SECRET], waitForBuild: false }, ["rebuildOn"]],
    ["EnvVarSet", { variables: { A: "1" }, prune: true, keep: ["A*", SECRET] }, ["keep"]],
  ];
  for (const [type, declared, list] of lists)
    it(`is one in whatever order the list is stored: ${type}, ${list.join(".")}`, async () => {
      const calls = await plugin.begin();
      const variables = ["THERE", SECRET].map((name) => ({ name, value: "1" }));
      const environmentId = plugin.environment(type === "EnvironmentBranches" ? { variables } : {});
      const urn = urnOf(type, "one");
      const news = { bag: { environmentId, ...declared }, marks: [[...list, "1"]] };
      const { inputs } = await calls.check(urn, unmarked({}), news);
      const { id, outputs } = await calls.create({ urn }, inputs);
      // As an earlier version stored them: with the mark of the second item.
      const stored = { outputs: { ...outputs, marks: news.marks }, inputs: { ...inputs, marks: news.marks } };
      const read = await calls.read({ urn, id }, stored);
      for (const answer of [inputs, outputs, read.inputs, read.outputs]) expect(plainIn(answer)).to.deep.equal([]);
      const again = (await calls.check(urn, read.inputs, news)).inputs;
      for (const { inputs: oldInputs, outputs: olds } of [stored, read])
        expect((await calls.diff({ urn, id, olds, oldInputs, news: again })).getChanges()).to.equal(1);
    });
});
