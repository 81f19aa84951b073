import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git";
import { derivedFrom, type Identity } from "./owner";

/** Long enough to mean nothing else: a file that has one of them says who the owner is. The longest come first. The homepage is none of them: it may be
 * the address of the repository, and only generated files have it. */
export function ownedNames(identity: Identity): readonly string[] {
  const { repository } = derivedFrom(identity);
  const { githubOwner, githubRepository, mavenGroup, nugetPackage, securityContact } = identity;
  const short = `${githubOwner}/${githubRepository}`;
  return [repository, short, securityContact, mavenGroup, nugetPackage];
}

/** A text with every name of one owner replaced by the same name of another. */
export function renamed(text: string, from: Identity, to: Identity): string {
  const others = ownedNames(to);
  return ownedNames(from).reduce((now, name, index) => now.replaceAll(name, others[index] ?? name), text);
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
