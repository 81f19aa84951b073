/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { EnvVar, EnvVarSet, Provider } from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { endStage, type Stage, type StageOptions, secret, startStage, unhandled, unknownOutput } from "./stage";

const environmentId = "11111111-1111-4111-8111-1111111111aa";
const other = "22222222-2222-4222-8222-2222222222bb";
const variables = { A: "1" };

/** A run that the program takes for one of the real engine. */
const start = (options: StageOptions = {}): Promise<Stage> => startStage({ ...options, real: true });
const hint = async (stage: Stage, name: string): Promise<unknown> =>
  (await stage.find(name)).inputs["__declaredByOthers"];
const turns = async (count = 20): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await setImmediate();
};
const isRegistered = ({ registered }: Stage, wanted: string): boolean => registered.some(({ name }) => name === wanted);

describe("what a set is told of the other resources of its environment", () => {
  afterEach(() => endStage());

  it("is the sorted names of all variables that they declare, whatever their host and Provider", async () => {
    const stage = await start();
    new EnvVarSet("first", { environmentId, variables });
    new EnvVarSet("set", { environmentId, variables: { Z: "1" }, secrets: { S: "1" } });
    new EnvVar("single", { environmentId: environmentId.toUpperCase(), name: "B", value: "1" });
    new native.EnvVarSet("native", { environmentId, variables: { N: "1" } });
    const provider = new Provider("second", {});
    new EnvVarSet("elsewhere", { environmentId, secrets: { P: pulumi.secret("1") } }, { provider });

    expect(await hint(stage, "first")).to.deep.equal(["B", "N", "P", "S", "Z"]);
    expect(await hint(stage, "native")).to.deep.equal(["A", "B", "P", "S", "Z"]);
    expect((await stage.find("single")).inputs).not.to.have.property("__declaredByOthers");
  });

  it("is nothing when no other resource declares variables there", async () => {
    const stage = await start();
    new EnvVarSet("alone", { environmentId, variables });
    new EnvVarSet("elsewhere", { environmentId: other, variables });
    new EnvVarSet("seen", { environmentId, variables }, { id: environmentId });

    expect((await stage.find("alone")).inputs).not.to.have.property("__declaredByOthers");
    expect(stage.looked[0]?.getProperties()?.toJavaScript()).not.to.have.property("__declaredByOthers");
  });

  it("is nothing in a unit test of the program, whose inputs it compares", async () => {
    const stage = await startStage();
    new EnvVarSet("one", { environmentId, variables });
    new EnvVarSet("two", { environmentId, variables: { B: "1" } });

    expect((await stage.find("two")).inputs).not.to.have.property("__declaredByOthers");
  });

  it("is a secret when names come from a secret", async () => {
    const stage = await start();
    new EnvVarSet("one", { environmentId, variables });
    new EnvVarSet("two", { environmentId, secrets: pulumi.secret({ B: "1" }) });
    new EnvVarSet("three", { environmentId: other, variables });
    new EnvVar("four", { environmentId: other, name: pulumi.secret("B"), value: "1" });

    expect(await hint(stage, "one")).to.deep.equal(secret(["B"]));
    expect(await hint(stage, "two")).to.deep.equal(["A"]);
    expect(await hint(stage, "three")).to.deep.equal(secret(["B"]));
  });

  it("has the names of what is declared later in the same turn, with ids and maps of functions", async () => {
    let answer: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    // The SDK awaits what a mock answers.
    const call: StageOptions["call"] = () => Object.assign(answered.then(() => ({ id: environmentId, url: "B" })));
    const stage = await start({ call });
    new EnvVarSet("giver", { environmentId, variables });
    const found = native.getEnvironmentOutput({ name: "shop" });
    new EnvVarSet("taker", { environmentId: found.id, variables: found.url.apply((name) => ({ [name]: "1" })) });
    const plain = native.getEnvironment({ name: "shop" });
    new EnvVar("single", { environmentId: plain.then(({ id }) => id), name: Promise.resolve("C"), value: "1" });

    await turns();
    expect(isRegistered(stage, "giver")).to.equal(false);
    answer?.();
    expect(await hint(stage, "giver")).to.deep.equal(["B", "C"]);
    expect(await hint(stage, "taker")).to.deep.equal(["A", "C"]);
  });

  it("has outputs of other stacks, however late", async () => {
    const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
    const stage = await start({ found: promise });
    new EnvVarSet("giver", { environmentId, variables });
    const id = new pulumi.StackReference("organization/project/stack").requireOutput("id").apply(String);
    new EnvVarSet("taker", { environmentId: id, variables: { B: "1" } });

    await turns();
    expect(isRegistered(stage, "giver")).to.equal(false);
    resolve({ outputs: { id: environmentId } });
    expect(await hint(stage, "giver")).to.deep.equal(["B"]);
  });

  it("lacks what is declared in a later turn, and what a preview does not know", async () => {
    const stage = await start({ preview: true });
    new EnvVarSet("giver", { environmentId, variables });
    new EnvVarSet("unknown", { environmentId: unknownOutput<string>(), variables: { B: "1" } });
    new EnvVarSet("map", { environmentId, variables: unknownOutput<Record<string, string>>() });
    expect(await hint(stage, "giver")).to.deep.equal([]);
    expect(await hint(stage, "unknown")).to.equal(undefined);

    new EnvVarSet("late", { environmentId, variables: { C: "1" } });
    expect(await hint(stage, "late")).to.deep.equal(["A"]);
  });

  it("lacks what failed, and that is one error of the resource whose input it is", async () => {
    const stage = await start();
    const failure = new Error("not found");
    const errors = await unhandled(() => {
      new EnvVarSet("giver", { environmentId, variables });
      const failed = pulumi.output("").apply((): string => {
        throw failure;
      });
      new EnvVarSet("failed", { environmentId: failed, variables: { B: "1" } });
      new EnvVarSet("map", { environmentId, variables: failed.apply((name) => ({ [name]: "1" })) });
    });

    expect(errors).to.deep.equal([failure]);
    expect(await hint(stage, "giver")).to.deep.equal([]);
  });

  it("is one list for each, also for two hundred", async () => {
    const stage = await start();
    const count = 200;
    new EnvVarSet("set", { environmentId, variables });
    for (let index = 0; index < count; index++)
      new EnvVar(`single-${index}`, { environmentId: pulumi.output(environmentId), name: `N${index}`, value: "1" });

    expect(await hint(stage, "set")).to.have.length(count);
  });
});

