import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import manifest from "../../package.json";
import { PROGRAM } from "../../tools/package/archive";
import { bundleDynamic, bundlePlugin } from "../../tools/package/bundle";
import { Tunnel } from "../support/listen";
import { launch, launchAndEnd, Scratch } from "./packed-plugin";

const ROOT = resolve(__dirname, "..", "..");
/** A PATH with this Node, and one without any. */
const WITH_NODE = { PATH: dirname(process.execPath) };
const WITHOUT_NODE = { PATH: "/nowhere" };

describe("the bundle of the native plugin", function () {
  let scratch: Scratch;
  let folder: string;

  before(async () => {
    scratch = new Scratch();
    folder = scratch.make("bundle");
    await bundlePlugin(folder);
  });

  after(() => scratch[Symbol.dispose]());

  const expectWorking = ({ stdout, stderr, code }: Awaited<ReturnType<typeof launch>["ended"]>): void => {
    expect(stderr).to.equal("");
    expect(stdout).to.match(/^\d+\n$/u);
    expect(code).to.equal(0);
  };

  it("starts through symlinks, absolute and relative, from anywhere", async () => {
    const bin = scratch.make("links/bin");
    symlinkSync(join(folder, PROGRAM), join(bin, "absolute"));
    symlinkSync("../bin/absolute", join(scratch.make("links/other"), PROGRAM));
    const path = { PATH: `${WITH_NODE.PATH}:/usr/bin:/bin` };
    expectWorking(await launchAndEnd(join(scratch.folder, "links", "other", PROGRAM), [], path));
  });

  it("says what to do when there is no node on PATH", async () => {
    const { code, stdout, stderr } = await launch(join(folder, PROGRAM), [], WITHOUT_NODE).ended;
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
    expect(stderr).to.match(/^pulumi-resource-previewenv: there is no node on PATH\. Install Node 22\.19 or newer/u);
  });

  it("says what to do when node is too old", async () => {
    const withNode = (version: string) => {
      const pretend = join(scratch.folder, "pretend.cjs");
      writeFileSync(pretend, `Object.defineProperty(process.versions, "node", { value: "${version}" });`);
      return launchAndEnd(process.execPath, ["-r", pretend, join(folder, "start.cjs")], WITH_NODE);
    };
    for (const version of ["20.19.0", "22.18.9"]) {
      const { code, stdout, stderr } = await withNode(version);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
      expect(stderr).to.match(/^pulumi-resource-previewenv: Node 22\.19 or newer is needed; .* is v\d/u);
    }
    for (const version of ["22.19.0", "24.0.0"]) expectWorking(await withNode(version));
  });

  it("needs the Node that package.json names", () => {
    const [, oldest] = /^>=(.*)$/u.exec(manifest.engines.node) ?? [];
    expect(readFileSync(join(folder, "start.cjs"), "utf8")).to.contain(`[${oldest?.replace(".", ", ")}]`);
    for (const program of [PROGRAM, `${PROGRAM}.cmd`])
      expect(readFileSync(join(folder, program), "utf8")).to.contain(`Node ${oldest} or newer`);
  });

  describe("with the NODE_OPTIONS of a job", () => {
    let prints: string;
    before(() => {
      prints = join(scratch.make("modules of a job"), "prints.cjs");
      writeFileSync(prints, 'console.log("a module of the job");');
    });
    const meant = (): string =>
      `--require ${JSON.stringify(prints)} -r dd-trace/ci/init --import=tsx --experimental_loader ./hooks.mjs ` +
      `--inspect-brk=0 --watch --of-another-release=1 --snapshot-blob "none here"`;
    const KEPT =
      '--use-system-ca --max_old_space_size=200 --max-http-header-size 9000 --no-deprecation "--title=a \\"b\\\\"';

    it("starts, whatever they load, wait for, or name that this Node does not know", async () => {
      const env = { ...WITH_NODE, NODE_OPTIONS: `${meant()} --max-old-space-size=200` };
      expectWorking(await launchAndEnd(join(folder, PROGRAM), [], env));
    });

    it("keeps all others, as Node reads them", async () => {
      const copy = join(scratch.folder, "shows-options");
      cpSync(folder, copy, { recursive: true });
      writeFileSync(join(copy, "plugin.cjs"), "process.stdout.write(process.env.NODE_OPTIONS);");
      const kept = async (given: string): Promise<string> =>
        (await launch(join(copy, PROGRAM), [], { ...WITH_NODE, NODE_OPTIONS: given }).ended).stdout;
      expect(await kept(`--use-system-ca ${meant()} ${KEPT.slice(KEPT.indexOf(" "))}`)).to.equal(KEPT);
      expect(await kept('--require "never closed')).to.equal("");
    });
  });

  it("is the same bytes when it is made again, elsewhere", async () => {
    const again = join(scratch.make("a/b/c"), "again");
    mkdirSync(again);
    await bundlePlugin(again);
    for (const name of readdirSync(folder))
      expect(readFileSync(join(again, name)).equals(readFileSync(join(folder, name))), name).to.equal(true);
  });

  it("contains no path of the machine that made it", () => {
    const bundle = readFileSync(join(folder, "plugin.cjs"), "utf8");
    expect(bundle).not.to.contain(dirname(dirname(__dirname)));
    expect(bundle).not.to.match(/^\/\/# sourceMappingURL/mu);
  });

  it("holds of Pulumi's SDK only what components use", () => {
    const bundle = readFileSync(join(folder, "plugin.cjs"), "utf8");
    expect(bundle).to.contain("__pulumiComponentResource");
    // The lists of packages that would come with the whole SDK.
    expect(bundle).not.to.match(/typescriptServicesVersion|Arborist/u);
  });
});

/** Parts of packages that the provider has no use for, and that were once the larger part of what it loads. */
const UNUSED =
  /undici\/(?:index|lib\/(?:mock|cache|interceptor|milo))|zod\/v4\/locales\/(?!en|index)|typescript|@grpc/u;

/** Writes with the bundle, as Pulumi's process does after the line in a state file. */
const CALLER = `
const { provider } = require(process.argv[1]);
const settings = { baseUrl: "https://service.example", apiToken: "token", maxRetries: "0" };
const vars = provider("EnvVarSet");
vars.configure({ config: { get: (key) => settings[key.slice("previewenv:".length)] } });
vars
  .create({ environmentId: "11111111-1111-4111-8111-111111111142", variables: { PORT: "8080" } })
  .catch(() => process.exit());
`;

describe("the bundle of the dynamic provider", function () {
  let scratch: Scratch;
  let folder: string;
  let held: readonly string[];

  before(async () => {
    scratch = new Scratch();
    folder = scratch.make("dynamic");
    held = await bundleDynamic(folder);
    // All that it takes from the outside, and what every project with it has.
    symlinkSync(
      join(ROOT, "node_modules", "@pulumi"),
      join(scratch.make("dynamic/node_modules"), "@pulumi"),
      "junction",
    );
  });

  after(() => scratch[Symbol.dispose]());

  it("holds of zod and undici only what the provider uses, and their licences", () => {
    expect(held.filter((file) => UNUSED.test(file))).to.deep.equal([]);
    expect(new Set(held.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(file)?.[1]))).to.deep.equal(
      new Set([undefined, "fastest-levenshtein", "picomatch", "undici", "zod"]),
    );
    const notices = readFileSync(join(folder, "NOTICES.txt"), "utf8");
    for (const name of ["fastest-levenshtein", "picomatch", "undici", "zod"])
      expect(notices).to.match(new RegExp(`^${name} \\d`, "mu"));
  });

  it("goes through a proxy, by a tunnel to an https address", async () => {
    await using proxy = await Tunnel.open();
    const env = { PATH: process.env["PATH"], HTTPS_PROXY: `http://${proxy.address}` };
    await once(spawn(process.execPath, ["-e", CALLER, join(folder, "index.js")], { env, stdio: "inherit" }), "close");
    expect(proxy.asked).to.deep.equal(["service.example:443"]);
  });
});

