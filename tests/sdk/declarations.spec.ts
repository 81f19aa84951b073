/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import {
  EnvironmentBranches,
  type EnvironmentBranchesArgs,
  EnvironmentState,
  EnvVar,
  EnvVarSet,
  type EnvVarSetArgs,
  Provider,
} from "../../sdk/nodejs";
import {
  Component,
  endStage,
  environmentId,
  hosts,
  otherId,
  read,
  startStage,
  unhandled,
  unknownOutput,
} from "./stage";

describe("resources of one environment", () => {
  beforeEach(() => startStage());
  afterEach(() => endStage());

  const letters = environmentId.replaceAll("1", "a");
  const set = (name: string, args: Partial<EnvVarSetArgs>) => () => new EnvVarSet(name, { environmentId, ...args });
  const state = (name: string, wanted: "running" | "stopped") => () =>
    new EnvironmentState(name, { environmentId, state: wanted });
  const branches = (name: string, args: Partial<EnvironmentBranchesArgs>) => () =>
    new EnvironmentBranches(name, { environmentId, branches: { web: "main" }, ...args });
  const waking = branches("waking", { whenStopped: "wake" });
  const pruner = set("pruner", { prune: true });
  const clashes: readonly (readonly [one: () => unknown, other: () => unknown, text: RegExp])[] = [
    [
      set("base", { environmentId: letters, variables: { PORT: "1" } }),
      () => new EnvVar("extra", { environmentId: letters.toUpperCase(), name: "PORT", value: "2" }),
      /^EnvVar\w* "\w+" and EnvVar\w* "\w+" both declare the variable "PORT"/u,
    ],
    [
      pruner,
      () => new EnvVar("single", { environmentId, name: "A", value: "1" }),
      /^EnvVarSet "pruner" has `prune: true`, and EnvVar "single" declares/u,
    ],
    [
      pruner,
      set("other", { secrets: { A: "1" } }),
      /^EnvVarSet "pruner" has `prune: true`, and EnvVarSet "other" declares variables/u,
    ],
    [pruner, set("empty", { variables: {} }), /^EnvVarSet "pruner" has `prune: true`, and EnvVarSet "empty" declares/u],
    [state("one", "running"), state("two", "running"), /both decide whether the same environment runs/u],
    [state("one", "running"), state("two", "stopped"), /both decide whether the same environment runs/u],
    [branches("one", {}), branches("two", { branches: { api: "main" } }), /both decide the branches/u],
    [
      waking,
      state("off", "stopped"),
      /^EnvironmentBranches "waking" has `whenStopped: "wake"`, and EnvironmentState "off" has `state: "stopped"` for the same/u,
    ],
  ];
  for (const [one, other, text] of clashes)
    it(`are refused, whichever comes first: ${text.source}`, async () => {
      for (const [first, second] of [
        [one, other],
        [other, one],
      ] as const) {
        await startStage();
        first();
        expect(second).to.throw(pulumi.RunError, text);
      }
    });

  it("are refused in a unit test with what such tests have to do", () => {
    set("one", { variables: { A: "1" } })();
    expect(set("two", { variables: { A: "2" } })).to.throw(pulumi.RunError, /call `setMocks` before each test/u);
  });

  it("are accepted where only one starts or stops the environment", async () => {
    state("off", "stopped")();
    branches("skipping", { whenStopped: "skip" })();
    branches("elsewhere", { environmentId: otherId, whenStopped: "wake" })();
    await startStage();
    state("on", "running")();
    waking();
  });

  it("are refused once Outputs are known: one error without a stack, and no property waits for it", async () => {
    new EnvVarSet("one", { environmentId: pulumi.output(environmentId), variables: { A: "1" } });
    let second: EnvVarSet | undefined;

    const [error, ...others] = await unhandled(() => {
      second = new EnvVarSet("two", { environmentId, variables: pulumi.output({ A: "2" }) });
    });

    expect(pulumi.RunError.isInstance(error)).to.equal(true);
    expect(Reflect.get(Object(error), "stack")).to.match(/^EnvVarSet.* both declare the variable "A".*$/u);
    expect(others).to.deep.equal([]);
    expect(second && (await read(second.variables))).to.deep.equal({ known: true, secret: false, value: { A: "2" } });
  });

  it("are refused when `prune` is an Output", async () => {
    new EnvVarSet("one", { environmentId, variables: { A: "1" } });

    const [error] = await unhandled(() => new EnvVarSet("two", { environmentId, prune: pulumi.output(true) }));

    expect(String(error)).to.include('EnvVarSet "two" has `prune: true`');
  });

  it("are not compared with those of another run of a program in this process", async () => {
    new EnvVarSet("one", { environmentId, variables: { A: "1" } });
    await startStage();

    new EnvVarSet("two", { environmentId, variables: { A: "1" } });
  });

  it("are not compared with one that the program only looks at", () => {
    new EnvVarSet("one", { environmentId, variables: { A: "1" } });

    new EnvVarSet("seen", { environmentId, variables: { A: "1" } }, { id: environmentId });
  });

  it("are compared within one service: that of their Provider, however its address is written", async () => {
    const at = (name: string, baseUrl: string) => new Provider(name, { baseUrl, apiToken: "t" });
    const component = new Component("component", { providers: [at("one", "https://staging.example.com/v2")] });
    new EnvVarSet("default", { environmentId, variables: { A: "1" } });
    new EnvVarSet("staging", { environmentId, variables: { A: "1" } }, { parent: component });
    new EnvVarSet(
      "production",
      { environmentId, variables: { A: "1" } },
      { provider: at("two", "https://example.com") },
    );

    const [error] = await unhandled(() => {
      const provider = at("three", "HTTPS://Staging.example.com/v2/");
      new EnvVarSet("again", { environmentId, variables: { A: "1" } }, { provider });
    });

    expect(String(error)).to.include('EnvVarSet "staging" and EnvVarSet "again" both declare the variable "A"');
  });

  it("are not compared while a preview does not know enough", async () => {
    const stage = await startStage({ preview: true });
    new EnvVarSet("one", { environmentId: unknownOutput<string>(), variables: { A: "1" } });
    new EnvVarSet("two", { environmentId, variables: unknownOutput<Record<string, string>>() });
    new EnvVarSet("three", { environmentId, variables: { A: unknownOutput<string>() } });

    expect((await stage.find("three")).inputs["variables"]).to.deep.equal({ A: pulumi.runtime.unknownValue });
    await setImmediate();
  });

  it("with 1000 variables are compared by names alone: a value may be unknown", async () => {
    await startStage({ preview: true });
    const names = Array.from({ length: 1000 }, (_, index) => `NAME_${index}`);
    new EnvVarSet("one", { environmentId, variables: Object.fromEntries(names.map((name) => [name, ""])) });

    expect(() => new EnvVarSet("two", { environmentId, secrets: { NAME_999: unknownOutput<string>() } })).to.throw(
      pulumi.RunError,
      '"NAME_999"',
    );
  });
});

