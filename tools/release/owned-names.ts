import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git";
import { derivedFrom, type Identity } from "./owner";

/** The team of the owner that .github/CODEOWNERS names. */
const MAINTAINERS = "maintainers";

/** Long enough to mean nothing else: a file that has one of them says who the owner is. The longest come first. The homepage is none of them: it may be
 * the address of the repository, and only generated files have it. */
export function ownedNames(identity: Identity): readonly string[] {
  const { repository } = derivedFrom(identity);
  const { githubOwner, githubRepository, mavenGroup, javaPackage, nugetPackage, securityContact } = identity;
  const short = `${githubOwner}/${githubRepository}`;
  // The group and the Java packages may begin alike: what follows tells them apart.
  return [
    repository,
    short,
    securityContact,
    `${javaPackage}.previewenv`,
    mavenGroup,
    nugetPackage,
    `@${githubOwner}/${MAINTAINERS}`,
  ];
}

/** The packages' names, as programs import them and as commands install them. Code says them, too. The longest come first. */
export function packageNames({ npmPackage, pythonPackage }: Identity): readonly string[] {
  return [npmPackage, pythonPackage];
}

/** A text with every name of one owner replaced by the same name of another, at once. Doing it again changes nothing, even when a new name contains an old one. */
export function renamed(text: string, from: Identity, to: Identity): string {
  const before = [...ownedNames(from), ...packageNames(from)];
  const after = [...ownedNames(to), ...packageNames(to)];
  const done = after.filter((name) => before.some((old) => name !== old && name.includes(old)));
  // The name of a package may be that of the repository, and the beginning of another one. What follows may be a version.
  const packages = packageNames(from).map((name) => `(?<![\\w-])${literal(name)}(?![a-z0-9_]|-[a-z])`);
  const every = new RegExp([...[...done, ...ownedNames(from)].map(literal), ...packages].join("|"), "gu");
  return text.replaceAll(every, (name) => (done.includes(name) ? name : (after[before.indexOf(name)] ?? name)));
}

/** A pattern that matches a name, and nothing else. */
export function literal(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
}

/** Every file that somebody wrote: those of the repository without generated and binary ones. */
export function writtenFiles(root: string): ReadonlyMap<string, string> {
  const files = git(root, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    .split("\0")
    .filter((file) => file !== "" && statSync(join(root, file), { throwIfNoEntry: false })?.isFile() === true);
  const fields = git(root, ["check-attr", "-z", "--stdin", "linguist-generated"], files.join("\0")).split("\0");
  // Three fields a file: its path, the attribute, its value.
  const written = files.filter((_, index) => fields[index * 3 + 2] !== "set");
  const texts = written.map((file) => [file, readFileSync(join(root, file), "utf8")] as const);
  return new Map(texts.filter(([, text]) => !text.includes("\0")));
}
