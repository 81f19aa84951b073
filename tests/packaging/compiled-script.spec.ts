import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { expect } from "chai";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { unmarked } from "../support/marked-values";
import { PluginCalls } from "../support/plugin-calls";
import { bundleInto, Launched, load, PROGRAM, Scratch } from "./plugin-folder";

const LOADER = join(__dirname, "..", "..", "provider", "src", "hosts", "compiled-script.ts");
/** Loads a script and prints what its function answers. */
const USE = `
const [, loader, script, folder, ...calls] = process.argv;
const { loaded, keep } = require(loader).loadScript(script, folder);
console.log(loaded.answer());
keep(calls);`;

interface Bundling {
  readonly bundle: (entry: string, file: string) => Promise<readonly string[]>;
}

describe("a bundle that is loaded with the code that V8 has kept of it", function () {
  let scratch: Scratch;
  let loader: string;
  let script: string;
  let folder: string;

  before(async () => {
    scratch = new Scratch();
    loader = join(scratch.folder, "loader.cjs");
    await (await load<Bundling>("bundling.mjs")).bundle(LOADER, loader);
  });

  beforeEach(function () {
    const place = scratch.make(this.currentTest?.title.replaceAll(/\W/gu, "-") ?? "");
    script = join(place, "script.cjs");
    folder = join(place, "compiled");
    write("first");
  });

  after(() => scratch[Symbol.dispose]());

  const write = (answer: string): void =>
    writeFileSync(
      script,
      `(function(exports,require,module,__filename,__dirname){exports.answer=()=>"${answer} of "+require("node:path").basename(__filename)})`,
    );

  /** What a process prints that loads the script and exits. */
  const run = (env: NodeJS.ProcessEnv = {}, calls: readonly string[] = ["create"]): string =>
    execFileSync(process.execPath, ["-e", USE, loader, script, folder, ...calls], { encoding: "utf8", env }).trim();

  const kept = (): Buffer => {
    const names = readdirSync(folder);
    expect(names).to.have.length(1);
    return readFileSync(join(folder, names.join()));
  };

  it("runs as a module, and keeps functions that were called", () => {
    expect(run()).to.equal("first of script.cjs");
    // A text in a function is in the code only when V8 has compiled the function.
    expect(kept().toString("latin1")).to.contain("first of ");
    expect(run()).to.equal("first of script.cjs");
  });

  it("is compiled again when it has changed, although its length is the same", () => {
    run();
    write("other");
    expect(run()).to.equal("other of script.cjs");
    expect(run()).to.equal("other of script.cjs");
  });

  it("is compiled again when the kept code is damaged or cut off", () => {
    run();
    const [name = ""] = readdirSync(folder);
    const whole = readFileSync(join(folder, name));
    const damaged = Buffer.from(whole).fill(0, whole.length - 100);
    for (const content of [damaged, whole.subarray(0, 50), Buffer.alloc(0)]) {
      writeFileSync(join(folder, name), content);
      expect(run()).to.equal("first of script.cjs");
      expect(kept().length).to.be.greaterThan(100);
    }
  });

  it("is written again only by a process that had a call which no process had before", () => {
    const after = (...calls: string[]): string => {
      run({}, calls);
      return kept().toString("base64");
    };
    const first = after("create", "check");
    expect(after("check")).to.equal(first);
    const second = after("update", "check");
    expect(second).not.to.equal(first);
    for (const calls of [["create"], ["update"], ["check", "create", "update"]])
      expect(after(...calls)).to.equal(second);
  });

  it("is written again for calls of a script that has changed", () => {
    run({}, ["create", "update"]);
    write("other");
    run({}, ["create"]);
    const before = kept().toString("base64");
    run({}, ["update"]);
    expect(kept().toString("base64")).not.to.equal(before);
  });

  it("is not kept where nobody can write, and not where NODE_DISABLE_COMPILE_CACHE says so", () => {
    // Node looks only whether the variable is there.
    for (const value of ["1", "true", ""]) {
      expect(run({ NODE_DISABLE_COMPILE_CACHE: value })).to.equal("first of script.cjs");
      expect(existsSync(folder)).to.equal(false);
    }
    writeFileSync(folder, "");
    expect(run()).to.equal("first of script.cjs");
  });

  it("leaves no piece behind when it cannot be kept", () => {
    run();
    const [name = ""] = readdirSync(folder);
    unlinkSync(join(folder, name));
    mkdirSync(join(folder, name));
    expect(run()).to.equal("first of script.cjs");
    expect(readdirSync(folder)).to.deep.equal([name]);
  });

  it("is how the plugin loads its calls: kept beside it when the engine ends it", async () => {
    const plugin = scratch.make("plugin");
    await bundleInto(plugin);
    const launched = new Launched(join(plugin, PROGRAM), [], { PATH: dirname(process.execPath) });
    const client = new ResourceProviderClient(`127.0.0.1:${await launched.firstLine()}`, credentials.createInsecure());
    const version = await new Promise<string>((settle, fail) =>
      client.getPluginInfo(new Empty(), (error, info) => (error ? fail(error) : settle(info.getVersion()))),
    );
    client.close();
    expect(await launched.interrupt()).to.include({ stderr: "", code: 0 });
    folder = join(plugin, "compiled");
    expect(kept().toString("latin1")).to.contain("getPluginInfo");
    expect(version).to.match(/^\d/u);
  });

  it("is kept apart for the calls of a preview, which need less, and not for calls that fail", async () => {
    const plugin = scratch.make("plugin-previews");
    await bundleInto(plugin);
    const launched = new Launched(join(plugin, PROGRAM), [], { PATH: dirname(process.execPath) });
    const client = new ResourceProviderClient(`127.0.0.1:${await launched.firstLine()}`, credentials.createInsecure());
    const calls = new PluginCalls(client);
    const settings = { baseUrl: "https://service.example", apiToken: "a-token", previewChecks: "false" };
    await calls.configure({ bag: settings, marks: [["apiToken"]] });
    const target = { urn: "urn:pulumi:stack::project::previewenv:index:EnvVarSet::vars" };
    const declared = unmarked({ environmentId: randomUUID(), variables: { A: "1" } });
    const { inputs } = await calls.check(target.urn, unmarked({}), declared);
    await calls.create(target, inputs, true);
    expect(await calls.read({ ...target, id: "no-uuid" }).catch((error: unknown) => error)).to.be.instanceOf(Error);
    client.close();
    await launched.interrupt();
    folder = join(plugin, "compiled");
    const names = kept().toString("latin1", 0, 200).split(" ");
    expect(names).to.include.members(["check", "preview:create"]).and.not.include.members(["create"]);
    expect(names).not.to.include("read");
  });
});
