import { expect } from "chai";
import { UNKNOWN, type Properties } from "../../../provider/src/framework/properties";
import { unmarked } from "../../support/marked-values";
import type { PluginCalls } from "../../support/plugin-calls";
import { make, urnOf, usePlugin } from "./suite";

const ID = "8a1f0b9e-6c1d-4d5e-9f00-aabbccddeeff";

describe("native plugin, what two resources both declare", () => {
  const plugin = usePlugin();

  const check = async (calls: PluginCalls, type: string, name: string, declared: Properties) =>
    (await calls.check(urnOf(type, name), unmarked({}), unmarked({ environmentId: ID, ...declared }))).failures;

  const refused: readonly (readonly [string, readonly [string, Properties], readonly [string, Properties], RegExp])[] =
    [
      [
        "a variable in two sets",
        ["EnvVarSet", { variables: { A: "1" } }],
        ["EnvVarSet", { secrets: { A: "s" } }],
        /"A"/u,
      ],
      ["a variable of a set", ["EnvVarSet", { secrets: { A: "1" } }], ["EnvVar", { name: "A", value: "s" }], /"A"/u],
      [
        "anything beside a set that prunes",
        ["EnvVar", { name: "A", value: "s" }],
        ["EnvVarSet", { prune: true }],
        /prune/u,
      ],
      [
        "the branches of one environment",
        ["EnvironmentBranches", { branches: { web: "main" } }],
        ["EnvironmentBranches", { branches: { api: "main" } }],
        /EnvironmentBranches/u,
      ],
      [
        "whether the environment runs",
        ["EnvironmentState", { state: "running" }],
        ["EnvironmentState", { state: "stopped" }],
        /EnvironmentState/u,
      ],
      [
        "a variable, with the UUID in capitals",
        ["EnvVar", { name: "A", value: "1" }],
        ["EnvVar", { name: "A", value: "2", environmentId: ID.toUpperCase() }],
        /"A"/u,
      ],
    ];
  for (const [what, [oneType, one], [otherType, other], text] of refused)
    it(`is refused: ${what}; both resources are named`, async () => {
      const calls = await plugin.begin();
      expect(await check(calls, oneType, "one", one)).to.deep.equal([]);
      const failures = await check(calls, otherType, "other", other);
      expect(failures).to.have.length(1);
      expect(failures[0]).to.match(text).and.to.contain(`${oneType} "one"`).and.to.contain(`${otherType} "other"`);
    });

  it("is refused of one name in two components, and told apart", async () => {
    const calls = await plugin.begin();
    const checkIn = async (parents: string) => {
      const urn = urnOf("EnvVarSet", "vars").replace("previewenv:", `${parents}$previewenv:`);
      const declared = unmarked({ environmentId: ID, variables: { A: "1" } });
      return { urn, failures: (await calls.check(urn, unmarked({}), declared)).failures };
    };
    const one = await checkIn("app:index:Front$app:index:Inner");
    const other = await checkIn("app:index:Back$app:index:Inner");

    expect(one.failures).to.deep.equal([]);
    expect(other.failures.join("")).to.contain(
      `EnvVarSet "vars" (${one.urn}) and EnvVarSet "vars" (${other.urn}) both`,
    );
  });

  it("is one resource when it is checked again: a replace does that, without its old inputs", async () => {
    const calls = await plugin.begin();
    const environmentId = plugin.environment();
    const declared = { environmentId, variables: { A: "1" }, prune: true };
    const { inputs } = await make(calls, { type: "EnvVarSet", name: "vars" }, declared);
    for (const olds of [inputs, unmarked({})])
      expect((await calls.check(urnOf("EnvVarSet", "vars"), olds, unmarked(declared))).failures).to.deep.equal([]);
  });

  it("is nothing of the next run", async () => {
    expect(await check(await plugin.begin(), "EnvVar", "one", { name: "A", value: "1" })).to.deep.equal([]);
    expect(await check(await plugin.begin(), "EnvVar", "other", { name: "A", value: "1" })).to.deep.equal([]);
  });

  it("is not what a preview does not know yet: two environments to be, two names to be", async () => {
    const calls = await plugin.begin();
    for (const name of ["one", "other"]) {
      expect(await check(calls, "EnvVarSet", name, { environmentId: UNKNOWN, variables: { A: "1" } })).to.deep.equal(
        [],
      );
      expect(await check(calls, "EnvVar", name, { name: UNKNOWN, value: "1" })).to.deep.equal([]);
    }
  });
});
