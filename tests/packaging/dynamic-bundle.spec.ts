import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { listen } from "../support/listen";
import { excess, loading, moments } from "../support/loading";
import { load } from "./plugin-folder";

/** Parts of packages that the provider has no use for, and that were once the larger part of what it loads. */
const UNUSED =
  /undici\/(?:index|lib\/(?:mock|cache|interceptor|milo))|zod\/v4\/locales\/(?!en|index)|typescript|@grpc/u;

/** Writes with the bundle, as Pulumi's process does after the line in a state file, and prints the error. */
const PROGRAM = `
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
    const child = spawn(process.execPath, ["-e", PROGRAM, join(folder, "index.js"), given], {
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
