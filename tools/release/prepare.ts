import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lte, rsort, valid } from "semver";
import * as z from "zod";
import { notesOf, sectionOf, withRelease } from "./changelog";
import { git, writtenFiles } from "./git";
import { identity } from "./owner";
import { isVersion, isVersioned, releaseOf, withVersion } from "./versions";

/** Where the state lies that a version of the provider wrote. */
const STATES = "tests/engine/fixtures";

/** The version of the package itself, once in package.json and twice in its lock. */
const OWN_VERSION = new RegExp(`(?<="name": "${identity.npmPackage}",\\s+"version": ")[^"]+`, "gu");

const Manifest = z.looseObject({ version: z.string() });

/** Why a version cannot be released from a checkout as it is: every reason, in plain words. Nothing is changed. */
export function reasonsAgainst(root: string, version: string): readonly string[] {
  if (!isVersion(version)) return [`"${version}" is no version such as 0.2.0 or 0.2.0-rc.1.`];
  const changed = git(root, ["status", "--porcelain"]).trimEnd();
  const tags = git(root, ["tag", "--list", "v*"]).split("\n");
  const [newest] = rsort(tags.filter((tag) => valid(tag) !== null));
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const notes = notesOf(changelog, version) ?? sectionOf(changelog, "Unreleased") ?? "";
  // The state of a candidate may still change.
  const hasState = version !== releaseOf(version) || existsSync(join(root, STATES, version));
  const command = `npm run release:state -- ${version}`;
  return [
    ...(changed === "" ? [] : [`Commit these first, or remove them:\n${changed}`]),
    ...(newest !== undefined && lte(version, newest) ? [`${version} is not newer than the tag ${newest}.`] : []),
    ...(notes === "" ? ['CHANGELOG.md says nothing under "## Unreleased".'] : []),
    ...(hasState ? [] : [`${STATES}/${version} is missing, the state that this version writes: \`${command}\`.`]),
  ];
}

/** Writes a version and its date into what people wrote: package.json and its lock, CHANGELOG.md, pages and examples. */
export function writeVersion(root: string, version: string, date: string): void {
  const { version: before } = Manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const edit = (file: string, change: (text: string) => string): void => {
    const place = join(root, file);
    writeFileSync(place, change(readFileSync(place, "utf8")));
  };
  for (const file of ["package.json", "package-lock.json"]) edit(file, (text) => text.replaceAll(OWN_VERSION, version));
  edit("CHANGELOG.md", (text) => withRelease(text, version, date));
  for (const file of writtenFiles(root).keys())
    if (isVersioned(file)) edit(file, (text) => withVersion(text, before, version));
}
