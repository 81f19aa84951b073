import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect } from "chai";

const ROOT = join(__dirname, "..", "..");
const STEPS = join(ROOT, "tools", "release", "steps");

describe("the scripts of the release workflow", () => {
  let folder: string;
  const file = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-steps-"));
    for (const name of ["bin", "github"]) mkdirSync(join(folder, name));
    cpSync(join(__dirname, "rehearsal", "gh.mjs"), join(folder, "bin", "gh"));
    const sum = createHash("sha256").update("an archive").digest("hex");
    file("dist/packages/a.tar.gz", "an archive");
    file("dist/packages/checksums.txt", `${sum}  a.tar.gz\n`);
    file("dist/release/notes.md", "- New.\n");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (name: string, TAG = "v0.2.0") => {
    const PATH = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
    const env = { PATH, REHEARSAL_GITHUB: join(folder, "github"), TAG, GH_REPO: "a/b" };
    const { status, stdout, stderr } = spawnSync(join(STEPS, `${name}.sh`), { cwd: folder, env, encoding: "utf8" });
    return { status, text: stdout + stderr };
  };
  const calls = (): readonly string[] =>
    readFileSync(join(folder, "github", "calls"), "utf8")
      .trim()
      .split("\n");

  describe("github.sh", () => {
    it("makes a candidate a pre-release, which is never the latest one", () => {
      expect(run("github", "v0.2.0-rc.1")).to.include({ status: 0 });
      for (const call of calls().filter((one) => /create|edit/u.test(one)))
        expect(call).to.contain("--prerelease --latest=false");
      expect(existsSync(join(folder, "github", "published", "a.tar.gz"))).to.equal(true);
    });

    it("writes nothing to a release that is published, and makes the draft of a failed run anew", () => {
      mkdirSync(join(folder, "github", "draft"));
      expect(run("github")).to.include({ status: 0 });
      expect(calls()[1]).to.equal("release delete v0.2.0 --yes");
      const before = calls().length;
      expect(run("github")).to.include({ status: 0 });
      expect(calls().slice(before)).to.have.lengthOf(1);
    });

    it("fails before it writes when an archive is missing or another one than was made", () => {
      file("dist/packages/a.tar.gz", "another archive");
      expect(run("github").status).to.not.equal(0);
      rmSync(join(folder, "dist", "packages", "a.tar.gz"));
      expect(run("github").status).to.not.equal(0);
      expect(existsSync(join(folder, "github", "calls"))).to.equal(false);
    });
  });

  describe("npm.sh", () => {
    /** A packed package, and an npm that has it or not, and records what it publishes. */
    const prepare = (version: string, has: boolean): void => {
      file("package/package.json", JSON.stringify({ name: "one", version }));
      mkdirSync(join(folder, "dist", "release", "npm"), { recursive: true });
      execFileSync("tar", ["-czf", "dist/release/npm/one.tgz", "package"], { cwd: folder });
      file("bin/npm", `#!/bin/sh\nif [ "$1" = view ]; then exit ${has ? 0 : 1}; fi\necho "$*"\n`);
      chmodSync(join(folder, "bin", "npm"), 0o755);
    };

    for (const [version, tag] of [
      ["0.2.0", "latest"],
      ["0.2.0-rc.1", "next"],
    ] as const)
      it(`publishes ${version} with the tag ${tag}`, () => {
        prepare(version, false);
        expect(run("npm").text.trim()).to.equal(`publish ./dist/release/npm/one.tgz --access public --tag ${tag}`);
      });

    it("publishes nothing twice, and fails when there is no package", () => {
      prepare("0.2.0", true);
      expect(run("npm")).to.deep.equal({ status: 0, text: "" });
      rmSync(join(folder, "dist", "release", "npm", "one.tgz"));
      expect(run("npm").status).to.not.equal(0);
    });
  });
});
