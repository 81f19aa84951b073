import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { notesOf, releasedVersions, unreleased } from "./changelog";
import { git } from "./git";
import { compareVersions, isVersion, releaseOf } from "./versions";

/** Where the state lies that a version of the provider wrote. */
export const STATES = "tests/engine/fixtures";

const Manifest = z.looseObject({ version: z.string() });

/** The version of a checkout. */
function versionOf(root: string): string {
  return Manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).version;
}

/** Why a version cannot be released from a checkout as it is: every reason, in plain words. Nothing is changed. */
export function reasonsAgainst(root: string, version: string): readonly string[] {
  if (!isVersion(version)) return [`"${version}" is no version such as 0.2.0 or 0.2.0-rc.1.`];
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  return [...ofRepository(root, version), ...ofVersion(root, version, changelog)];
}

function hasTag(root: string, version: string): boolean {
  return git(root, ["tag", "--list", `v${version}`]).trim() !== "";
}

function ofRepository(root: string, version: string): readonly string[] {
  const changed = git(root, ["status", "--porcelain"]).trimEnd();
  return [
    ...(changed === "" ? [] : [`Commit these first, or remove them:\n${changed}`]),
    ...(hasTag(root, version) ? [`The tag v${version} exists already.`] : []),
  ];
}

function ofVersion(root: string, version: string, changelog: string): readonly string[] {
  const release = releaseOf(version);
  const current = versionOf(root);
  const released = releasedVersions(changelog).find((one) => one !== release || hasTag(root, one));
  const isPrepared = version === current && notesOf(changelog, version) !== undefined && !hasTag(root, version);
  return [
    ...(released !== undefined && compareVersions(version, released) <= 0
      ? [`${version} is not newer than ${released}, the newest version in CHANGELOG.md.`]
      : []),
    ...(isPrepared ? [`${version} is prepared already, and has no tag: what is left is the tag.`] : []),
    ...(compareVersions(release, releaseOf(current)) < 0
      ? [`${version} is older than ${current} in package.json.`]
      : []),
    ...(unreleased(changelog) === undefined ? ['CHANGELOG.md has no section "## Unreleased".'] : []),
    ...(notesOf(changelog, version) || unreleased(changelog) !== ""
      ? []
      : ['CHANGELOG.md says nothing under "## Unreleased".']),
    // The state of a candidate may still change.
    ...(version !== release || existsSync(join(root, STATES, version))
      ? []
      : [
          `${STATES}/${version} is missing, the state that this version writes: \`npm run release:state -- ${version}\`.`,
        ]),
  ];
}
