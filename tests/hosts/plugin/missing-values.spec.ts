import { expect } from "chai";
import { settings } from "../../../provider/src/framework/settings";
import { functions } from "../../../provider/src/functions";
import { resources } from "../../../provider/src/resources";
import { unmarked } from "../../support/marked-values";
import { failureOf, urnOf, usePlugin } from "./suite";

const ID = "8a1f0b9e-6c1d-4d5e-9f00-aabbccddeeff";

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

describe("native plugin, plain texts that read like secrets", () => {
  const plugin = usePlugin();

  const warned = async (bag: object, of: { preview?: boolean; settings?: object } = {}): Promise<readonly string[]> => {
    const calls = await plugin.begin({ previewChecks: "false", ...of.settings });
    const urn = urnOf("EnvVarSet", "vars");
    const marks = [["variables", "MARKED_KEY"]];
    const { inputs } = await calls.check(urn, unmarked({}), {
      bag: { environmentId: plugin.environment(), ...bag },
      marks,
    });
    await calls.create({ urn }, inputs, of.preview ?? true);
    const last = { bag: { environmentId: ID, variables: { LAST: "1" } }, marks: [["variables", "LAST"]] };
    await calls.check(urnOf("EnvVarSet", "last"), unmarked({}), last);
    await plugin.log.until(/^EnvVarSet "last"/u);
    return plugin.log.lines.map(({ text }) => text).filter((text) => text.includes("like a secret"));
  };
  const variables = { API_KEY: "tiger", MARKED_KEY: "tiger", OLD_KEY: "previewenv:existing:v1", LOG_LEVEL: "debug" };

  it("are named in a preview", async () => {
    const [text = "", ...others] = await warned({ variables });
    expect(others).to.deep.equal([]);
    expect(text).to.match(/^EnvVarSet "vars": variables\.API_KEY reads like a secret, and is plain text: /u);
    expect(text).to.match(
      /To hide \w+, use `secrets`, .+ For a value that is no secret, name the variable in previewenv:secretHints /u,
    );
    expect(text).not.to.contain("tiger");
  });

  for (const [what, bag, of] of [
    ["in an up", { variables: { API_KEY: "tiger" } }, { preview: false }],
    ["when the setting says so", { variables }, { settings: { secretHints: "false" } }],
    ["when the setting has their names", { variables }, { settings: { secretHints: "SORT_KEY, API_*" } }],
  ] as const)
    it(`are not named ${what}`, async () => {
      expect(await warned(bag, of)).to.deep.equal([]);
    });
});

const REASON = "an output or a setting that it comes from does not exist. Leave the name out, or give it a value";
