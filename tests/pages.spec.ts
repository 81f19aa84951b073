import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import manifest from "../package.json";

const ROOT = join(__dirname, "..");
const FOLDERS = ["docs", "examples", "provider", "sdk", "tests", "tools"];
const LINK = /\]\((?!https?:|#)([^)#\s]+)/gu;
const PATH = new RegExp(`(?<![\\w/.@-])(?:${FOLDERS.join("|")}|\\.ci)/[\\w./-]*[\\w/]`, "gu");
const SCRIPT = /\bnpm (?:run ([\w:-]+)|(test|start)\b(?!:))/gu;

/** README.md, CONTRIBUTING.md, and every page below docs and examples. */
function pages(): readonly string[] {
  const below = ["docs", "examples"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  );
  return ["README.md", "CONTRIBUTING.md", ...below];
}

/** What a page names and the repository has not. */
function missing(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const linked = [...text.matchAll(LINK)].map(([, target = ""]) => join(dirname(page), target));
  const named = [...text.matchAll(PATH)].map(([path]) => path);
  const scripts = [...text.matchAll(SCRIPT)].map(([, run, own]) => run ?? own ?? "");
  return [
    ...[...linked, ...named].filter((path) => !existsSync(join(ROOT, path))),
    ...scripts.filter((script) => !Object.hasOwn(manifest.scripts, script)).map((script) => `npm run ${script}`),
  ].map((what) => `${page}: ${what}`);
}

describe("README.md, CONTRIBUTING.md, and the pages below docs and examples", () => {
  it("name only files and npm scripts that exist", () => {
    expect(pages().flatMap(missing)).to.deep.equal([]);
  });
});
