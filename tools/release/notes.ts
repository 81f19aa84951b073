// The notes of a release, from CHANGELOG.md: `npm run --silent release:notes > notes.md`. For a tag on GitHub, the first question is whether it may be
// published at all. The tag and the repository come from GitHub Actions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { notesOf } from "./changelog";
import { identity } from "./owner";
import { releaseOf } from "./versions";

const CHANGELOG = join(__dirname, "..", "..", "CHANGELOG.md");

/** The reasons against publishing this checkout under a tag, from a repository on GitHub. */
function hindrances(repository: string, tag: string): readonly string[] {
  const { githubOwner, githubRepository, securityContact } = identity;
  const own = `${githubOwner}/${githubRepository}`;
  const file = "tools/release/identity.json";
  const checks: readonly (readonly [isGood: boolean, reason: string])[] = [
    [tag === `v${version}`, `The tag is ${tag}, package.json has ${version}.`],
    [repository === own, `This is ${repository}, ${file} has ${own}. RELEASING.md says what to fill in.`],
    [!securityContact.endsWith(".example"), `${file} has ${securityContact}, which is no address.`],
  ];
  return checks.flatMap(([isGood, reason]) => (isGood ? [] : [reason]));
}

/** The notes as a page of GitHub shows them. @throws when CHANGELOG.md has none for this version */
function notes(): string {
  const text = notesOf(readFileSync(CHANGELOG, "utf8"), version);
  if (!text) throw new Error(`CHANGELOG.md has no section "## ${releaseOf(version)} - <date>" with text.`);
  // Links of CHANGELOG.md begin at the root of the repository. On the page of a release they would lead nowhere.
  return text.replaceAll(/\]\((?!https?:)/gu, `](${identity.repositoryUrl}/blob/v${version}/`);
}

const { GITHUB_REF_TYPE: type, GITHUB_REPOSITORY: repository = "", GITHUB_REF_NAME: tag = "" } = process.env;
const reasons = type === "tag" ? hindrances(repository, tag) : [];
if (reasons.length > 0) throw new Error(reasons.join("\n"));
process.stdout.write(`${notes()}\n`);
