/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { EnvironmentBranches, EnvironmentState, EnvVar, EnvVarSet } from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { endStage, environmentId, hosts, otherId, read, startStage, unhandled, unknownOutput } from "./stage";

describe("resources of one environment", () => {
  beforeEach(() => startStage());
  afterEach(() => endStage());

  it("are refused when two declare the same variable, and both are named", () => {
    new EnvVarSet("base", { environmentId, variables: { PORT: "1", A: "1" } });

    expect(() => new EnvVarSet("extra", { environmentId, secrets: { PORT: "2" } })).to.throw(
      pulumi.RunError,
      'EnvVarSet "base" and EnvVarSet "extra" both declare the variable "PORT" of the same environment: each would ' +
        "overwrite the other's value. Declare it in only one of them.",
    );
  });

  it("are refused when one is declared through each entry of the package", () => {
    const args = { environmentId, variables: { PORT: "1" } };
    new EnvVarSet("vars", args);
    expect(() => new native.EnvVarSet("more", args)).to.throw('EnvVarSet "vars" and EnvVarSet "more" both declare');
  });

  it("are refused when a set and a single one declare the same variable, or one prunes beside it", async () => {
    const letters = environmentId.replaceAll("1", "a");
    new EnvVarSet("base", { environmentId: letters, variables: { PORT: "1" } });
    const capitals = letters.toUpperCase();
    expect(() => new EnvVar("extra", { environmentId: capitals, name: "PORT", value: "2" })).to.throw(
      pulumi.RunError,
      /^EnvVarSet "base" and EnvVar "extra" both declare the variable "PORT"/u,
    );

    await startStage();
    new EnvVar("one", { environmentId, name: "A", value: "1" });
    new EnvVar("two", { environmentId, name: "B", value: "1" });
    expect(() => new EnvVarSet("pruner", { environmentId, prune: true })).to.throw(
      pulumi.RunError,
      /^EnvVarSet "pruner" has `prune: true`, and EnvVar "one" declares/u,
    );
  });

  it("are refused beside one that prunes, whichever comes first", async () => {
    const text = /^EnvVarSet "pruner" has `prune: true`, and EnvVarSet "other" declares variables/u;
    new EnvVarSet("pruner", { environmentId, prune: true });
    expect(() => new EnvVarSet("other", { environmentId, variables: {} })).to.throw(pulumi.RunError, text);

    await startStage();
    new EnvVarSet("other", { environmentId, secrets: { A: "1" } });
    expect(() => new EnvVarSet("pruner", { environmentId, prune: true })).to.throw(pulumi.RunError, text);
  });

  it("are refused when two decide whether the environment runs, whatever they decide", async () => {
    for (const state of ["running", "stopped"] as const) {
      await startStage();
      new EnvironmentState("one", { environmentId, state: "running" });
      expect(() => new EnvironmentState("two", { environmentId, state })).to.throw(
        pulumi.RunError,
        /^EnvironmentState "one" and EnvironmentState "two" both decide whether the same environment runs/u,
      );
    }
  });

  it("are refused when two decide the branches", () => {
    new EnvironmentBranches("one", { environmentId, branches: { web: "main" } });

    expect(() => new EnvironmentBranches("two", { environmentId, branches: { api: "main" } })).to.throw(
      pulumi.RunError,
      /^EnvironmentBranches "one" and EnvironmentBranches "two" both decide the branches/u,
    );
  });

  it("are refused when one starts the environment and the other stops it, whichever comes first", async () => {
    const text =
      /^EnvironmentBranches "waking" has `whenStopped: "wake"`, and EnvironmentState "off" has `state: "stopped"` for the same/u;
    const [waking, off] = [
      { environmentId, branches: { web: "main" }, whenStopped: "wake" } as const,
      { environmentId, state: "stopped" } as const,
    ];
    new EnvironmentBranches("waking", waking);
    expect(() => new EnvironmentState("off", off)).to.throw(pulumi.RunError, text);

    await startStage();
    new EnvironmentState("off", off);
    expect(() => new EnvironmentBranches("waking", waking)).to.throw(pulumi.RunError, text);

    await startStage();
    new EnvironmentState("off", off);
    new EnvironmentBranches("skipping", { ...waking, whenStopped: "skip" });
    new EnvironmentBranches("elsewhere", { ...waking, environmentId: otherId });

    await startStage();
    new EnvironmentState("on", { environmentId, state: "running" });
    new EnvironmentBranches("waking", waking);
  });

  it("are accepted when they do not touch each other", () => {
    new EnvVarSet("one", { environmentId, variables: { A: "1" }, secrets: { B: "2" } });
    new EnvVarSet("two", { environmentId, variables: { C: "3" } });
    new EnvironmentBranches("branches", { environmentId, branches: { web: "main" } });
    new EnvVarSet("elsewhere", { environmentId: otherId, variables: { A: "1" }, prune: true });
    new EnvironmentBranches("there", { environmentId: otherId, branches: { web: "main" } });
  });

  it("are refused once Outputs are known: one error without a stack, and no property waits for it", async () => {
    new EnvVarSet("one", { environmentId: pulumi.output(environmentId), variables: { A: "1" } });
    let second: EnvVarSet | undefined;

    const [error, ...others] = await unhandled(() => {
      second = new EnvVarSet("two", { environmentId, variables: pulumi.output({ A: "2" }) });
    });

    expect(pulumi.RunError.isInstance(error)).to.equal(true);
    expect(String(error)).to.include('both declare the variable "A"');
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
