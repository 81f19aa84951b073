/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { EnvironmentBranches, EnvVar, EnvVarSet } from "../../sdk/nodejs";
import { requireDynamicEntry } from "../../sdk/nodejs/runtime/host";
import { endStage, read, type StageOptions, startStage, unknownOutput } from "./stage";

const environmentId = "11111111-1111-4111-8111-111111111142";
const SIGNATURE = pulumi.runtime.specialSigKey;
const secret = (value: unknown): unknown => ({ [SIGNATURE]: pulumi.runtime.specialSecretSig, value });

describe("a resource class", () => {
  afterEach(() => endStage());

  it("registers the dynamic type with the constant text that every state file holds", async () => {
    const stage = await startStage();
    new EnvVarSet("vars", { environmentId, variables: { A: "1" } });
    new EnvironmentBranches("branches", { environmentId, branches: { web: "main" } });

    const vars = await stage.find("vars");
    const branches = await stage.find("branches");

    expect(vars.type).to.equal("pulumi-nodejs:dynamic/previewenv:EnvVarSet");
    expect(vars.inputs["__provider"]).to.equal(
      'exports.handler = () => require("pulumi-previewenv/dynamic").provider("EnvVarSet");',
    );
    expect(branches.type).to.equal("pulumi-nodejs:dynamic/previewenv:EnvironmentBranches");
    expect(branches.inputs["__provider"]).to.equal(
      'exports.handler = () => require("pulumi-previewenv/dynamic").provider("EnvironmentBranches");',
    );
  });

  it("passes inputs as they are, and does not let a program replace the text", async () => {
    const stage = await startStage();
    const odd = { environmentId, variables: { constructor: "a", "": "b" }, services: ["web"], __provider: "mine" };
    new EnvVarSet("vars", odd);

    const { inputs } = await stage.find("vars");

    expect(inputs["variables"]).to.deep.equal({ constructor: "a", "": "b" });
    expect(inputs["services"]).to.deep.equal(["web"]);
    expect(inputs["__provider"]).to.match(/^exports\.handler/u);
  });

  it("tells the engine of a preview, one for all its resources, and not a unit test nor an up", async () => {
    const passed = async (options: StageOptions): Promise<readonly unknown[]> => {
      const stage = await startStage(options);
      for (const name of ["one", "other"]) new EnvVar(name, { environmentId, name, value: "1" });
      const found = [await stage.find("one"), await stage.find("other")];
      endStage();
      return found.map(({ inputs }) => inputs["__preview"]);
    };
    const [one, other] = await passed({ preview: true, real: true });
    expect(one).to.be.a("string").and.to.equal(other);
    expect(await passed({ preview: true, real: true })).not.to.contain(one);
    expect(await passed({ preview: true })).to.deep.equal([undefined, undefined]);
    expect(await passed({ real: true })).to.deep.equal([undefined, undefined]);
  });

  it("adds the native type as alias and hides bookkeeping from diffs, beside the program's own options", async () => {
    const stage = await startStage();
    const options = { aliases: [{ name: "old" }], hideDiffs: ["services"], protect: true };
    new EnvVarSet("vars", { environmentId, variables: {} }, options);

    const { request } = await stage.find("vars");

    const aliases = request.getAliasesList().map((alias) => [alias.getSpec()?.getName(), alias.getSpec()?.getType()]);
    expect(aliases).to.deep.equal([
      ["old", ""],
      ["", "previewenv:index:EnvVarSet"],
    ]);
    expect(request.getHidediffsList()).to.deep.equal(["services", "__provider", "observed"]);
    expect(request.getProtect()).to.equal(true);
  });

  it("gives computed outputs that a preview does not know, and inputs that it does", async () => {
    await startStage({ preview: true });
    const vars = new EnvVarSet("vars", { environmentId, variables: { A: "1" } });

    expect(await read(vars.revision)).to.deep.equal({ known: false, secret: false });
    expect(await read(vars.variables)).to.deep.equal({ known: true, secret: false, value: { A: "1" } });
  });

  it("has no Output of bookkeeping, which only costs time: no program can read it", async () => {
    await startStage();
    const vars = new EnvVarSet("vars", { environmentId, variables: { A: "1" } });

    expect(vars).to.have.property("revision");
    expect(vars).to.not.have.property("observed");
  });

  it("makes a map of secrets secret entry by entry, Outputs included", async () => {
    const stage = await startStage();
    new EnvVarSet("vars", { environmentId, secrets: { A: "1", B: pulumi.output("2"), C: pulumi.secret("3") } });

    const { inputs } = await stage.find("vars");

    expect(inputs["secrets"]).to.deep.equal({ A: secret("1"), B: secret("2"), C: secret("3") });
  });

  it("makes a single value secret, unless the program says literally that it may be seen", async () => {
    const stage = await startStage();
    new EnvVar("hidden", { environmentId, name: "A", value: "1" });
    new EnvVar("open", { environmentId, name: "B", value: "2", hidden: false });
    new EnvVar("later", { environmentId, name: "C", value: "3", hidden: pulumi.output(false) });

    expect((await stage.find("hidden")).inputs["value"]).to.deep.equal(secret("1"));
    expect((await stage.find("open")).inputs["value"]).to.equal("2");
    expect((await stage.find("later")).inputs["value"]).to.deep.equal(secret("3"));
  });

  it("makes an Output or a Promise of a map one secret", async () => {
    const stage = await startStage();
    new EnvVarSet("output", { environmentId, secrets: pulumi.output({ A: "1" }) });
    const promised = { environmentId: environmentId.replace("1", "2"), secrets: Promise.resolve({ B: "2" }) };
    new EnvVarSet("promise", promised);

    expect((await stage.find("output")).inputs["secrets"]).to.deep.equal(secret({ A: "1" }));
    expect((await stage.find("promise")).inputs["secrets"]).to.deep.equal(secret({ B: "2" }));
  });

  it("refuses a name that the SDK would lose, without a stack", async () => {
    await startStage();
    const secrets: Record<string, string> = JSON.parse('{"__proto__": "x"}');

    expect(() => new EnvVarSet("vars", { environmentId, secrets })).to.throw(
      pulumi.RunError,
      /^EnvVarSet "vars": secrets has an entry named "__proto__"/u,
    );
  });

  it("refuses an undefined value, which the SDK would leave out", async () => {
    await startStage();
    const secrets: Record<string, string> = JSON.parse("{}");
    Reflect.set(secrets, "TOKEN", undefined);

    expect(() => new EnvVarSet("vars", { environmentId, secrets })).to.throw(
      pulumi.RunError,
      /secrets\.TOKEN has no value/u,
    );
  });

  it("refuses arguments that are no object", async () => {
    await startStage();
    for (const args of [undefined, null, "text", [], pulumi.output({})])
      expect(() => Reflect.construct(EnvVarSet, ["vars", args])).to.throw(
        pulumi.RunError,
        'EnvVarSet "vars": the second argument must be an object.',
      );
  });
});

