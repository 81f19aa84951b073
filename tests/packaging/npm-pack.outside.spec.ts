import { execFileSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import { surroundings } from "../outside/surroundings";
import { pack, ROOT } from "../support/packed";
import { Scratch } from "./plugin-folder";

/** Copies 300 MB and compiles everything, on a busy machine. */
const LIMIT_MS = 600_000;
const MODULES = join(ROOT, "node_modules");

describe("npm pack", function () {
  this.timeout(LIMIT_MS);
  let scratch: Scratch;

  before(function () {
    if (!existsSync(join(ROOT, ".git"))) this.skip();
    scratch = new Scratch();
  });

  after(() => scratch?.[Symbol.dispose]());

  /** The files of the repository, and what `npm ci` installs for them, in a new folder. */
  const checkout = (): string => {
    const folder = scratch.make("checkout");
    const listed = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8", maxBuffer: 1e8 });
    for (const file of listed.split("\0"))
      if (file !== "" && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file));
    cpSync(MODULES, join(folder, "node_modules"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.startsWith(join(MODULES, ".cache")),
    });
    return folder;
  };

  /** Without the Node of the checkout: the one of this machine may be too old for the build. */
  const outside = (): NodeJS.ProcessEnv => {
    const tools = scratch.make("tools");
    const env = surroundings(tools, scratch.make("home"));
    const path = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== tools);
    const isThere = path.some((folder) => existsSync(join(folder, "node")));
    return isThere ? { ...env, PATH: path.join(delimiter) } : env;
  };

  it("packs in a clean checkout what the built one packs, and prints its JSON only", () => {
    const folder = checkout();
    expect(existsSync(join(folder, "dist"))).to.equal(false);
    const clean = pack(folder, scratch.make("clean"), { env: outside(), scripts: true });
    const built = pack(".", scratch.make("built"));
    expect(built.paths).to.include("dist/sdk/nodejs/index.js");
    expect(clean.paths.toSorted()).to.deep.equal(built.paths.toSorted());
  });
});
