import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import manifest from "../package.json";
import { pages } from "./outside/fences";

const ROOT = join(__dirname, "..");
const FOLDERS = ["docs", "examples", "provider", "sdk", "tests", "tools"];
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/gu;
const FENCE = /^```.*?^```$/gmsu;
const PATH = new RegExp(`(?<![\\w/.@-])(?:${FOLDERS.join("|")}|\\.ci)/[\\w./-]*[\\w/]`, "gu");
const SCRIPT = /\bnpm (?:run ([\w:-]+)|(test|start)\b(?!:))/gu;

/** The headings of a page, as GitHub names them in links. None when it does not exist. */
function headingsOf(page: string): readonly string[] {
  if (!existsSync(join(ROOT, page))) return [];
  const text = readFileSync(join(ROOT, page), "utf8").replaceAll(FENCE, "");
  return [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** What a page names and the repository has not. */
function missing(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const links = [...text.matchAll(LINK)].map(([, target = "", heading]) => ({
    path: target === "" ? page : join(dirname(page), target),
    heading,
  }));
  const linked = links.map(({ path }) => path);
  const named = [...text.matchAll(PATH)].map(([path]) => path);
  const scripts = [...text.matchAll(SCRIPT)].map(([, run, own]) => run ?? own ?? "");
  return [
    ...[...linked, ...named].filter((path) => !existsSync(join(ROOT, path))),
    ...links.flatMap(({ path, heading }) =>
      heading === undefined || !path.endsWith(".md") || headingsOf(path).includes(heading)
        ? []
        : [`${path}#${heading}`],
    ),
    ...scripts.filter((script) => !Object.hasOwn(manifest.scripts, script)).map((script) => `npm run ${script}`),
  ].map((what) => `${page}: ${what}`);
}

/** The scripts that another one runs, or npm itself. */
function partsOf(scripts: Readonly<Record<string, string>>): readonly string[] {
  const queue = readFileSync(join(ROOT, "tools", "test", "queue.mjs"), "utf8");
  const called = [...Object.values(scripts), queue].join("\n");
  const isCalled = (name: string): boolean => new RegExp(`(?:npm run|main\\.mjs) ${name}(?![\\w:])`, "u").test(called);
  return ["prepack", ...Object.keys(scripts).filter(isCalled)];
}

describe("the pages at the top of the project, and those below docs and examples", () => {
  it("name only files, headings and npm scripts that exist", () => {
    expect(pages().flatMap(missing)).to.deep.equal([]);
  });
});

describe("the classes and functions of the TypeScript SDK", () => {
  it("link to what the reference says of them", () => {
    const files = globSync("sdk/nodejs/generated/{env,get,snapshot,written}*.ts", { cwd: ROOT });
    const headings = headingsOf("docs/reference.md");
    for (const file of files) {
      const links = [...readFileSync(join(ROOT, file), "utf8").matchAll(/@see \{@link \S+#(\w+)\}/gu)];
      expect(links, file).not.to.have.lengthOf(0);
      expect(headings, file).to.include.members(links.map(([, heading]) => heading));
    }
    expect(files).to.have.length.above(10);
  });
});

describe("CONTRIBUTING.md", () => {
  it("says what each npm script does that is no part of another one", () => {
    const text = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
    const described = [...text.matchAll(SCRIPT)].map(([, run, own]) => run ?? own ?? "");
    const own = Object.keys(manifest.scripts).filter((name) => !partsOf(manifest.scripts).includes(name));
    expect(own.length).to.be.greaterThan(15);
    expect(described).to.include.members(own);
  });
});
