// The effect of a change of identity.json on the files that somebody wrote: the names of the last commit become those of today.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, writtenFiles } from "./git";
import { Identity } from "./owner";
import { literal } from "./versions";

const IDENTITY = "tools/release/identity.json";

/** A file that has one of these says who the owner is: each is long enough to mean nothing else. */
export function ownedNames(identity: Identity): readonly string[] {
  const { githubOwner, githubRepository, mavenGroup, javaPackage, nugetPackage, securityContact } = identity;
  return [
    `${githubOwner}/${githubRepository}`,
    securityContact,
    // The group and the Java packages may begin alike: what follows tells them apart.
    `${javaPackage}.previewenv`,
    mavenGroup,
    nugetPackage,
    // The team that .github/CODEOWNERS names.
    `@${githubOwner}/maintainers`,
  ];
}

/** A text with every name of one owner, and of the packages, replaced by the same name of another, at once. */
export function renamed(text: string, from: Identity, to: Identity): string {
  const [before, after] = [from, to].map((one) => [...ownedNames(one), one.npmPackage, one.pythonPackage]);
  // The name of a package may be that of the repository, and the beginning of another one. A version may follow.
  const packages = [from.npmPackage, from.pythonPackage].map(
    (name) => `(?<![\\w-])${literal(name)}(?![a-z0-9_]|-[a-z])`,
  );
  const every = new RegExp([...ownedNames(from).map(literal), ...packages].join("|"), "gu");
  return text.replaceAll(every, (name) => after?.[before?.indexOf(name) ?? -1] ?? name);
}

/** Renames the owner in a checkout. @throws when other files are changed: what is renamed already must not be renamed again */
export function rename(root: string): void {
  const changed = git(root, ["status", "--porcelain", "--", ".", `:!${IDENTITY}`]).trimEnd();
  if (changed !== "") throw new Error(`Commit these first, or remove them:\n${changed}`);
  const from = Identity.parse(JSON.parse(git(root, ["show", `HEAD:${IDENTITY}`])));
  const to = Identity.parse(JSON.parse(readFileSync(join(root, IDENTITY), "utf8")));
  for (const [file, text] of writtenFiles(root))
    if (file !== IDENTITY) writeFileSync(join(root, file), renamed(text, from, to));
  // Nobody wrote the lock file, but its first lines say the name of the package.
  const lock = join(root, "package-lock.json");
  const name = `"name": "${from.npmPackage}"`;
  writeFileSync(lock, readFileSync(lock, "utf8").replaceAll(name, `"name": "${to.npmPackage}"`));
  // The publisher's name may be an ordinary word: as a text it is not replaced everywhere.
  const manifest = join(root, "package.json");
  const fields: object = JSON.parse(readFileSync(manifest, "utf8"));
  const owner = { homepage: to.homepage, author: to.publisher };
  writeFileSync(manifest, `${JSON.stringify({ ...fields, ...owner }, undefined, 2)}\n`);
}

if (require.main === module) {
  rename(join(__dirname, "..", ".."));
  console.log(
    "Now `npm run format`, `npm run generate` and `npm run generate:sdks`. State names the npm package: when",
  );
  console.log("that has another name, write the state of the version to come anew, with `npm run release:state`.");
}
