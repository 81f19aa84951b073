import { expect } from "chai";
import type { Properties } from "../../../provider/src/framework/properties";
import { UNKNOWN } from "../../../provider/src/framework/properties";
import { isMarked, leaves, type Marks, unmarked } from "../../support/marked-values";
import { failureOf, make, urnOf, usePlugin } from "./suite";

const ID = "8a1f0b9e-6c1d-4d5e-9f00-aabbccddeeff";
const SECRET = "s3cr3t-value-of-the-test";

describe("native plugin, check and diff", () => {
  const plugin = usePlugin();

  // PluginCalls holds every failure to the empty property: the engine prints the value of one that is named.
  const refused: readonly (readonly [string, string, Properties, Marks, RegExp])[] = [
    [
      "a secret of the wrong type",
      "EnvVarSet",
      { secrets: { A: [SECRET] } },
      [["secrets"]],
      /^secrets\.A must be a string$/u,
    ],
    ["secrets that are no map", "EnvVarSet", { secrets: SECRET }, [["secrets"]], /^secrets must be a map$/u],
    [
      "a value of the wrong type",
      "EnvVar",
      { name: "A", value: { inner: SECRET } },
      [["value"]],
      /^value must be a string$/u,
    ],
    [
      "a secret that is no choice",
      "EnvVarSet",
      { onConflict: SECRET },
      [["onConflict"]],
      /^onConflict must be one of/u,
    ],
    [
      "a secret that is no UUID",
      "EnvVarSet",
      { environmentId: SECRET },
      [["environmentId"]],
      /^environmentId must be a UUID$/u,
    ],
    [
      "secrets under a name that cannot be",
      "EnvVarSet",
      { secrets: { "": SECRET } },
      [["secrets", ""]],
      /^secrets\."" /u,
    ],
  ];
  for (const [what, type, declared, marks, text] of refused)
    it(`refuses ${what} by its path, without the value, which stays marked`, async () => {
      const calls = await plugin.begin();
      const news = { bag: { environmentId: ID, ...declared }, marks };
      const { inputs, failures } = await calls.check(urnOf(type, "one"), unmarked({}), news);
      expect(failures).to.have.length(1);
      expect(failures[0]).to.match(text).and.not.to.contain(SECRET);
      const secret = leaves(inputs.bag).filter((path) => isMarked(marks, path));
      expect(secret).to.have.length(1);
      for (const path of secret) expect(isMarked(inputs.marks, path), path.join(".")).to.equal(true);
      expect(plugin.requests()).to.deep.equal([]);
    });

  it("fills in defaults, which a program in YAML does not send, and marks what the declaration says", async () => {
    const calls = await plugin.begin();
    const news = unmarked({ environmentId: ID, name: "A", value: SECRET });
    const { inputs } = await calls.check(urnOf("EnvVar", "one"), unmarked({}), news);
    expect(inputs.bag).to.deep.include({ value: SECRET, hidden: true, onConflict: "fail" });
    expect(inputs.marks).to.deep.equal([["value"]]);
  });

  const shown: readonly (readonly [string, string, Properties, Marks, readonly string[]])[] = [
    [
      "entries of a set",
      "EnvVarSet",
      { variables: { A: SECRET, B: "plain", C: UNKNOWN } },
      [
        ["variables", "A"],
        ["variables", "C"],
      ],
      ["variables.A", "variables.C"],
    ],
    [
      "a whole map",
      "EnvVarSet",
      { variables: { A: SECRET, B: "plain" } },
      [["variables"]],
      ["variables.A", "variables.B"],
    ],
    [
      "not of a single one, which generated SDKs mark whatever the program passes",
      "EnvVar",
      { name: "A", value: SECRET, hidden: false },
      [["value"]],
      [],
    ],
    ["a variable that is hidden", "EnvVar", { name: "A", value: SECRET }, [["value"]], []],
  ];
  for (const [what, type, declared, marks, paths] of shown)
    it(`warns of Pulumi secrets that the service shows: ${what}`, async () => {
      const calls = await plugin.begin();
      const urn = urnOf(type, "one");
      await calls.check(urn, unmarked({}), { bag: { environmentId: ID, ...declared }, marks });
      // Messages come in their order: after that of this resource there is none of the other one.
      const last = { bag: { environmentId: ID, variables: { LAST: "1" } }, marks: [["variables", "LAST"]] };
      await calls.check(urnOf("EnvVarSet", "last"), unmarked({}), last);
      await plugin.log.until(/^EnvVarSet "last"/u);
      const lines = plugin.log.lines.slice(0, -1);
      const told = paths.length === 0 ? [] : [`${type} "one": ${paths.join(", ")}`];
      expect(lines.map(({ text }) => text.split(/ (?:is|are) /u)[0])).to.deep.equal(told);
      for (const line of lines) expect(line).to.include({ severity: "warning", urn });
      expect(JSON.stringify(plugin.log.lines)).not.to.contain(SECRET);
    });

  it("names in a diff what has changed, but for what the program ignores", async () => {
    const calls = await plugin.begin();
    const environmentId = plugin.environment();
    const declared = { environmentId, variables: { "A.B": "1", C: "1" }, secrets: { D: "hidden-one" } };
    const { id, inputs, outputs } = await make(calls, { type: "EnvVarSet", name: "vars" }, declared);
    const urn = urnOf("EnvVarSet", "vars");
    const after = { environmentId, variables: { "A.B": "2", C: "2" }, secrets: { D: "hidden-two" } };
    const news = (await calls.check(urn, inputs, unmarked(after))).inputs;
    const comparison = { urn, id, olds: outputs, oldInputs: inputs, news };
    const all = await calls.diff(comparison);
    expect([...all.getDetaileddiffMap().keys()].toSorted()).to.deep.equal([
      "secrets.D",
      "variables.C",
      'variables["A.B"]',
    ]);
    const ignoreChanges = ['variables["A.B"]', "secrets[*]"];
    const some = await calls.diff({ ...comparison, ignoreChanges });
    expect([...some.getDetaileddiffMap().keys()]).to.deep.equal(["variables.C"]);
    expect(some.getDiffsList()).to.deep.equal(["variables"]);
    const none = await calls.diff({ ...comparison, ignoreChanges: ["variables", "secrets.D"] });
    expect(none.getChanges()).to.equal(1);
    expect(none.getDiffsList()).to.deep.equal([]);
  });

  it("refuses a type that this version does not have", async () => {
    const calls = await plugin.begin();
    const failure = await failureOf(calls.check(urnOf("Nonsense", "one"), unmarked({}), unmarked({})));
    expect(failure.message).to.contain("Nonsense");
  });
});
