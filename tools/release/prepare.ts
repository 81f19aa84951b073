import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withRelease } from "./changelog";
import { git } from "./git";
import { writtenFiles } from "./owned-names";
import { identity } from "./owner";
import { reasonsAgainst } from "./refusal";
import { isVersioned, withVersion } from "./versions";

/** The version of the package itself, once in package.json and twice in its lock. */
const OWN_VERSION = new RegExp(`(?<="name": "${identity.npmPackage}",\\s+"version": ")[^"]+`, "gu");

/** Nothing was changed; the text says why. */
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
 * Writes a version into a checkout: package.json and its lock, CHANGELOG.md, pages and examples, everything generated. All of it happens in
 * another work tree first, and comes over as one patch: after an error or a Ctrl-C the checkout is as it was.
 * @returns the files that are changed now
 * @throws Refused when something is missing or stale
 */
export function prepare(root: string, release: Release): readonly string[] {
  refuse(reasonsAgainst(root, release.version));
  const parent = mkdtempSync(join(tmpdir(), "previewenv-release-"));
  const copy = join(parent, "checkout");
  try {
    git(root, ["worktree", "add", "--quiet", "--detach", copy, "HEAD"]);
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
    release.generate(copy);
    const stale = changedFiles(copy);
    refuse(
      stale.map(
        (file) => `${file} is not what its command writes: \`npm run generate\`, or \`npm run generate:sdks\`.`,
      ),
    );
    write(copy, release);
    release.generate(copy);
    const changed = changedFiles(copy);
    git(root, ["apply", "--whitespace=nowarn"], git(copy, ["diff", "--binary", "HEAD"]));
    return changed;
  } finally {
    rmSync(parent, { recursive: true, force: true });
    git(root, ["worktree", "prune"]);
  }
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new Refused(reasons.join("\n"));
}

/** New files among them; node_modules, a link here, is none. */
function changedFiles(checkout: string): readonly string[] {
  git(checkout, ["add", "--intent-to-add", "--", ".", ":!node_modules"]);
  return git(checkout, ["diff", "--name-only", "HEAD"])
    .split("\n")
    .filter((file) => file !== "");
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
