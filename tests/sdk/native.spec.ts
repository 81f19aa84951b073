/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { version } from "../../package.json";
import { resources } from "../../provider/src/resources";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { endStage, read, type Registered, startStage } from "./stage";
import { identity } from "../../tools/release/owner";

const environmentId = "11111111-1111-4111-8111-111111111142";
const other = "22222222-2222-4222-8222-222222222242";
const SDK = path.join(__dirname, "..", "..", "sdk", "nodejs");
const secret = (value: unknown): unknown => ({
  [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig,
  value,
});
const aliases = ({ request }: Registered): unknown =>
  request.getAliasesList().map((alias) => [alias.getSpec()?.getName(), alias.getSpec()?.getType()]);

describe("the entry pulumi-previewenv/native", () => {
  afterEach(() => endStage());

  it("exports what pulumi-previewenv exports, types too", () => {
    const types = (file: string): readonly string[] => {
      const text = readFileSync(path.join(SDK, file), "utf8");
      const whole = [...text.matchAll(/export type \{(?<names>[^}]*)\}/gu)].map(
        ({ groups }) => groups?.["names"] ?? "",
      );
      const single = [...text.matchAll(/\btype (?<name>\w+)/gu)].map(({ groups }) => groups?.["name"] ?? "");
      return [...whole.join().split(","), ...single].map((name) => name.trim()).filter((name) => /^[A-Z]/u.test(name));
    };

    expect(Object.keys(native).toSorted()).to.deep.equal(Object.keys(dynamic).toSorted());
    expect(types("native.ts").toSorted()).to.deep.equal(types("index.ts").toSorted());
  });

  for (const { type } of resources)
    it(`has ${type}: the same class, with the plugin's type, its version and place, and the dynamic type as alias`, async () => {
      const stage = await startStage();
      const args = { environmentId, name: "A", value: "1", branches: {}, state: "running", action: "stop" };
      const made: unknown = Reflect.construct(Reflect.get(native, type), ["one", { ...args, sequenceNumber: 1 }]);

      const one = await stage.find("one");

      expect(one.type).to.equal(`previewenv:index:${type}`);
      expect(one.request.getVersion()).to.equal(version);
      expect(one.request.getPlugindownloadurl()).to.equal(identity.pluginDownloadUrl);
      expect(aliases(one)).to.deep.equal([["", `pulumi-nodejs:dynamic/previewenv:${type}`]]);
      expect(made).to.be.instanceOf(Reflect.get(dynamic, type));
      expect(made).to.be.instanceOf(Reflect.get(native, type));
    });

  it("adds nothing to the arguments, and hides nothing but bookkeeping from diffs", async () => {
    const stage = await startStage();
    const args = { environmentId, variables: { A: "1" }, secrets: { B: "2", C: pulumi.output("3") } };
    new native.EnvVarSet("vars", args, { hideDiffs: ["services"] });

    const { inputs, request } = await stage.find("vars");

    expect(inputs).to.deep.equal({
      environmentId,
      variables: { A: "1" },
      secrets: { B: secret("2"), C: secret("3") },
    });
    expect(request.getHidediffsList()).to.deep.equal(["services", "observed"]);
    expect(request.getAdditionalsecretoutputsList()).to.deep.equal([]);
  });

  it("leaves the program's own version and place of the plugin, and the options for an import", async () => {
    const stage = await startStage();
    const options = { version: "9.9.9", pluginDownloadURL: "https://plugins.example", import: environmentId };
    new native.EnvVarSet("vars", { environmentId }, options);

    const { request } = await stage.find("vars");

    expect(request.getVersion()).to.equal("9.9.9");
    expect(request.getPlugindownloadurl()).to.equal("https://plugins.example");
    expect(request.getImportid()).to.equal(environmentId);
  });

  it("stands beside pulumi-previewenv in one program: neither changes the other", async () => {
    const stage = await startStage();
    new native.EnvVarSet("one", { environmentId, variables: { A: "1" } });
    new dynamic.EnvVarSet("two", { environmentId, variables: { B: "1" } });
    new native.EnvVarSet("three", { environmentId, variables: { C: "1" } });
    const own = class extends native.EnvVarSet {};
    new own("four", { environmentId, variables: { D: "1" } });

    const all = await Promise.all(["one", "two", "three", "four"].map((name) => stage.find(name)));

    expect(all.map(({ type, request }) => [type.split(":")[0], request.getVersion()])).to.deep.equal([
      ["previewenv", version],
      ["pulumi-nodejs", ""],
      ["previewenv", version],
      ["previewenv", version],
    ]);
    expect(all.map(({ inputs }) => "__provider" in inputs)).to.deep.equal([false, true, false, false]);
  });

  it("shares the checks: what two resources cannot both have is refused across the hosts too", async () => {
    await startStage();
    new dynamic.EnvVarSet("vars", { environmentId, variables: { A: "1" } });
    const both = /both declare the variable "A"/u;
    expect(() => new native.EnvVarSet("two", { environmentId, secrets: { A: "2" } })).to.throw(pulumi.RunError, both);
    expect(() => new native.EnvVarSet("vars", { environmentId, secrets: { A: "2" } })).to.throw(pulumi.RunError, both);
    expect(() => new native.EnvVarSet("all", { environmentId, prune: true })).to.throw(
      pulumi.RunError,
      /`prune: true`/u,
    );
    new native.EnvironmentBranches("one", { environmentId: other, branches: {} });
    expect(() => new native.EnvironmentBranches("two", { environmentId: other, branches: {} })).to.throw(
      pulumi.RunError,
      /both decide the branches/u,
    );
    expect(() => Reflect.construct(native.EnvVarSet, ["none"])).to.throw(pulumi.RunError, /must be an object/u);
  });

  it("leaves warnings of what the service would show to the plugin, but for what only the program can tell", async () => {
    pulumi.runtime.setAllConfig({ "previewenv:apiToken": "token-in-clear", "previewenv:maxRetry": "1" });
    const stage = await startStage();
    new native.EnvVarSet("vars", { environmentId, variables: { TOKEN: pulumi.secret("hunter2") } });
    new native.EnvVar("one", { environmentId, name: "B", value: pulumi.secret("x"), hidden: false });
    await stage.find("one");

    expect(stage.logged).to.have.lengthOf(2);
    expect(stage.logged[0]).to.match(/^previewenv:apiToken is in the stack's config as plain text/u);
    // Generated SDKs mark the value of every EnvVar, so that the plugin would warn of each visible one.
    expect(stage.logged[1]).to.match(/^EnvVar "one": value is a Pulumi secret/u);
  });

  it("does not look for the dynamic provider's entry, which pulumi-previewenv does", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "program-"));
    const run = (entry: string): string => {
      const script = `
        const { EnvVarSet } = require(${JSON.stringify(path.join(SDK, "../../dist/sdk/nodejs", entry))});
        process.chdir(${JSON.stringify(folder)});
        try { new EnvVarSet("vars", { environmentId: "${environmentId}" }); console.log("made"); } catch (error) { console.log(error.message); }
        process.exit();`;
      // Pulumi makes an exit code of the engine that is not there.
      const node = ["-e", script];
      return spawnSync(process.execPath, node, { encoding: "utf8" }).stdout;
    };
    try {
      expect(run("index")).to.contain("pulumi-previewenv/dynamic cannot be found");
      expect(run("native")).to.equal("made\n");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("a resource class of either host", () => {
  afterEach(() => endStage());

  for (const [name, { EnvVarSet, EnvVar }] of Object.entries({ dynamic, native })) {
    const type = name === "native" ? "previewenv:index:" : "pulumi-nodejs:dynamic/previewenv:";

    it(`gives Outputs for what the program left out (${name})`, async () => {
      await startStage({ preview: true });
      const vars = new EnvVarSet("vars", { environmentId });

      expect((await read(vars.onConflict)).known).to.equal(false);
      expect((await read(vars.services)).known).to.equal(false);
      expect((await read(vars.environmentId)).value).to.equal(environmentId);
    });

    it(`looks with \`get\` at what something else manages (${name})`, async () => {
      const stage = await startStage({ found: { variables: { A: "1" }, revision: "r" } });
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
      const { extra, marked } =
        name === "native" ? { extra: [], marked: [] } : { extra: ["__provider"], marked: ["secrets"] };
      expect(looked).to.deep.equal([
        [`${type}EnvVarSet`, `${environmentId}?names=A`, extra, marked],
        [`${type}EnvVar`, `${environmentId}/A`, [...extra, "hidden"].toSorted(), []],
      ]);
    });
  }

  it("cannot be imported with the dynamic provider: the error names the entry that can", async () => {
    const stage = await startStage();

    expect(() => new dynamic.EnvVarSet("vars", { environmentId }, { import: environmentId })).to.throw(
      pulumi.RunError,
      /^EnvVarSet "vars": the option `import` .*\/native"/u,
    );
    expect(stage.registered).to.deep.equal([]);
  });
});
