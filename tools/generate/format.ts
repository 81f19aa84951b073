import { execFileSync } from "node:child_process";
import * as path from "node:path";

const OXFMT = path.join("node_modules", "oxfmt", "bin", "oxfmt");

/** The text as the project's formatter writes it; `file` tells the language. The formatter leaves Markdown alone. */
export function format(file: string, text: string): string {
  if (file.endsWith(".md")) return text;
  return execFileSync(process.execPath, [OXFMT, `--stdin-filepath=${file}`], { input: text, encoding: "utf8" });
}
