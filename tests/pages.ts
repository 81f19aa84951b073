import { readdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "..");

/** README.md, CHANGELOG.md, CONTRIBUTING.md, and every page below docs and examples. */
export function pages(): readonly string[] {
  const below = ["docs", "examples"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  );
  return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", ...below];
}
