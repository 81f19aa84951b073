import { execFileSync } from "node:child_process";
import * as path from "node:path";

const OXFMT = path.join("node_modules", "oxfmt", "bin", "oxfmt");

/** The text as the project's formatter writes it; `file` tells the language. It leaves Markdown and files without a language alone. */
export function format(file: string, text: string): string {
  if (file.endsWith(".md") || path.extname(file) === "") return text;
  return execFileSync(process.execPath, [OXFMT, `--stdin-filepath=${file}`], { input: text, encoding: "utf8" });
}