describe("a set does not wait for another resource that waits for it", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => {
    mock.timers.reset();
    endStage();
  });
  const registeredAtOnce = async (stage: Stage, ...names: readonly string[]): Promise<void> => {
    await turns();
    expect(names.filter((name) => !isRegistered(stage, name))).to.deep.equal([]);
  };

  it("when an id or a map is one of its outputs", async () => {
    const stage = await start();
    const first = new EnvVarSet("first", { environmentId, variables });
    new EnvVarSet("second", { environmentId: first.environmentId, variables: { B: "1" } });
    new EnvVarSet("third", { environmentId, variables: first.revision.apply(() => ({ C: "1" })) });

    await registeredAtOnce(stage, "first", "second", "third");
    expect(await hint(stage, "first")).to.deep.equal([]);
  });

  it("when the answer of a function waits for it, be it in a component", async () => {
    const stage = await start({ call: () => ({ id: environmentId }) });
    const first = new EnvVarSet("first", { environmentId, variables });
    const holder = new pulumi.ComponentResource("app:index:Holder", "holder");
    new EnvVarSet("held", { environmentId: other, variables }, { parent: holder });
    const dependencies: Record<string, pulumi.InvokeOutputOptions["dependsOn"]> = {
      B: first,
      C: [first],
      D: [first.urn.apply(() => first)],
      E: holder,
    };
    for (const [name, dependsOn = []] of Object.entries(dependencies)) {
      const found = native.getEnvironmentOutput({ name: "shop" }, { dependsOn });
      new EnvVarSet(name, { environmentId: found.id, variables: { [name]: "1" } });
    }
    const ofOutput = native.getEnvironmentOutput({ name: first.revision.apply(String) });
    new EnvVarSet("F", { environmentId: ofOutput.id, variables: { F: "1" } });

    await registeredAtOnce(stage, "first", "held", "B", "C", "D", "E", "F");
  });

  it("when a PreviewEnvironment depends on another", async () => {
    const stage = await start({ call: ({ inputs }) => ({ id: inputs["name"], name: "shop", url: "", projects: [] }) });
    const args = { environment: { name: environmentId }, variableSets: { app: { variables } } };
    const first = new native.PreviewEnvironment("first", args);
    const second = { ...args, environment: { name: other } };
    new native.PreviewEnvironment("second", second, { dependsOn: first });

    await registeredAtOnce(stage, "first-app", "second-app");
  });

  it("longer than 5 s when an Output of the program hides that, after all calls of functions", async () => {
    let answer: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const call: StageOptions["call"] = () => Object.assign(answered.then(() => ({ id: environmentId })));
    const stage = await start({ call });
    const first = new EnvVarSet("first", { environmentId, variables });
    const hidden = pulumi.output("").apply(() => first.environmentId);
    new EnvVarSet("hidden", { environmentId: hidden, variables: { B: "1" } });
    const promised: Promise<pulumi.Resource> = Promise.resolve(first);
    const waiting = native.getEnvironmentOutput({ name: "shop" }, { dependsOn: promised });
    new EnvVarSet("promised", { environmentId: waiting.id, variables: { C: "1" } });
    const found = native.getEnvironmentOutput({ name: "shop" });
    new EnvVarSet("found", { environmentId: found.id, variables: { D: "1" } });

    await turns();
    mock.timers.tick(5_000);
    await turns();
    expect(isRegistered(stage, "first")).to.equal(false);
    answer?.();
    expect(await hint(stage, "first")).to.deep.equal(["D"]);
    expect(await hint(stage, "hidden")).to.deep.equal(["A", "C", "D"]);
    expect(await hint(stage, "promised")).to.deep.equal(["A", "B", "D"]);
  });

  it("longer than 5 s when another stack is read after it", async () => {
    const stage = await start({ found: { outputs: { id: environmentId } } });
    const first = new EnvVarSet("first", { environmentId, variables });
    const reference = new pulumi.StackReference("organization/project/stack", {}, { dependsOn: first });
    new EnvVarSet("taker", { environmentId: reference.requireOutput("id").apply(String), variables: { B: "1" } });

    await turns();
    expect(isRegistered(stage, "first")).to.equal(false);
    mock.timers.tick(5_000);
    expect(await hint(stage, "first")).to.equal(undefined);
    expect(await hint(stage, "taker")).to.deep.equal(["A"]);
  });
});
