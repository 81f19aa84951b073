import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { resolve } from "node:path";
import { json, text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { expect } from "chai";
import * as z from "zod";
import { listen } from "../support/listen";
import { Scratch } from "./plugin-folder";

const SCRIPT = resolve(__dirname, "..", "..", "tools", "package", "audit.mjs");
/** npm installs it for developers only. The plugin holds it. */
const ONLY_IN_PLUGIN = "@grpc/grpc-js";
const ADVISORY = {
  id: 1,
  url: "https://advisories.example/1",
  title: "it leaks",
  severity: "high",
  vulnerable_versions: "*",
};
const Asked = z.record(z.string(), z.array(z.string()));

describe("npm run check:audit", () => {
  let scratch: Scratch;
  let registry: Server;
  let url: string;
  let vulnerable: string;
  const asked: string[][] = [];

  before(async () => {
    scratch = new Scratch();
    // What npm asks is compressed: a list of versions for each package.
    registry = createServer((request, response) => {
      if (request.method !== "POST") return response.writeHead(404).end();
      return void json(request.pipe(createGunzip())).then((body) => {
        const packages = Asked.parse(body);
        asked.push(Object.keys(packages));
        return response.end(JSON.stringify(vulnerable in packages ? { [vulnerable]: [ADVISORY] } : {}));
      });
    });
    url = `http://127.0.0.1:${await listen(registry)}/`;
  });
  beforeEach(() => asked.splice(0));
  after(() => {
    registry.close();
    scratch[Symbol.dispose]();
  });

  const audit = async (): Promise<{ readonly code: unknown; readonly printed: string }> => {
    const env = { PATH: process.env["PATH"], HOME: scratch.folder, npm_config_registry: url };
    const child = spawn(process.execPath, [SCRIPT], { env, stdio: ["ignore", "pipe", "inherit"] });
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    return { code, printed };
  };

  it("asks for what the plugin holds, also when the lock file calls it a development tool, and for what npm installs", async () => {
    vulnerable = "";
    expect(await audit()).to.include({ code: 0 });
    const [held = [], installed = []] = asked;
    expect(held).to.include.members([ONLY_IN_PLUGIN, "undici", "zod"]).and.not.include.members(["typescript"]);
    expect(installed).to.include.members(["undici", "commander"]).and.not.include.members([ONLY_IN_PLUGIN]);
  });

  it("fails, and names the package, when only the plugin holds one with a known vulnerability", async () => {
    vulnerable = ONLY_IN_PLUGIN;
    const { code, printed } = await audit();
    expect(code).to.equal(1);
    expect(printed).to.contain(ONLY_IN_PLUGIN).and.contain(ADVISORY.title);
  });
});
