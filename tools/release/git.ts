import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The output of a git command, in a folder. @throws when it fails */
export function git(folder: string, args: readonly string[], input = ""): string {
  return execFileSync("git", args, { cwd: folder, input, encoding: "utf8", maxBuffer: 1e9, stdio: "pipe" });
}

/** Every file that somebody wrote: those of the repository without generated and binary ones. */
export function writtenFiles(root: string): ReadonlyMap<string, string> {
  const files = git(root, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    .split("\0")
    .filter((file) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile() === true);
  const fields = git(root, ["check-attr", "-z", "--stdin", "linguist-generated"], files.join("\0")).split("\0");
  // Three fields a file: its path, the attribute, its value.
  const written = files.filter((_, index) => fields[index * 3 + 2] !== "set");
  const texts = written.map((file) => [file, readFileSync(join(root, file), "utf8")] as const);
  return new Map(texts.filter(([, text]) => !text.includes("\0")));
}