describe("resources of one name in two components", () => {
  const component = (type: string, parent?: pulumi.Resource): pulumi.Resource =>
    // One class: the name of a class says nothing.
    new pulumi.ComponentResource(type, "app", {}, parent === undefined ? {} : { parent });
  beforeEach(() => startStage());
  afterEach(() => endStage());

  for (const { host, entry, typePrefix } of hosts)
    it(`are refused, and named with the types of their parents (${host})`, () => {
      const args = { environmentId, variables: { A: "1" } };
      new entry.EnvVarSet("vars", args, { parent: component("app:index:Inner", component("app:index:Front")) });

      const back = component("app:index:Inner", component("app:index:Back"));
      expect(() => new entry.EnvVarSet("vars", args, { parent: back })).to.throw(
        `EnvVarSet "vars" (app:index:Front$app:index:Inner$${typePrefix}EnvVarSet::vars) and ` +
          `EnvVarSet "vars" (app:index:Back$app:index:Inner$${typePrefix}EnvVarSet::vars) both declare`,
      );
      expect(() => new entry.EnvVarSet("vars", args)).to.throw(
        `EnvVarSet "vars" (${typePrefix}EnvVarSet::vars) both declare`,
      );
    });

  it("are left to the engine when all parents have the same types: it knows them as one, and says so", async () => {
    const args = { environmentId, variables: { A: "1" }, prune: true };
    const outers = ["one", "other"].map((name) => new pulumi.ComponentResource("app:index:Front", name));
    for (const parent of outers) new EnvVarSet("vars", args, { parent: component("app:index:Inner", parent) });

    await startStage();
    new EnvVarSet("vars", args);
    new EnvVarSet("vars", args, { parent: new pulumi.ComponentResource("pulumi:pulumi:Stack", "stack") });
  });
});
