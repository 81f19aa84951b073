import { expect } from "chai";
import { type Properties, UNKNOWN } from "../../../provider/src/framework/properties";
import { settings } from "../../../provider/src/framework/settings";
import { functions } from "../../../provider/src/functions";
import { resources } from "../../../provider/src/resources";
import { isMarked, leaves, type Marks, unmarked } from "../../support/marked-values";
import type { PluginCalls } from "../../support/plugin-calls";
import { failureOf, make, type PluginSuite, urnOf, usePlugin } from "./suite";

const ID = "8a1f0b9e-6c1d-4d5e-9f00-aabbccddeeff";
const SECRET = "s3cr3t-value-of-the-test";
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";

/** Messages come in their order: after this one there is none of an earlier call. */
async function warnOfLast(plugin: PluginSuite, calls: PluginCalls): Promise<void> {
  const last = { bag: { environmentId: ID, variables: { LAST: "1" } }, marks: [["variables", "LAST"]] };
  await calls.check(urnOf("EnvVarSet", "last"), unmarked({}), last);
  await plugin.log.until(/^EnvVarSet "last"/u);
}

describe("native plugin, check and diff", () => {
  const plugin = usePlugin();

  // PluginCalls holds every failure to the empty property: the engine prints the value of one that is named.
  const refused: readonly (readonly [string, Properties, Marks[number], RegExp])[] = [
    [
      "EnvVarSet",
      { secrets: { A: [SECRET] } },
      ["secrets"],
      /^secrets\.A must be a string, but is a list: if it is JSON of stack config, store it/u,
    ],
    ["EnvVarSet", { secrets: SECRET }, ["secrets"], /^secrets must be a map, but is a string$/u],
    [
      "EnvVar",
      { name: "A", value: { inner: SECRET } },
      ["value"],
      /^value must be a string, but is a map: if it is JSON of stack config, store it/u,
    ],
    ["EnvVarSet", { onConflict: SECRET }, ["onConflict"], /^onConflict must be one of/u],
    ["EnvVarSet", { secrets: { "": SECRET } }, ["secrets", ""], /^secrets has an entry with an empty name/u],
  ];
  for (const [type, declared, mark, text] of refused)
    it(`refuses what is wrong by its path, without the value, which stays marked: ${String(text)}`, async () => {
      const marks = [mark];
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

  // A preview knows no id of a new resource, and the engine sends "" then. A component has none.
  for (const id of [{ id: ID }, { id: "" }, {}])
    it(`refuses a resource in the place of one of its outputs, whatever its id: ${JSON.stringify(id)}`, async () => {
      const calls = await plugin.begin();
      const set = { [SIGNATURE]: RESOURCE, urn: urnOf("EnvVarSet", "vars"), ...id };
      const revision = "its `revision`, or another of its outputs";
      for (const [type, declared, marks, reasons] of [
        ["EnvironmentBranches", { rebuildOn: ["1", set] }, [], [`rebuildOn.1 is a resource. Pass ${revision}`]],
        [
          "EnvironmentBranches",
          { rebuildOn: [{ of: [set] }] },
          [],
          [`rebuildOn.0.of.0 is a resource. Pass ${revision}`],
        ],
        ["EnvVarSet", { triggers: { vars: set } }, [], [`triggers.vars is a resource. Pass ${revision}`]],
        [
          "EnvVarSet",
          { variables: { A: set }, secrets: { B: set } },
          [["secrets", "B"]],
          ["variables.A is a resource. Pass one of its outputs", "secrets.B is a resource. Pass one of its outputs"],
        ],
        ["EnvVar", { name: "A", value: set }, [["value"]], ["value is a resource. Pass one of its outputs"]],
        ["EnvironmentState", { environmentId: set }, [], ["environmentId is a resource. Pass one of its outputs"]],
      ] as const) {
        const news = { bag: { environmentId: ID, ...declared }, marks };
        expect((await calls.check(urnOf(type, "one"), unmarked({}), news)).failures).to.have.members(reasons);
      }
    });

  const entries = [
    ["variables", "A"],
    ["variables", "C"],
  ];
  const variables = { A: SECRET, B: "plain", C: UNKNOWN };
  // Generated SDKs mark the value of an EnvVar, whatever the program passes.
  const one = { name: "A", value: SECRET };
  const told = { __secretPaths: [["value"]] };
  const shown: readonly (readonly [string, string, Properties, Marks, readonly string[]])[] = [
    ["entries of a set", "EnvVarSet", { variables }, entries, ["variables.A", "variables.C"]],
    ["a whole map", "EnvVarSet", { variables: { A: SECRET } }, [["variables"]], ["variables"]],
    [
      "a visible EnvVar, when the program tells it",
      "EnvVar",
      { ...one, hidden: false, ...told },
      [["value"]],
      ["value"],
    ],
    ["not of another visible EnvVar", "EnvVar", { ...one, hidden: false }, [["value"]], []],
    ["not of a hidden EnvVar", "EnvVar", { ...one, ...told }, [["value"]], []],
  ];
  for (const [what, type, declared, marks, paths] of shown)
    it(`warns of Pulumi secrets that the service shows: ${what}`, async () => {
      const calls = await plugin.begin();
      const urn = urnOf(type, "one");
      await calls.check(urn, unmarked({}), { bag: { environmentId: ID, ...declared }, marks });
      await warnOfLast(plugin, calls);
      const lines = plugin.log.lines.slice(0, -1);
      const expected = paths.length === 0 ? [] : [`${type} "one": ${paths.join(", ")}`];
      expect(lines.map(({ text }) => text.split(/ (?:is|are) /u)[0])).to.deep.equal(expected);
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

  it("refuses an import of something else than the program declares, also in a preview", async () => {
    const calls = await plugin.begin();
    const seed = { variables: ["A", "B"].map((name) => ({ name, value: "1", hidden: false })) };
    const [environmentId, other] = [plugin.environment(seed), plugin.environment(seed)];
    const set = { environmentId, variables: { A: "1" } };
    const single = { environmentId, name: "A", value: "1", hidden: false };
    for (const [type, id, declared, wrong] of [
      ["EnvVarSet", environmentId, set, []],
      ["EnvVarSet", environmentId.toUpperCase(), set, []],
      ["EnvVarSet", other, set, ["environmentId"]],
      ["EnvVarSet", other, { ...set, environmentId: UNKNOWN }, []],
      ["EnvironmentBranches", other, { environmentId, branches: { web: "main" } }, ["environmentId"]],
      ["EnvVar", `${environmentId}/A`, single, []],
      ["EnvVar", `${environmentId}/B`, single, ["name"]],
      ["EnvVar", `${other}/B`, single, ["environmentId", "name"]],
    ] as const) {
      await plugin.begin({}, calls);
      const urn = urnOf(type, "one");
      const { inputs } = await calls.read({ urn, id });
      const { failures } = await calls.check(urn, inputs, unmarked(declared));
      expect(
        failures.map((text) => text.split(" ")[0]),
        `${type} ${id}`,
      ).to.deep.equal(wrong);
      for (const text of failures) expect(text).to.contain(`pulumi state delete '${urn}'`);
    }
  });

  it("refuses an import of a component, and says how its children are imported", async () => {
    const calls = await plugin.begin();
    for (const type of ["PreviewEnvironment", "PreviewEnvironments"]) {
      const { message } = await failureOf(calls.read({ urn: urnOf(type, "one"), id: plugin.environment() }));
      expect(message).to.contain(`${type} is a component`).and.contain("--file").and.contain('"component": true');
    }
  });

  it("refuses a type that this version does not have", async () => {
    const calls = await plugin.begin();
    const failure = await failureOf(calls.check(urnOf("Nonsense", "one"), unmarked({}), unmarked({})));
    expect(failure.message).to.contain("Nonsense");
  });
});

describe("native plugin, what two resources both declare", () => {
  const plugin = usePlugin();

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

  it("is not what a preview does not know yet: two environments to be, two names to be", async () => {
    const calls = await plugin.begin();
    for (const name of ["one", "other"])
      for (const [type, declared] of [
        ["EnvVarSet", { environmentId: UNKNOWN, variables: { A: "1" } }],
        ["EnvVar", { environmentId: ID, name: UNKNOWN, value: "1" }],
      ] as const) {
        const { failures } = await calls.check(urnOf(type, name), unmarked({}), unmarked(declared));
        expect(failures).to.deep.equal([]);
      }
  });
});

/** What a program in another language has given no value. What its SDK drops on the way is not seen. */
describe("native plugin, null", () => {
  const plugin = usePlugin();

  for (const { type, inputs } of resources)
    it(`is refused in each input of ${type}, and has no effect in state`, async () => {
      const calls = await plugin.begin();
      for (const name of Object.keys(inputs.shape)) {
        const news = unmarked({ environmentId: ID, name: "A", value: "1", [name]: null });
        const { failures } = await calls.check(urnOf(type, "one"), unmarked({}), news);
        expect(failures).to.include(`${name} has no value: ${REASON}`);
        // State of every version so far, and what the engine keeps of it.
        const old = await calls.check(urnOf(type, "one"), unmarked({ [name]: null }), unmarked({}));
        expect(old.failures.join()).not.to.contain("has no value");
      }
      expect(plugin.requests()).to.deep.equal([]);
    });

  it("is refused in a map and in a list, a secret null too, but not in rebuildOn", async () => {
    const calls = await plugin.begin();
    const marks = [["secrets", "B"]];
    const variables = { A: "1", B: null };
    const cases: readonly (readonly [string, object, string?])[] = [
      ["EnvVarSet", { variables }, "variables.B"],
      ["EnvVarSet", { secrets: variables }, "secrets.B"],
      ["EnvVarSet", { services: [null] }, "services.0"],
      ["EnvVarSet", { variables: { A: "1" }, scopes: { A: null } }, "scopes.A"],
      ["EnvironmentBranches", { branches: { web: null } }, "branches.web"],
      ["EnvironmentBranches", { rebuildOn: [null, "1"] }],
    ];
    for (const [type, bag, path] of cases) {
      const news = { bag: { environmentId: ID, ...bag }, marks };
      const { failures } = await calls.check(urnOf(type, "one"), unmarked({}), news);
      expect(failures).to.deep.equal(path === undefined ? [] : [`${path} has no value: ${REASON}`]);
    }
  });

  it("is refused in each argument of a function, before a request", async () => {
    const calls = await plugin.begin();
    for (const { name: called, inputs } of functions)
      for (const name of Object.keys(inputs.shape)) {
        const failure = await failureOf(calls.invoke(`previewenv:index:${called}`, unmarked({ [name]: null })));
        expect(failure.message).to.contain(`${called}: ${name} has no value: `);
      }
    expect(plugin.requests()).to.deep.equal([]);
  });

  it("is refused in each setting of a provider", async () => {
    const calls = await plugin.begin();
    const given = { baseUrl: plugin.sandbox.url, apiToken: "token" };
    for (const { name } of settings) {
      const { failures } = await calls.checkConfig(unmarked({ ...given, [name]: null }));
      expect(failures).to.deep.equal([`previewenv:${name} has no value: ${REASON}.`]);
    }
  });
});

// Settings and texts: tests/contract/previews.spec.ts, tests/env-vars/secret-hints.spec.ts. Here is what the engine alone tells.
describe("native plugin, plain texts that read like secrets", () => {
  const plugin = usePlugin();

  for (const [phase, names] of [
    ["preview", ["variables.API_KEY"]],
    ["up", []],
  ] as const)
    it(`are named in a preview, but for those that are Pulumi secrets: ${phase}`, async () => {
      const calls = await plugin.begin({ previewChecks: "false" });
      const bag = { environmentId: plugin.environment(), variables: { API_KEY: "tiger", MARKED_KEY: "tiger" } };
      const urn = urnOf("EnvVarSet", "vars");
      const { inputs } = await calls.check(urn, unmarked({}), { bag, marks: [["variables", "MARKED_KEY"]] });
      await calls.create({ urn }, inputs, phase === "preview");
      await warnOfLast(plugin, calls);
      const texts = plugin.log.lines.map(({ text }) => text).filter((text) => text.includes("like a secret"));
      expect(texts.map((text) => /^EnvVarSet "vars": (.*) reads like/u.exec(text)?.[1])).to.deep.equal(names);
    });
});

const REASON = "an output or a setting that it comes from does not exist. Leave the name out, or give it a value";
