// What the workflow of a release asks first: `npm run release:publishable`. The tag and the repository come from GitHub Actions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { notesOf } from "./changelog";
import { identity } from "./owner";
import { releaseOf } from "./versions";

const CHANGELOG = join(__dirname, "..", "..", "CHANGELOG.md");

/** Where a release would be published from. */
export interface Place {
  /** Owner and name on GitHub. */
  readonly repository: string;
  readonly tag: string;
}

/** What speaks against publishing this checkout from a place. */
export function hindrances({ repository, tag }: Place, changelog: string): readonly string[] {
  const { githubOwner, githubRepository, securityContact } = identity;
  const own = `${githubOwner}/${githubRepository}`;
  return [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, package.json has ${version}.`]),
    ...(repository === own
      ? []
      : [`This is ${repository}, tools/release/identity.json has ${own}. CONTRIBUTING.md says what to fill in.`]),
    ...(securityContact.endsWith(".example")
      ? [`tools/release/identity.json has ${securityContact}, which is no address.`]
      : []),
    ...(notesOf(changelog, version)
      ? []
      : [`CHANGELOG.md has no section "## ${releaseOf(version)} - <date>" with text.`]),
  ];
}

if (require.main === module) {
  const { GITHUB_REPOSITORY: repository = "nowhere", GITHUB_REF_NAME: tag = "none" } = process.env;
  const reasons = hindrances({ repository, tag }, readFileSync(CHANGELOG, "utf8"));
  for (const reason of reasons) console.error(reason);
  if (reasons.length > 0) process.exitCode = 1;
}
