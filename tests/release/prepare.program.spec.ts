import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { version as current } from "../../package.json";
import { notesOf } from "../../tools/release/changelog";
import { git, writtenFiles } from "../../tools/release/git";
import { identity } from "../../tools/release/owner";
import { reasonsAgainst, writeVersion } from "../../tools/release/prepare";
import { hindrances } from "../../tools/release/notes";
import { isVersioned, withVersion } from "../../tools/release/versions";

const ROOT = join(__dirname, "..", "..");
const NAME = identity.npmPackage;
const FILES = {
  "package.json": `{\n  "name": "${NAME}",\n  "version": "0.1.0",\n  "dependencies": { "other": "^0.1.0" }\n}\n`,
  "package-lock.json": `{\n  "name": "${NAME}",\n  "version": "0.1.0",\n  "packages": {\n    "": {\n      "name": "${NAME}",\n      "version": "0.1.0"\n    },\n    "node_modules/other": {\n      "version": "0.1.0"\n    }\n  }\n}\n`,
  "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n- What is new.\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n",
  "README.md": "pulumi plugin install resource previewenv 0.1.0 --file x; needs Node 22.19.0\n",
  "docs/guides/upgrade.md": "State of previewenv 0.1.0 is read.\n",
  "tests/engine/fixtures/0.1.0/dynamic.json": "{}\n",
  "tests/engine/fixtures/0.2.0/dynamic.json": "{}\n",
};

describe("npm run release", () => {
  let root: string;
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const commit = (): void => {
    git(root, ["add", "."]);
    git(root, ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "state"]);
  };
  const changed = (): readonly string[] => git(root, ["diff", "--name-only"]).trim().split("\n");
  const release = (version = "0.2.0"): void => {
    expect(reasonsAgainst(root, version)).to.deep.equal([]);
    writeVersion(root, version, "2026-02-03");
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "previewenv-release-test-"));
    git(root, ["init", "--quiet"]);
    for (const [file, text] of Object.entries(FILES)) write(file, text);
    commit();
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("writes the version into package.json, its lock and pages, and nowhere else", () => {
    release();
    expect(changed()).to.have.members(["CHANGELOG.md", "README.md", "package-lock.json", "package.json"]);
    expect(read("package.json")).to.equal(FILES["package.json"].replace('n": "0.1.0', 'n": "0.2.0'));
    expect(read("package-lock.json").split("0.2.0")).to.have.lengthOf(3);
    expect(read("package-lock.json")).to.match(/other": \{\n\s+"version": "0\.1\.0"/u);
    expect(read("README.md")).to.equal(FILES["README.md"].replace("0.1.0", "0.2.0"));
    expect(read("CHANGELOG.md")).to.equal(
      "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n- What is new.\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n",
    );
  });

  it("makes candidates first, which leave the changelog alone, and then their release", () => {
    for (const version of ["0.2.0-rc.1", "0.2.0-rc.2"]) {
      release(version);
      expect(read("CHANGELOG.md")).to.equal(FILES["CHANGELOG.md"]);
      expect(notesOf(read("CHANGELOG.md"), version)).to.equal("- What is new.");
      expect(read("README.md")).to.contain(`previewenv ${version} --file`);
      expect(read("package.json")).to.contain(`"version": "${version}"`);
      commit();
      git(root, ["tag", `v${version}`]);
    }
    expect(reasonsAgainst(root, "0.2.0-rc.1")).to.deep.equal(["0.2.0-rc.1 is not newer than the tag v0.2.0-rc.2."]);
    release();
    expect(read("README.md")).to.contain("previewenv 0.2.0 --file");
  });

  const refusals: readonly (readonly [why: string, arrange: () => void, reason: RegExp, version?: string])[] = [
    ["a change is not committed", () => write("README.md", "x"), /Commit these first, or remove them:\n M README\.md/u],
    ["a file is not in git", () => write("new.txt", "x"), /\?\? new\.txt/u],
    ["the tag exists", () => void git(root, ["tag", "v0.2.0"]), /0\.2\.0 is not newer than the tag v0\.2\.0/u],
    ["the version is older", () => void git(root, ["tag", "v0.10.0"]), /not newer than the tag v0\.10\.0/u],
    ["the version is none", () => undefined, /"v0\.2" is no version such as/u, "v0.2"],
    ["it is no candidate that PyPI takes, too", () => undefined, /"0\.2\.0-beta" is no version/u, "0.2.0-beta"],
    ["there is no state of the version", () => undefined, /fixtures\/0\.3\.0 is missing/u, "0.3.0"],
    [
      "nothing is new",
      () => (write("CHANGELOG.md", FILES["CHANGELOG.md"].replace("- What is new.\n\n", "")), commit()),
      /says nothing under "## Unreleased"/u,
    ],
  ];
  for (const [why, arrange, reason, version = "0.2.0"] of refusals)
    it(`is refused when ${why}`, () => {
      arrange();
      expect(reasonsAgainst(root, version).join()).to.match(reason);
    });

  describe("in a clone", () => {
    before(function () {
      if (!existsSync(join(ROOT, ".git"))) this.skip();
    });

    it("finds one version in every page, example and workflow, and would change it everywhere", () => {
      const files = [...writtenFiles(ROOT)].filter(([file]) => isVersioned(file));
      const named = files.flatMap(([file, text]) =>
        Array.from(
          text.matchAll(/previewenv.*?(?<![\d.])(\d+\.\d+\.\d+(?!\.\d)(?:-rc\.\d+)?)/giu),
          ([, found]) => `${file}: ${found}`,
        ),
      );
      expect(named.length).to.be.greaterThan(10);
      expect(named.filter((one) => !one.endsWith(`: ${current}`))).to.deep.equal([]);
      const left = files.filter(([, text]) => withVersion(text, current, "99.0.0").includes(current));
      expect(left.map(([file]) => file)).to.deep.equal([]);
    });
  });
});

describe("npm run release:notes", () => {
  const repository = `${identity.githubOwner}/${identity.githubRepository}`;
  /** As long as nobody has filled in tools/release/identity.json. */
  const example = identity.securityContact.endsWith(".example") ? ["tools/release/identity.json"] : [];

  it("lets a tag of this version pass, in the repository of the owner, and stops all else", () => {
    const beginnings = (...given: Parameters<typeof hindrances>): readonly string[] =>
      hindrances(...given).map((reason) => reason.split(" ", 1).join());
    expect(beginnings(repository, `v${current}`)).to.deep.equal(example);
    const reasons = beginnings("someone/fork", "v99.0.0");
    expect(reasons).to.deep.equal(["The", "This", ...example]);
  });
});
