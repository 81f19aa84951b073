import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { git } from "../../tools/release/git";
import { identity } from "../../tools/release/owner";
import { prepare, Refused, type Release } from "../../tools/release/prepare";

const NAME = identity.npmPackage;
const FILES = {
  "package.json": `{\n  "name": "${NAME}",\n  "version": "0.1.0",\n  "dependencies": { "other": "^0.1.0" }\n}\n`,
  "package-lock.json": `{\n  "name": "${NAME}",\n  "version": "0.1.0",\n  "packages": {\n    "": {\n      "name": "${NAME}",\n      "version": "0.1.0"\n    },\n    "node_modules/other": {\n      "version": "0.1.0"\n    }\n  }\n}\n`,
  "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n- What is new.\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n",
  "README.md": "pulumi plugin install resource previewenv 0.1.0 --file x; needs Node 22.19.0\n",
  "docs/guides/upgrade.md": "State of previewenv 0.1.0 is read.\n",
  "generated.txt": "0.1.0\n",
  "tests/engine/fixtures/0.1.0/dynamic.json": "{}\n",
  "tests/engine/fixtures/0.2.0/dynamic.json": "{}\n",
  ".gitignore": "node_modules/\n",
};

describe("npm run release", () => {
  let root: string;
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const status = (): string => git(root, ["status", "--porcelain"]);
  /** What generates, in this made-up checkout: a file that repeats the version of package.json. */
  const generate = (checkout: string): void => {
    const [, version = ""] = /"version": "([^"]+)"/u.exec(readFileSync(join(checkout, "package.json"), "utf8")) ?? [];
    writeFileSync(join(checkout, "generated.txt"), `${version}\n`);
  };
  const release = (more: Partial<Release> = {}): readonly string[] =>
    prepare(root, { version: "0.2.0", date: "2026-02-03", generate, ...more });
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const commit = (): void => {
    git(root, ["add", "."]);
    git(root, ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "state"]);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "previewenv-release-test-"));
    git(root, ["init", "--quiet"]);
    for (const [file, text] of Object.entries(FILES)) write(file, text);
    mkdirSync(join(root, "node_modules"));
    commit();
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("writes the version into package.json, its lock, pages and generated files, and nowhere else", () => {
    expect(release()).to.have.members([
      "CHANGELOG.md",
      "README.md",
      "generated.txt",
      "package-lock.json",
      "package.json",
    ]);

    expect(read("package.json")).to.equal(FILES["package.json"].replace('n": "0.1.0', 'n": "0.2.0'));
    expect(read("package-lock.json").split("0.2.0")).to.have.lengthOf(3);
    expect(read("package-lock.json")).to.match(/other": \{\n\s+"version": "0\.1\.0"/u);
    expect(read("README.md")).to.equal(
      "pulumi plugin install resource previewenv 0.2.0 --file x; needs Node 22.19.0\n",
    );
    expect(read("generated.txt")).to.equal("0.2.0\n");
    expect(read("docs/guides/upgrade.md")).to.equal(FILES["docs/guides/upgrade.md"]);
  });

  it("moves what is unreleased under the version and its date", () => {
    release();
    expect(read("CHANGELOG.md")).to.equal(
      "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n- What is new.\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n",
    );
  });

  it("makes candidates first, which leave the changelog alone, and then their release", () => {
    for (const version of ["0.2.0-rc.1", "0.2.0-rc.2"]) {
      release({ version });
      expect(read("CHANGELOG.md")).to.equal(FILES["CHANGELOG.md"]);
      expect(read("README.md")).to.contain(`previewenv ${version} --file`);
      expect(read("package.json")).to.contain(`"version": "${version}"`);
      commit();
      expect(() => release({ version })).to.throw(Refused, /is prepared already/u);
      git(root, ["tag", `v${version}`]);
    }
    expect(() => release({ version: "0.1.0-rc.1" })).to.throw(Refused, /0\.1\.0-rc\.1 is older than/u);
    release();
    expect(read("CHANGELOG.md")).to.contain("## 0.2.0 - 2026-02-03\n\n- What is new.");
    expect(read("README.md")).to.contain("previewenv 0.2.0 --file");
  });

  it("keeps the section of a version that was never tagged, and writes its date", () => {
    write("package.json", FILES["package.json"].replace("0.1.0", "0.1.0-rc.1"));
    write("generated.txt", "0.1.0-rc.1\n");
    commit();
    release({ version: "0.1.0" });
    expect(read("CHANGELOG.md")).to.equal(FILES["CHANGELOG.md"].replace("2026-01-01", "2026-02-03"));
  });

  it("commits nothing and tags nothing", () => {
    const [head, branches] = [git(root, ["rev-parse", "HEAD"]), git(root, ["branch", "--all"])];
    release();
    expect(git(root, ["rev-parse", "HEAD"])).to.equal(head);
    expect(git(root, ["branch", "--all"])).to.equal(branches);
    expect(git(root, ["tag"])).to.equal("");
  });

  it("is refused when it ran already: the changes wait for their commit, and after that nothing is new", () => {
    release();
    const once = read("CHANGELOG.md");
    expect(() => release()).to.throw(Refused, "Commit these first");
    commit();
    expect(() => release()).to.throw(Refused, /0\.2\.0 is prepared already/u);
    expect(read("CHANGELOG.md")).to.equal(once);
  });

  const refusals: readonly (readonly [string, () => void, RegExp, Partial<Release>?])[] = [
    ["a change is not committed", () => write("README.md", "x"), /Commit these first, or remove them:\n M README\.md/u],
    ["a file is not in git", () => write("new.txt", "x"), /\?\? new\.txt/u],
    ["the tag exists", () => void git(root, ["tag", "v0.2.0"]), /tag v0\.2\.0 exists already/u],
    [
      "the version is the last one, which has no tag",
      () => undefined,
      /0\.1\.0 is prepared already, and has no tag/u,
      { version: "0.1.0" },
    ],
    [
      "the version is the last one, which has a tag",
      () => void git(root, ["tag", "v0.1.0"]),
      /^(?![^]*prepared)The tag v0\.1\.0 exists already/u,
      { version: "0.1.0" },
    ],
    ["the version is older", () => undefined, /0\.0\.9 is older than 0\.1\.0 in package\.json/u, { version: "0.0.9" }],
    ["the version is none", () => undefined, /"v0\.2" is no version such as/u, { version: "v0.2" }],
    ["there is no state of the version", () => undefined, /fixtures\/0\.3\.0 is missing/u, { version: "0.3.0" }],
    [
      "nothing is new",
      () => (write("CHANGELOG.md", FILES["CHANGELOG.md"].replace("- What is new.\n\n", "")), commit()),
      /says nothing under "## Unreleased"/u,
    ],
    [
      "CHANGELOG.md lacks the section",
      () => (write("CHANGELOG.md", FILES["CHANGELOG.md"].replace("## Unreleased", "## Next")), commit()),
      /has no section "## Unreleased"/u,
    ],
  ];
  for (const [why, arrange, reason, more] of refusals)
    it(`is refused, and changes nothing, when ${why}`, () => {
      arrange();
      const before = status();
      expect(() => release(more)).to.throw(Refused, reason);
      expect(status()).to.equal(before);
    });

  it("changes nothing when it fails half way", () => {
    const failing = (checkout: string): void => {
      generate(checkout);
      writeFileSync(join(checkout, "half.txt"), "");
      throw new Error("the disk is full");
    };
    expect(() => release({ generate: failing })).to.throw("the disk is full");
    expect(status()).to.equal("");
  });

  it("takes files along that a generator has made for the first time", () => {
    const more = (checkout: string): void => {
      generate(checkout);
      writeFileSync(join(checkout, "more.txt"), "new\n");
    };
    expect(release({ generate: more })).to.include("more.txt");
    expect(read("more.txt")).to.equal("new\n");
  });
});
