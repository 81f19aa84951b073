// The first question of the workflow of a release: `npm run release:publishable`. The tag and the repository come from GitHub Actions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { notesOf } from "./changelog";
import { identity } from "./owner";
import { releaseOf } from "./versions";

const CHANGELOG = join(__dirname, "..", "..", "CHANGELOG.md");

/** The reasons against publishing this checkout under a tag, from a repository on GitHub. */
export function hindrances(repository: string, tag: string, changelog: string): readonly string[] {
  const { githubOwner, githubRepository, securityContact } = identity;
  const own = `${githubOwner}/${githubRepository}`;
  const file = "tools/release/identity.json";
  const checks: readonly (readonly [isGood: boolean, reason: string])[] = [
    [tag === `v${version}`, `The tag is ${tag}, package.json has ${version}.`],
    [repository === own, `This is ${repository}, ${file} has ${own}. RELEASING.md says what to fill in.`],
    [!securityContact.endsWith(".example"), `${file} has ${securityContact}, which is no address.`],
    [
      Boolean(notesOf(changelog, version)),
      `CHANGELOG.md has no section "## ${releaseOf(version)} - <date>" with text.`,
    ],
  ];
  return checks.flatMap(([isGood, reason]) => (isGood ? [] : [reason]));
}

if (require.main === module) {
  const { GITHUB_REPOSITORY: repository = "nowhere", GITHUB_REF_NAME: tag = "none" } = process.env;
  const reasons = hindrances(repository, tag, readFileSync(CHANGELOG, "utf8"));
  for (const reason of reasons) console.error(reason);
  if (reasons.length > 0) process.exitCode = 1;
}
