/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { version } from "../../package.json";
import { resources } from "../../provider/src/resources";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { checkDynamicEntry } from "../../sdk/nodejs/runtime/host";
import { identity } from "../../tools/release/owner";
import {
  anotherCopy,
  dependencies,
  endStage,
  environmentId,
  otherId,
  read,
  type Registered,
  secret,
  type StageOptions,
  startStage,
  unknownOutput,
} from "./stage";

const aliases = ({ request }: Registered): unknown =>
  request.getAliasesList().map((alias) => [alias.getSpec()?.getName(), alias.getSpec()?.getType()]);
/** The classes of an entry that tell resources apart. */
const classesOf = (entry: object): readonly object[] =>
  Object.values(entry).filter((value) => typeof value === "function" && "isInstance" in value);
/** What a class says of a resource. Policies call its method without the class. */
const holds = (one: object, resource: unknown): unknown =>
  Reflect.apply(Reflect.get(one, "isInstance"), undefined, [resource]);
const DYNAMIC_TYPE = "pulumi-nodejs:dynamic/previewenv:";
const NATIVE_TYPE = "previewenv:index:";

for (const [host, entry, ownType, otherType, plugin] of [
  ["the dynamic provider", dynamic, DYNAMIC_TYPE, NATIVE_TYPE, ["", ""]],
  ["the native plugin", native, NATIVE_TYPE, DYNAMIC_TYPE, [version, identity.pluginDownloadUrl]],
] as const) {
  const { EnvVarSet, EnvVar } = entry;
  const isNative = entry === native;
  /** The constant text that every state file holds. The plugin needs none. */
  const provider = (type: string): object =>
    isNative ? {} : { __provider: `exports.handler = () => require("pulumi-previewenv/dynamic").provider("${type}");` };

  describe(`a resource class of ${host}`, () => {
    afterEach(() => endStage());

    for (const { type } of resources)
      it(`${type} has its type, its plugin, and the other host's type as alias`, async () => {
        const stage = await startStage();
        const args = { environmentId, name: "A", value: "1", branches: {}, state: "running", action: "stop" };
        const made: unknown = Reflect.construct(Reflect.get(entry, type), ["one", { ...args, sequenceNumber: 1 }]);

        const one = await stage.find("one");

        expect(one.type).to.equal(ownType + type);
        expect([one.request.getVersion(), one.request.getPlugindownloadurl()]).to.deep.equal(plugin);
        expect(aliases(one)).to.deep.equal([["", otherType + type]]);
        expect(one.inputs).to.deep.include(provider(type));
        expect(made).to.be.instanceOf(Reflect.get(dynamic, type)).and.instanceOf(Reflect.get(entry, type));
        const known = [dynamic, native].flatMap((own) =>
          classesOf(own).filter((candidate) => holds(candidate, made) && holds(candidate, { __pulumiType: one.type })),
        );
        expect(known).to.deep.equal([Reflect.get(entry, type)]);
      });

    it("passes arguments as they are, secrets marked entry by entry, and does not let a program replace the text", async () => {
      const stage = await startStage();
      const secrets = { A: "1", B: pulumi.output("2"), C: pulumi.secret("3"), D: Promise.resolve("4") };
      const variables = { constructor: "a", "": "b", toString: pulumi.secret("c") };
      new EnvVarSet("vars", { environmentId, variables, secrets, services: ["web"], ...provider("EnvironmentState") });

      expect((await stage.find("vars")).inputs).to.deep.equal({
        environmentId,
        variables: { ...variables, toString: secret("c") },
        secrets: { A: secret("1"), B: secret("2"), C: secret("3"), D: secret("4") },
        services: ["web"],
        ...provider("EnvVarSet"),
      });
    });

    it("leaves maps and lists plain, so that a function in `transformations` can extend them", async () => {
      const stage = await startStage();
      const inputs = { variables: { A: "1", B: pulumi.output("2") }, secrets: { C: "3", D: pulumi.output("4") } };
      const extended: pulumi.ResourceTransformation = ({ props, opts }) => ({
        props: {
          ...props,
          variables: { ...props["variables"], MORE: "5" },
          secrets: { ...props["secrets"], MOST: "6" },
          services: [...props["services"], "api"],
        },
        opts,
      });
      new EnvVarSet("vars", { environmentId, ...inputs, services: ["web"] }, { transformations: [extended] });

      expect((await stage.find("vars")).inputs).to.deep.include({
        variables: { A: "1", B: "2", MORE: "5" },
        secrets: { C: secret("3"), D: secret("4"), MOST: "6" },
        services: ["web", "api"],
      });
    });

    it("hands Outputs to a function in `transformations` as Outputs, each as secret, known and dependent as before", async () => {
      const stage = await startStage({ preview: true });
      const { urn } = new EnvVar("source", { environmentId: otherId, name: "S", value: "1" });
      const entries = pulumi.output(0).apply(() => ({ A: "1", B: pulumi.secret("2") }));
      const services = [urn, unknownOutput<string>(), pulumi.secret("api")];
      const given = { environmentId: pulumi.output(environmentId), variables: entries, services };
      const known: unknown[] = [];
      const noted: pulumi.ResourceTransformation = ({ props }) => {
        for (const value of [props["environmentId"], props["variables"].A])
          value.apply((one: unknown) => known.push(one));
        return undefined;
      };
      new EnvVarSet("vars", given, { transformations: [noted] });

      const one = await stage.find("vars");
      expect(known).to.deep.equal([environmentId, "1"]);
      expect(one.inputs).to.deep.include({ environmentId, variables: { A: "1", B: secret("2") } });
      expect(one.inputs["services"]).to.deep.equal([
        (await read(urn)).value,
        pulumi.runtime.unknownValue,
        secret("api"),
      ]);
      expect(dependencies(one)).to.deep.equal(["source"]);
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
      new EnvVarSet("promise", { environmentId: otherId, secrets: Promise.resolve({ B: "2" }) });

      expect((await stage.find("output")).inputs["secrets"]).to.deep.equal(secret({ A: "1" }));
      expect((await stage.find("promise")).inputs["secrets"]).to.deep.equal(secret({ B: "2" }));
    });

    it("keeps the program's own options beside those of the class", async () => {
      const stage = await startStage();
      new EnvVarSet("vars", { environmentId }, { aliases: [{ name: "old" }], hideDiffs: ["services"], protect: true });

      const one = await stage.find("vars");

      expect(aliases(one)).to.deep.equal([
        ["old", ""],
        ["", `${otherType}EnvVarSet`],
      ]);
      expect(one.request.getHidediffsList()).to.deep.equal([
        "services",
        ...(isNative ? [] : ["__provider", "__unfinished", "__secretPaths", "__earlierSecrets", "__listed"]),
        "observed",
      ]);
      expect(one.request.getProtect()).to.equal(true);
      expect(one.request.getAdditionalsecretoutputsList()).to.deep.equal([]);
    });

    it("has Outputs of what it was given and what is computed, known or not, and none of bookkeeping", async () => {
      await startStage({ preview: true });
      const vars = new EnvVarSet("vars", { environmentId, variables: { A: "1" } });

      expect(await read(vars.variables)).to.deep.equal({ known: true, secret: false, value: { A: "1" } });
      for (const output of [vars.revision, vars.onConflict, vars.services])
        expect(await read<unknown>(output)).to.deep.equal({ known: false, secret: false });
      expect(vars).to.not.have.property("observed");
    });

    it("looks with `get` at what something else manages", async () => {
      const stage = await startStage({ real: true, found: { variables: { A: "1" }, revision: "r" } });
      new EnvVarSet("mine", { environmentId, variables: { A: "1" } });

      const seen = EnvVarSet.get("seen", `${environmentId}?names=A`);
      const one = EnvVar.get("one", `${environmentId}/A`, { hidden: false }, { protect: true });

      expect(seen).to.be.instanceOf(EnvVarSet);
      expect(await read(seen.variables)).to.deep.include({ known: true, value: { A: "1" } });
      expect((await read(seen.revision)).value).to.equal("r");
      await read(one.value);
      const looked = stage.looked.map((request) => [
        request.getType(),
        request.getId(),
        Object.keys(request.getProperties()?.toJavaScript() ?? {}),
        request.getAdditionalsecretoutputsList(),
      ]);
      const extra = [...(isNative ? [] : ["__get"]), ...Object.keys(provider("EnvVarSet"))];
      expect(looked).to.deep.equal([
        [`${ownType}EnvVarSet`, `${environmentId}?names=A`, extra, isNative ? [] : ["secrets"]],
        [`${ownType}EnvVar`, `${environmentId}/A`, [...extra, "hidden"].toSorted(), []],
      ]);
    });

    it("only looks with the `get` that a class of the program inherits, whatever arguments that class adds", async () => {
      const stage = await startStage();
      const Own: typeof dynamic.EnvVarSet = EnvVarSet;
      class Base extends Own {
        constructor(name: string, args = {}) {
          super(name, { environmentId, onConflict: "overwrite", ...args });
        }
      }

      const seen = Base.get("seen", environmentId);

      await read(seen.urn);
      expect(stage.registered).to.deep.equal([]);
      expect(stage.looked.map((request) => request.getType())).to.deep.equal([`${ownType}EnvVarSet`]);
      expect(Object.getPrototypeOf(seen)).to.equal(EnvVarSet.prototype);
    });
  });
}

