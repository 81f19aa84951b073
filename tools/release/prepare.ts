import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withRelease } from "./changelog";
import { git } from "./git";
import { writtenFiles } from "./owned-names";
import { identity } from "./owner";
import { reasonsAgainst } from "./refusal";
import { isVersioned, withVersion } from "./versions";

/** The version of the package itself, once in package.json and twice in its lock. */
const OWN_VERSION = new RegExp(`(?<="name": "${identity.npmPackage}",\\s+"version": ")[^"]+`, "gu");

/** Nothing was changed. The text says why. */
export class Refused extends Error {}

/** What a release is made of. */
export interface Release {
  readonly version: string;
  /** As CHANGELOG.md has it: 2026-11-22. */
  readonly date: string;
  /** Writes every generated file of a checkout anew. */
  readonly generate: (checkout: string) => void;
}

/**
 * Writes a version into a checkout: package.json and its lock, CHANGELOG.md, pages and examples, everything generated. When that fails, the
 * checkout is again as it is committed. With other changes nothing begins.
 * @returns the files that are changed now
 * @throws Refused when something is missing
 */
export function prepare(root: string, release: Release): readonly string[] {
  const reasons = reasonsAgainst(root, release.version);
  if (reasons.length > 0) throw new Refused(reasons.join("\n"));
  try {
    write(root, release);
    release.generate(root);
    return changedFiles(root);
  } catch (error) {
    git(root, ["reset", "--quiet", "--hard"]);
    git(root, ["clean", "--quiet", "--force", "-d"]);
    throw error;
  }
}

/** New files among them. */
function changedFiles(checkout: string): readonly string[] {
  const lines = git(checkout, ["status", "--porcelain", "--untracked-files=all"]).split("\n");
  return lines.filter((line) => line !== "").map((line) => line.slice("?? ".length));
}

function write(checkout: string, { version, date }: Release): void {
  const edit = (file: string, change: (text: string) => string): void => {
    const place = join(checkout, file);
    writeFileSync(place, change(readFileSync(place, "utf8")));
  };
  for (const file of ["package.json", "package-lock.json"]) edit(file, (text) => text.replaceAll(OWN_VERSION, version));
  edit("CHANGELOG.md", (text) => withRelease(text, version, date));
  for (const file of writtenFiles(checkout).keys())
    if (isVersioned(file)) edit(file, (text) => withVersion(text, version));
}
