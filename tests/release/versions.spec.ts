import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { version } from "../../package.json";
import { notesOf, releasedVersions, unreleased } from "../../tools/release/changelog";
import { identity } from "../../tools/release/owner";
import { writtenFiles } from "../../tools/release/owned-names";
import { compareVersions, isVersion, isVersioned, versionsIn, withVersion } from "../../tools/release/versions";

const ROOT = join(__dirname, "..", "..");

describe("versions", () => {
  it("are three numbers, for a candidate four, and newer by the first that differs", () => {
    expect(["0.1.0", "10.20.30", "0.1.0-rc.1", "1.0.0-rc.12"].every(isVersion)).to.equal(true);
    expect(
      ["v0.1.0", "0.1", "0.1.0-beta", "0.1.0-rc", "0.1.0-rc.0", "0.1.0rc1", "01.2.3", "", "latest"].some(isVersion),
    ).to.equal(false);
    expect(compareVersions("0.10.0", "0.9.9")).to.be.greaterThan(0);
    expect(compareVersions("1.0.0", "1.0.1")).to.be.lessThan(0);
    expect(compareVersions("1.2.3", "1.2.3")).to.equal(0);
    const sorted = ["0.0.9", "0.1.0-rc.1", "0.1.0-rc.2", "0.1.0-rc.10", "0.1.0", "0.1.1-rc.1"];
    expect(sorted.toReversed().toSorted(compareVersions)).to.deep.equal(sorted);
  });

  it("of this project are told from those of others", () => {
    const ours = [
      "resource previewenv 1.2.3 --file pulumi-resource-previewenv-v1.2.3-linux-amd64.tar.gz",
      '"pulumi-previewenv": "^1.2.3"',
      `uses: ${identity.githubOwner}/${identity.githubRepository}@v1.2.3`,
      `${identity.goModule} v1.2.3`,
      "pulumi_previewenv==1.2.3 pulumi-previewenv-1.2.3.tgz pulumi-previewenv@1.2.3 pulumi_previewenv-1.2.3-py3-none-any.whl",
      "<artifactId>previewenv</artifactId>\n  <version>1.2.3</version>",
      `Include="${identity.nugetPackage}" Version="1.2.3"`,
    ];
    for (const text of ours) {
      expect(versionsIn(text), text).to.deep.equal(versionsIn(text).map(() => "1.2.3"));
      for (const other of ["2.0.0", "2.0.0-rc.1"]) {
        expect(withVersion(text, other), text).to.equal(text.replaceAll("1.2.3", other));
        expect(withVersion(withVersion(text, other), "1.2.3"), text).to.equal(text);
      }
    }
    for (const text of ['"@pulumi/pulumi": "^3.1.0"', "node 22.19.0", "com.pulumi:pulumi:1.12.0"])
      expect(versionsIn(text), text).to.deep.equal([]);
  });

  describe("in a clone", () => {
    before(function () {
      if (!existsSync(join(ROOT, ".git"))) this.skip();
    });

    it("of this project are the same in every page, example and workflow: that of package.json", () => {
      const files = [...writtenFiles(ROOT)].filter(([file]) => isVersioned(file));
      const found = files.flatMap(([file, text]) => versionsIn(text).map((one) => `${file}: ${one}`));
      expect(found.length).to.be.greaterThan(10);
      expect(found.filter((one) => !one.endsWith(`: ${version}`))).to.deep.equal([]);
    });

    it("would all be changed by a release: no other text of these names the version", () => {
      const files = [...writtenFiles(ROOT)].filter(([file]) => isVersioned(file) && !file.endsWith("go.sum"));
      const left = files.filter(([, text]) => withVersion(text, "99.0.0").includes(version));
      expect(left.map(([file]) => file)).to.deep.equal([]);
    });
  });
});

describe("the changelog", () => {
  const text =
    "# Changelog\n\n## Unreleased\n\n### Added\n\n- New.\n\n## 0.2.0 - 2026-02-02\n\n- Two.\n\n## 0.1.0 - 2026-01-01\n\n- One.\n";

  it("tells what is new, what was released, and the notes of each release", () => {
    expect(unreleased(text)).to.equal("### Added\n\n- New.");
    expect(unreleased("# Changelog\n\n## Unreleased\n\n- Last.\n")).to.equal("- Last.");
    expect(unreleased("# Changelog\n\n## Unreleased\n")).to.equal("");
    expect(unreleased("# Changelog\n")).to.equal(undefined);
    expect(releasedVersions(text)).to.deep.equal(["0.2.0", "0.1.0"]);
    expect(notesOf(text, "0.2.0")).to.equal("- Two.");
    expect(notesOf(text, "0.1.0")).to.equal("- One.");
    expect(notesOf(text, "0.3.0")).to.equal(undefined);
    expect(notesOf(text, "0.3.0-rc.1")).to.equal("### Added\n\n- New.");
    expect(notesOf(text, "0.2.0-rc.1")).to.equal("- Two.");
  });
});