const Moments = z.record(z.string(), z.array(z.string()));
/** The most files of the built package that may be loaded at each moment. A count and not a time: it is the same on each machine. */
const MOST_FILES: Readonly<Record<string, number>> = {
  dynamicCheck: 1,
  dynamicRequest: 1,
  pluginPort: 2,
};
/** What a bundle holds is no file of its own. */
const MOST_BYTES = { "dist/dynamic/index.js": 850_000, "dist/plugin/plugin.cjs": 2_600_000 };

describe("what is loaded", function () {
  it("stays as little as it is, in each host", () => {
    const loaded = (part: string): unknown => {
      // Of the caller's environment nothing: a loader or coverage would be counted.
      const env = { PATH: process.env["PATH"], NODE_DISABLE_COMPILE_CACHE: "1" };
      const program = join(__dirname, "loading.cjs");
      return JSON.parse(execFileSync(process.execPath, [program, part, ROOT], { encoding: "utf8", env }));
    };
    const found = Moments.parse(Object.assign({}, loaded("dynamic"), loaded("plugin")));
    expect(found).to.have.all.keys(Object.keys(MOST_FILES));
    for (const [moment, files] of Object.entries(found))
      expect(files.length, `${moment}: ${files.join(", ")}`).to.be.within(1, MOST_FILES[moment] ?? 0);
    expect(found["dynamicCheck"]).to.deep.equal([join(ROOT, "dist", "dynamic", "index.js")]);
    for (const [file, bytes] of Object.entries(MOST_BYTES)) expect(statSync(join(ROOT, file)).size).to.be.below(bytes);
  });
});