describe("warnings of a resource class", () => {
  afterEach(() => endStage());

  it("name a Pulumi secret that the service would show, without its value", async () => {
    const stage = await startStage();
    const variables = { PLAIN: pulumi.output("a"), TOKEN: pulumi.secret("hunter2") };
    new EnvVarSet("vars", { environmentId, variables });
    await stage.find("vars");

    expect(stage.logged).to.deep.equal([
      'EnvVarSet "vars": variables.TOKEN is a Pulumi secret, and the service shows it to everybody who can open the ' +
        "dashboard; use `secrets`.",
    ]);
  });

  it("name the whole map when it is one secret", async () => {
    const stage = await startStage();
    new EnvVarSet("vars", { environmentId, variables: pulumi.secret({ A: "1" }) });
    await stage.find("vars");

    expect(stage.logged.join()).to.match(/^EnvVarSet "vars": variables is a Pulumi secret/u);
  });

  it("speak once per program of a token in clear, and not of a secret one", async () => {
    const key = "previewenv:apiToken";
    pulumi.runtime.setAllConfig({ [key]: "token-in-clear" });
    const first = await startStage();
    new EnvVarSet("one", { environmentId, variables: {} });
    new EnvironmentBranches("two", { environmentId, branches: {} });
    pulumi.runtime.setAllConfig({ [key]: "secret-token" }, [key]);
    const second = await startStage();
    new EnvVarSet("one", { environmentId, variables: {} });
    pulumi.runtime.setAllConfig({});

    expect(first.logged).to.deep.equal([
      "previewenv:apiToken is in the stack's config as plain text: run " +
        "`pulumi config set --secret previewenv:apiToken <value>`.",
    ]);
    expect(second.logged).to.deep.equal([]);
  });

  it("speak once per program of settings in stack config that do not exist, with the nearest one that does", async () => {
    const config = {
      "previewenv:maxRetry": "1",
      "previewenv:region": "x",
      "previewenv:batchSize": "5",
      "other:maxRetry": "1",
    };
    pulumi.runtime.setAllConfig(config);
    const stage = await startStage();
    new EnvVarSet("one", { environmentId, variables: {} });
    new EnvironmentBranches("two", { environmentId, branches: {} });

    expect(stage.logged).to.have.length(2);
    expect(stage.logged[0]).to.equal(
      "previewenv:maxRetry is not a setting of previewenv and has no effect. Did you mean previewenv:maxRetries?",
    );
    expect(stage.logged[1]).to.match(
      /^previewenv:region is not a setting of previewenv .+ The settings are baseUrl, /u,
    );
  });

  it("are not given for what a preview does not know", async () => {
    const stage = await startStage({ preview: true });
    new EnvVarSet("vars", { environmentId, variables: { A: unknownOutput<string>() } });
    await stage.find("vars");

    expect(stage.logged).to.deep.equal([]);
  });
});

describe("the look for the dynamic entry", () => {
  let folder = "";
  const install = (at: string): void => {
    mkdirSync(at, { recursive: true });
    const manifest = { name: "pulumi-previewenv", exports: { "./dynamic": "./dynamic.js" } };
    writeFileSync(path.join(at, "package.json"), JSON.stringify(manifest));
    writeFileSync(path.join(at, "dynamic.js"), "");
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "program-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("finds the package among the program's own dependencies", () => {
    install(path.join(folder, "node_modules", "pulumi-previewenv"));

    expect(() => requireDynamicEntry(folder)).not.to.throw();
  });

  it("says what to install when it is not there", () => {
    expect(() => requireDynamicEntry(folder)).to.throw(pulumi.RunError, "`npm install pulumi-previewenv`");
  });

  it("does not take the package for its own dependency", () => {
    install(folder);

    expect(() => requireDynamicEntry(folder)).to.throw(pulumi.RunError);
  });

  it("says that Yarn Plug'n'Play does not work", () => {
    Object.defineProperty(process.versions, "pnp", { value: "3", configurable: true });
    try {
      expect(() => requireDynamicEntry(folder)).to.throw(pulumi.RunError, /nodeLinker: node-modules/u);
    } finally {
      Reflect.deleteProperty(process.versions, "pnp");
    }
  });
});
