import { execFileSync } from "node:child_process";

/** What a git command says, in a folder. @throws when it fails */
export function git(folder: string, args: readonly string[], input = ""): string {
  return execFileSync("git", args, { cwd: folder, input, encoding: "utf8", maxBuffer: 1e9, stdio: "pipe" });
}
