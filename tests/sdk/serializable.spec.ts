/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { runInNewContext } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { EnvironmentBranches, EnvVarSet, getEnvironments, getEnvironmentsOutput, Provider } from "../../sdk/nodejs";
import { endStage, startStage } from "./stage";

const environmentId = "11111111-1111-4111-8111-111111111142";

class Vault {
  readonly A = "hunter2";
}

describe("what the Pulumi SDK cannot carry", () => {
  afterEach(() => endStage());

  for (const [what, property, value, text] of [
    [
      "a Map",
      "secrets",
      new Map([["A", "hunter2"]]),
      /secrets is a Map: .* would not send what is in it\. Pass a plain object /u,
    ],
    ["a Map", "triggers", new Map(), /triggers is a Map/u],
    ["a Set", "services", new Set(["web"]), /services is a Set: .* a list \(`\[\.\.\.set\]`\)/u],
    ["a Date", "variables", { NOW: new Date(0) }, /variables\.NOW is a Date: .*toISOString/u],
    ["an instance of a class", "variables", new URLSearchParams("A=hunter2"), /variables is a URLSearchParams/u],
    ["an instance of a class", "secrets", new Vault(), /secrets is a Vault: .*Pass a plain object/u],
    ["a function", "variables", { A: "1", B: () => "hunter2" }, /variables\.B is a function: .*Call it/u],
    ["a function", "keep", () => ["hunter2"], /keep is a function/u],
    ["half a character", "secrets", { A: "hunter2\ud83c" }, /secrets\.A contains half of a character/u],
    ["half a character in a name", "variables", { "A\udf89": "hunter2" }, /a name in variables contains half/u],
  ] as const)
    it(`is refused: ${what} as ${property}`, async () => {
      await startStage();

      const make = (): unknown => Reflect.construct(EnvVarSet, ["vars", { environmentId, [property]: value }]);

      expect(make).to.throw(pulumi.RunError, text).with.property("message").that.does.not.contain("hunter2");
    });

  it("is refused in every class, in lists as well, and as arguments", async () => {
    await startStage();
    const refused: readonly (readonly [make: () => unknown, text: RegExp])[] = [
      [
        () => Reflect.construct(EnvironmentBranches, ["b", { environmentId, branches: new Map() }]),
        /branches is a Map/u,
      ],
      [
        () => new EnvironmentBranches("b", { environmentId, rebuildOn: ["x", { at: new Date() }] }),
        /rebuildOn\[1\]\.at is a Date/u,
      ],
      [() => Reflect.construct(EnvVarSet, ["vars", new Map()]), /the second argument must be an object/u],
      [() => Reflect.construct(Provider, ["p", new Map()]), /the second argument must be an object/u],
    ];
    for (const [make, text] of refused) expect(make).to.throw(pulumi.RunError, text);
  });

  it("is not what is plain: without a prototype, of another context, the environment of the process", async () => {
    const stage = await startStage();
    const bare: Record<string, string> = Object.assign(Object.create(null), { A: "1" });
    const foreign: Record<string, string> = runInNewContext('({ B: "2" })');
    Reflect.construct(EnvVarSet, [
      "plain",
      { environmentId, variables: bare, triggers: foreign, secrets: process.env },
    ]);
    new EnvironmentBranches("b", { environmentId, rebuildOn: [Promise.resolve(1), [pulumi.output(2)]] });

    expect((await stage.find("plain")).inputs).to.deep.include({ variables: { A: "1" }, triggers: { B: "2" } });
    expect((await stage.find("b")).inputs["rebuildOn"]).to.have.length(2);
  });

  it("is refused as the arguments of a function, which would then filter nothing", async () => {
    await startStage();
    const text = "getEnvironments: the first argument must be an object.";
    const map = new Map([["repoName", "web"]]);

    expect(() => Reflect.apply(getEnvironmentsOutput, undefined, [map])).to.throw(pulumi.RunError, text);
    const refused: unknown = await Reflect.apply(getEnvironments, undefined, [map]).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(pulumi.RunError).with.property("message", text);
  });
});