describe("the classes of both hosts", () => {
  afterEach(() => endStage());

  it("share the checks: what two resources cannot both have is refused across the hosts too", async () => {
    await startStage();
    new dynamic.EnvVarSet("vars", { environmentId, variables: { A: "1" } });
    for (const name of ["two", "vars"])
      expect(() => new native.EnvVarSet(name, { environmentId, secrets: { A: "2" } })).to.throw(
        pulumi.RunError,
        /both declare the variable "A"/u,
      );
  });

  it("differ in an import: the plugin's have it, and the error of the others names the entry that can", async () => {
    const stage = await startStage();
    const options = { version: "9.9.9", pluginDownloadURL: "https://plugins.example", import: environmentId };

    expect(() => new dynamic.EnvVarSet("vars", { environmentId }, { import: environmentId })).to.throw(
      pulumi.RunError,
      /^EnvVarSet "vars": the option `import` .*\/native"/u,
    );
    expect(stage.registered).to.deep.equal([]);
    new native.EnvVarSet("vars", { environmentId }, options);
    const { request } = await stage.find("vars");
    expect([request.getVersion(), request.getPlugindownloadurl(), request.getImportid()]).to.deep.equal(
      Object.values(options),
    );
  });

  /** What the dynamic provider is told beside the inputs of two resources. */
  const told = async (options: StageOptions, name: string): Promise<readonly unknown[]> => {
    const stage = await startStage(options);
    // A component may have its own copy of the package.
    for (const [one, copy] of Object.entries({ one: dynamic, other: anotherCopy() }))
      new copy.EnvVar(one, { environmentId, name: one, value: "1" });
    const found = [await stage.find("one"), await stage.find("other")];
    endStage();
    return found.map(({ inputs }) => inputs[name]);
  };

  it("tell the dynamic provider of a preview, and not a unit test nor an up", async () => {
    expect(await told({ preview: true, real: true }, "__preview")).to.deep.equal([true, true]);
    for (const options of [{ preview: true }, { real: true }])
      expect(await told(options, "__preview")).to.deep.equal([undefined, undefined]);
  });

  it("tell the dynamic provider which resource a Check is about, and not a unit test", async () => {
    const identities = [`${DYNAMIC_TYPE}EnvVar::one`, `${DYNAMIC_TYPE}EnvVar::other`];
    expect(await told({ real: true }, "__identity")).to.deep.equal(identities);
    expect(await told({}, "__identity")).to.deep.equal([undefined, undefined]);
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

  /** The check in a process that Pulumi started by this file of its SDK. */
  const checkIn = (started: "run" | "run-plugin") => () => {
    const [, test = ""] = process.argv;
    process.argv[1] = path.join("node_modules", "@pulumi", "pulumi", "cmd", started);
    try {
      checkDynamicEntry(folder);
    } finally {
      process.argv[1] = test;
    }
  };

  it("finds the package among the program's own dependencies, does not take it for its own, and says what to install", () => {
    install(folder);
    expect(checkIn("run")).to.throw(pulumi.RunError, "`npm install pulumi-previewenv`");
    install(path.join(folder, "node_modules", "pulumi-previewenv"));
    expect(checkIn("run")).not.to.throw();
  });

  it("names the plugin to a component package, which programs without Node.js use", () => {
    expect(checkIn("run-plugin")).to.throw(
      pulumi.RunError,
      /In a component package, import the classes from "pulumi-previewenv\/native"/u,
    );
  });

  it("says that Yarn Plug'n'Play does not work", () => {
    Object.defineProperty(process.versions, "pnp", { value: "3", configurable: true });
    try {
      expect(checkIn("run")).to.throw(pulumi.RunError, /nodeLinker: node-modules/u);
    } finally {
      Reflect.deleteProperty(process.versions, "pnp");
    }
  });

  it("only warns an inline program, whose provider may start in another folder, and says what the folder depends on", async () => {
    const stage = await startStage({ real: true });
    const working = process.cwd();
    process.chdir(folder);
    try {
      for (const name of ["one", "other"]) new dynamic.EnvVarSet(name, { environmentId });
    } finally {
      process.chdir(working);
    }
    await stage.find("other");
    endStage();

    expect(stage.logged).to.have.length(1);
    expect(stage.logged[0]).to.match(
      /cannot be found from .*`workDir`.*`projectSettings\.main`.*"pulumi-previewenv\/native"/u,
    );
  });
});

for (const [host, entry, engineType, prefix, plugin] of [
  ["the dynamic provider", dynamic, "pulumi-nodejs", "previewenv:", ["", ""]],
  ["the native plugin", native, "previewenv", "", [version, identity.pluginDownloadUrl]],
] as const) {
  const { Provider } = entry;
  describe(`a Provider of ${host}`, () => {
    afterEach(() => endStage());

    it("hands on its settings as text, the token as a secret, those of stack config too, and nothing of the environment", async () => {
      pulumi.runtime.setAllConfig({
        "previewenv:baseUrl": "https://stack.example",
        "previewenv:batchSize": "7",
        "previewenv:maxConcurrency": "",
      });
      process.env["PREVIEWENV_API_TOKEN"] = "token-of-the-environment";
      const stage = await startStage();
      new Provider("mine", {
        apiToken: "token",
        batchSize: pulumi.output(50),
        maxRetries: 0,
        allowInsecureHttp: pulumi.output(false),
      });
      new Provider("bare");
      delete process.env["PREVIEWENV_API_TOKEN"];

      const { type, inputs, request } = await stage.find("mine");

      expect(type).to.equal(`pulumi:providers:${engineType}`);
      expect(inputs).to.deep.equal({
        [`${prefix}baseUrl`]: "https://stack.example",
        [`${prefix}apiToken`]: secret("token"),
        [`${prefix}maxRetries`]: "0",
        [`${prefix}batchSize`]: "50",
        [`${prefix}allowInsecureHttp`]: "false",
      });
      expect((await stage.find("bare")).inputs).to.deep.equal({
        [`${prefix}baseUrl`]: "https://stack.example",
        [`${prefix}batchSize`]: "7",
      });
      expect([request.getVersion(), request.getPlugindownloadurl()]).to.deep.equal(plugin);
    });

    it("lets the engine show no address with credentials, which the provider refuses", async () => {
      const stage = await startStage();
      const baseUrl = "https://service.example/?key=hunter2";
      new Provider("mine", { baseUrl, apiToken: "token" });
      expect((await stage.find("mine")).inputs).to.deep.include({ [`${prefix}baseUrl`]: secret(baseUrl) });
    });

    it("warns of settings that do not exist, in its arguments and in stack config, with the nearest one", async () => {
      pulumi.runtime.setAllConfig({ "previewenv:maxRetry": "1" });
      const stage = await startStage();
      Reflect.construct(Provider, ["mine", { apitoken: "hidden-1", batchSize: 5 }]);
      Reflect.construct(Provider, ["other", {}]);

      expect(stage.logged).to.deep.equal([
        "previewenv:maxRetry is not a setting of previewenv and has no effect. Did you mean previewenv:maxRetries?",
        'previewenv.Provider "mine": apitoken is not a setting of previewenv and has no effect. Did you mean apiToken?',
      ]);
      await stage.find("other");
    });

    it("is refused by the resources, functions and components of the other host", async () => {
      const stage = await startStage();
      const provider = new Provider("mine", {});
      const other = entry === native ? dynamic : native;
      const environment = { id: environmentId };
      const text = new RegExp(
        `(?:"it"|getEnvironment) is served by the .*, and the option \`provider\` is a provider of the package ${engineType}\\. Give it a ` +
          '`previewenv\\.Provider` that is imported from "pulumi-previewenv.*", as the rest is\\.$',
        "u",
      );

      expect(() => new other.EnvVarSet("it", { environmentId }, { provider })).to.throw(pulumi.RunError, text);
      expect(() => other.getEnvironmentOutput(environment, { provider })).to.throw(pulumi.RunError, text);
      for (const options of [{ provider }, { providers: [provider] }, { providers: { any: provider } }])
        expect(() => new other.PreviewEnvironment("it", { environment }, options)).to.throw(pulumi.RunError, text);
      const match = { repoName: "web" };
      expect(() => new other.PreviewEnvironments("it", { match, each: () => ({}) }, { provider })).to.throw(text);
      await stage.find("mine");
      expect(stage.registered.map(({ name }) => name)).to.deep.equal(["mine"]);
      const both = [provider, new other.Provider("other", {})];
      new other.PreviewEnvironment("both", { environment }, { providers: both });
      await stage.find("both");
    });
  });
}
