import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { version as current } from "../../package.json";
import { git, writtenFiles } from "../../tools/release/git";
import { identity } from "../../tools/release/owner";
import { reasonsAgainst, writeVersion } from "../../tools/release/prepare";
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
  const changed = (): readonly string[] => git(root, ["diff", "--name-only"]).trim().split("\n");

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "previewenv-release-test-"));
    git(root, ["init", "--quiet"]);
    for (const [file, text] of Object.entries(FILES)) write(file, text);
    git(root, ["add", "."]);
    git(root, ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "state"]);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("writes the version into package.json, its lock and pages, and nowhere else", () => {
    expect(reasonsAgainst(root, "0.2.0")).to.deep.equal([]);
    writeVersion(root, "0.2.0", "2026-02-03");
    expect(changed()).to.have.members(["CHANGELOG.md", "README.md", "package-lock.json", "package.json"]);
    expect(read("package.json")).to.equal(FILES["package.json"].replace('n": "0.1.0', 'n": "0.2.0'));
    expect(read("package-lock.json").split("0.2.0")).to.have.lengthOf(3);
    expect(read("package-lock.json")).to.match(/other": \{\n\s+"version": "0\.1\.0"/u);
    expect(read("README.md")).to.equal(FILES["README.md"].replace("0.1.0", "0.2.0"));
    expect(read("CHANGELOG.md")).to.equal(
      "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n- What is new.\n\n## 0.1.0 - 2026-01-01\n\n- Old.\n",
    );
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
