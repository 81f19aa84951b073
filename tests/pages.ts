import { readdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "..");

/** Every page at the top of the project, and below docs and examples. */
export function pages(): readonly string[] {
  const top = readdirSync(ROOT).filter((file) => file.endsWith(".md"));
  const below = ["docs", "examples"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  );
  return [...top, ...below];
}
