import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";
import { listen } from "../support/listen";
import { excess, loading, moments } from "../support/loading";
import { bundleInto, launch, launchAndEnd, load, PROGRAM, Scratch } from "./packed-plugin";

/** A PATH with this Node, and one without any. */
const WITH_NODE = { PATH: dirname(process.execPath) };
const WITHOUT_NODE = { PATH: "/nowhere" };

function connects(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = createConnection(port, "127.0.0.1", () => (socket.destroy(), settle(true)));
    socket.once("error", () => settle(false));
  });
}

describe("the bundle of the native plugin", function () {
  let scratch: Scratch;
  let folder: string;

  before(async () => {
    scratch = new Scratch();
    folder = scratch.make("bundle");
    await bundleInto(folder);
  });

  after(() => scratch[Symbol.dispose]());

  const expectWorking = ({ stdout, stderr, code }: Awaited<ReturnType<typeof launch>["ended"]>): void => {
    expect(stderr).to.equal("");
    expect(stdout).to.match(/^\d+\n$/u);
    expect(code).to.equal(0);
  };

  it("prints its port, and nothing else until the engine ends it", async () => {
    const { child, ended } = launch(join(folder, PROGRAM), [], WITH_NODE);
    const [port] = await once(child.stdout, "data");
    expect(await connects(Number(port))).to.equal(true);
    child.kill("SIGINT");
    expectWorking(await ended);
  });

  it("starts with what the engine puts before its address", async () => {
    const args = ["--logtostderr", "-v=9", "--tracing", "file:/t"];
    expectWorking(await launchAndEnd(join(folder, PROGRAM), args, WITH_NODE));
  });

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

  it("takes the Node beside it before the one on PATH", async () => {
    const copy = join(scratch.folder, "with-node");
    cpSync(folder, copy, { recursive: true });
    symlinkSync(process.execPath, join(copy, "node"));
    expectWorking(await launchAndEnd(join(copy, PROGRAM), [], WITHOUT_NODE));
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

  it("names the licence of everything that it contains, each package once", () => {
    const notices = readFileSync(join(folder, "NOTICES.txt"), "utf8");
    const named = [...notices.matchAll(/^={80}\n(\S+) \d\S* \(/gmu)].map(([, name]) => name);
    expect(named).to.include.members(["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "undici", "zod"]);
    expect(new Set(named).size).to.equal(named.length);
    expect(notices).to.contain("Redistribution and use in source and binary forms");
  });

  it("is the same bytes when it is made again, elsewhere", async () => {
    const again = join(scratch.make("a/b/c"), "again");
    mkdirSync(again);
    await bundleInto(again);
    const names = readdirSync(again);
    expect(names.toSorted()).to.deep.equal(
      [
        "NOTICES.txt",
        "node-options.cjs",
        "package.json",
        "plugin.cjs",
        PROGRAM,
        `${PROGRAM}.cmd`,
        "start.cjs",
      ].toSorted(),
    );
    for (const name of names)
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

/** Writes with the bundle, as Pulumi's process does after the line in a state file, and prints the error. */
const CALLER = `
const { provider } = require(process.argv[1]);
const settings = JSON.parse(process.argv[2]);
const vars = provider("EnvVarSet");
vars.configure({ config: { get: (key) => settings[key.slice("previewenv:".length)] } });
vars.create({ environmentId: "11111111-1111-4111-8111-111111111142", variables: { PORT: "8080" } })
  .then(() => "created", (error) => error.message)
  .then((text) => process.stdout.write(JSON.stringify(text) + "\\n"));
setInterval(() => 0, 1000);
`;

const TOKEN = "tok-in-a-setting-123456";

interface Bundles {
  readonly bundleDynamic: (folder: string) => Promise<readonly string[]>;
}

describe("the bundle of the dynamic provider", function () {
  let folder: string;
  let held: readonly string[];
  let proxy: Server;
  let address: string;
  const seen: string[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-dynamic-"));
    const bundles = await load<Bundles>("bundle.mjs");
    held = await bundles.bundleDynamic(folder);
    // All that it takes from the outside, and what every project with it has.
    const pulumi = resolve(__dirname, "..", "..", "node_modules", "@pulumi");
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(pulumi, join(folder, "node_modules", "@pulumi"), "junction");
    proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(403).end();
    });
    proxy.on("connect", (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    address = `http://127.0.0.1:${await listen(proxy)}`;
  });

  beforeEach(() => seen.splice(0));

  after(() => {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The end of a create, in a process that is killed right after it. */
  const create = async (settings: object, env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const given = JSON.stringify({ apiToken: TOKEN, maxRetries: 0, ...settings });
    const child = spawn(process.execPath, ["-e", CALLER, join(folder, "index.js"), given], {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      // From outside, as the engine does: a process that kills itself writes its compile cache first.
      if (printed.endsWith("\n")) child.kill("SIGKILL");
    });
    await once(child, "close");
    return printed;
  };

  it("holds of zod and undici only what the provider uses, and their licences", () => {
    expect(held.filter((file) => UNUSED.test(file))).to.deep.equal([]);
    expect(new Set(held.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(file)?.[1]))).to.deep.equal(
      new Set([undefined, "leven", "picomatch", "undici", "zod"]),
    );
    const notices = readFileSync(join(folder, "NOTICES.txt"), "utf8");
    for (const name of ["leven", "picomatch", "undici", "zod"])
      expect(notices).to.match(new RegExp(`^${name} \\d`, "mu"));
  });

  it("goes through a proxy, by a tunnel to an https address", async () => {
    const proxied = { HTTPS_PROXY: address, HTTP_PROXY: address };
    await create({ baseUrl: "https://service.example" }, proxied);
    expect(seen).to.deep.equal(["CONNECT service.example:443"]);
    seen.splice(0);
    await create({ baseUrl: "http://service.example", allowInsecureHttp: true }, proxied);
    expect(seen.join()).to.match(/^(?:GET http:\/\/service\.example\/|CONNECT service\.example:80)/u);
  });
});

describe("what is loaded", function () {
  it("stays as little as it is, in a program and in each host", () => {
    const found = loading();
    expect(excess(found)).to.deep.equal([]);
    for (const moment of moments) expect(found[moment], moment).not.to.deep.equal([]);
    expect(found.dynamicCheck).to.deep.equal(["dist/dynamic/index.js"]);
  });
});
