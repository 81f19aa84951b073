import { expect } from "chai";
import { version } from "../../package.json";
import { identity } from "../../tools/release/owner";
import { hindrances } from "../../tools/release/publishable";
import { releaseOf } from "../../tools/release/versions";

describe("npm run release:publishable", () => {
  const repository = `${identity.githubOwner}/${identity.githubRepository}`;
  const tag = `v${version}`;
  const changelog = `# Changelog\n\n## Unreleased\n\n## ${releaseOf(version)} - 2026-01-01\n\n- New.\n`;
  /** As long as nobody has filled in tools/release/identity.json. */
  const example = identity.securityContact.endsWith(".example") ? 1 : 0;

  it("lets a tag of this version pass, in the repository of the owner", () => {
    const left = hindrances({ repository, tag }, changelog);
    expect(left).to.have.lengthOf(example);
    expect(left.join()).to.match(example === 1 ? /which is no address/u : /^$/u);
  });

  it("stops another tag, another repository, and a version without notes", () => {
    const reasons = hindrances({ repository: "someone/fork", tag: "v99.0.0" }, "# Changelog\n\n## Unreleased\n");
    expect(reasons).to.have.lengthOf(3 + example);
    expect(reasons[0]).to.contain("v99.0.0").and.to.contain(version);
    expect(reasons[1]).to.contain("someone/fork").and.to.contain(repository);
    expect(reasons.at(-1)).to.contain(`## ${releaseOf(version)} - `);
  });
});
