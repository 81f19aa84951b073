import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { expect } from "chai";
import * as ts from "typescript";

const root = path.join(__dirname, "..");
const MAX_WORDS = 27;
/** How many files each path may have. */
const PATHS = { "The path of one variable": 20, "The path of one branch change": 12 } as const;
/** The program and the engine: what calls a file without importing it. */
const BOUNDARIES = ["the program", "the engine"];

const page = readFileSync(path.join(root, "docs/architecture.md"), "utf8");

/** The rows of the table below a heading, cell by cell. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const lines = section.split("\n## ")[0]?.split("\n") ?? [];
  const rows = lines.filter((line) => line.startsWith("| ")).slice(1);
  return rows.map((line) => line.slice(2, -2).split(" | "));
}

function unquoted(cell: string = ""): string {
  return cell.replaceAll("`", "");
}

/** What a file imports, static, dynamic, by `require` and as types: paths below the root without their ending, and names of packages. */
function importsOf(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path.join(root, file), "utf8"), true, true);
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith(".") ? path.posix.join(path.posix.dirname(file), fileName) : fileName,
  );
}

describe("docs/architecture.md", () => {
  const words = rowsBelow("Glossary");

  it("says of every folder of the provider and of every SDK what is in it", () => {
    const named = rowsBelow("Folders").flatMap(([folders = ""]) => unquoted(folders).split(", "));
    const folders = ["provider/src", "sdk"].flatMap((parent) =>
      readdirSync(path.join(root, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${parent}/${name}`),
    );
    expect(named).to.include.members(folders);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).to.deep.equal([]);
  });

  for (const [title, maxFiles] of Object.entries(PATHS)) {
    const rows = rowsBelow(title);

    it(`${title}: ${maxFiles} files at most, each once, in the order of their numbers`, () => {
      expect(rows).to.have.length.within(5, maxFiles);
      expect(rows.map(([number]) => number)).to.deep.equal(rows.map((_row, index) => String(index + 1)));
      expect(new Set(rows.map(([, file]) => file)).size).to.equal(rows.length);
    });

    for (const [number = "", cell, from = ""] of rows)
      it(`${title}: to ${unquoted(cell)} from ${from}`, () => {
        const file = unquoted(cell);
        expect(existsSync(path.join(root, file)), "the file exists").to.equal(true);
        if (BOUNDARIES.includes(from)) return;
        // A file that is not in the table stands there itself.
        const index = rows.findIndex(([own]) => own === from);
        expect(index).to.be.lessThan(Number(number) - 1);
        const caller = rows[index]?.[1] ?? from;
        const names = [file.replace(/\.ts$/u, ""), file.replace(/\/index\.ts$/u, "")];
        const imported = importsOf(unquoted(caller)).flatMap((one) => [one, ...viaIndex(one)]);
        expect(imported).to.include.oneOf(names);
      });
  }

  it("explains 27 words at most, each once, and each stands in its file", () => {
    expect(words).to.have.length.within(20, MAX_WORDS);
    expect(new Set(words.map(([word]) => word)).size).to.equal(words.length);
    for (const [word, file, meaning = ""] of words) {
      expect(readFileSync(path.join(root, unquoted(file)), "utf8"), unquoted(file)).to.contain(unquoted(word));
      expect(meaning.length, unquoted(word)).to.be.within(20, 120);
    }
  });
});

/** An index only passes on what it imports. */
function viaIndex(imported: string): readonly string[] {
  const index = `${imported}/index.ts`;
  return existsSync(path.join(root, index)) ? importsOf(index) : [];
}

/** The folders of provider/src. Each may import those of the lines above its own, and nothing beside itself. */
const layers = [
  ["installation"],
  ["command"],
  ["client"],
  ["run"],
  ["framework"],
  ["environment"],
  ["env-vars", "builds", "lifecycle"],
  ["resources.ts", "functions"],
  ["components"],
  ["hosts", "drift", "adopt"],
  ["main.ts"],
] as const;

/** The same for the folders of the sandbox, which its index.ts puts together. */
const sandboxLayers = ["domain", "http", "control", "page"];

/** The only file that loads undici. */
const WITH_UNDICI = ["provider/src/client/connections.ts"];

interface Import {
  readonly from: string;
  /** A path below the root, or the name of a package. */
  readonly to: string;
}

/** Every import of the files below a folder. */
function importsBelow(folder: string): readonly Import[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => {
      const from = path.join(folder, name).replaceAll(path.sep, "/");
      return importsOf(from).map((to) => ({ from, to }));
    });
}

/** The folder of provider/src that a path is in, or the file there. */
function folderOf(file: string): string | undefined {
  const [, , folder] = file.startsWith("provider/src/") ? file.split("/") : [];
  return folder === "resources" ? "resources.ts" : folder;
}

function levelOf(folder: string): number {
  return layers.findIndex((layer) => layer.some((one) => one === folder));
}

describe("imports", () => {
  const provider = importsBelow("provider/src");
  const sdk = importsBelow("sdk/nodejs");

  it("finds them", () => {
    expect(provider.length).to.be.greaterThan(300);
    const folders = new Set(provider.map(({ from }) => folderOf(from)));
    expect([...folders]).to.have.members([...layers.flat(), "sandbox"]);
  });

  it("between the folders of provider/src point one way", () => {
    const against = provider.flatMap(({ from, to }) => {
      const [own, other] = [folderOf(from), folderOf(to)];
      if (own === undefined || other === undefined || own === other || own === "sandbox" || other === "sandbox")
        return [];
      return levelOf(other) < levelOf(own) && levelOf(other) >= 0 ? [] : [`${own} -> ${other}: ${from}`];
    });
    expect(against).to.deep.equal([]);
  });

  it("join the sandbox with nothing but the command of the package", () => {
    const joined = [...provider, ...sdk].filter(
      ({ from, to }) =>
        (folderOf(from) === "sandbox") !== (folderOf(to) === "sandbox") &&
        to.includes("/src/") &&
        folderOf(to) !== "command" &&
        folderOf(from) !== "main.ts",
    );
    expect(joined).to.deep.equal([]);
  });

  it("of the SDK stand where the plugin makes components, and nowhere else in the provider", () => {
    const users = provider.filter(({ to }) => to.startsWith("sdk/")).map(({ from }) => path.posix.dirname(from));
    expect([...new Set(users)]).to.deep.equal(["provider/src/hosts/plugin/components"]);
  });

  it("between the folders of the sandbox point one way", () => {
    const levelIn = (file: string): number =>
      folderOf(file) === "sandbox" ? sandboxLayers.indexOf(file.split("/")[3] ?? "") : -1;
    const inside = provider.filter(({ from, to }) => levelIn(from) >= 0 && folderOf(to) === "sandbox");
    expect(new Set(inside.map(({ from }) => levelIn(from)))).to.have.lengthOf(sandboxLayers.length);
    const against = inside.filter(({ from, to }) => levelIn(to) < 0 || levelIn(to) > levelIn(from));
    expect(against).to.deep.equal([]);
  });

  it("of the SDK reach what its classes and functions need, and else only files that import nothing", () => {
    const others = sdk.filter(({ to }) => !["framework", "functions", undefined].includes(folderOf(to)));
    const importing = new Set(provider.map(({ from }) => from.replace(/\.ts$/u, "")));
    expect(others.filter(({ to }) => importing.has(to) || importing.has(`${to}/index`))).to.deep.equal([]);
  });

  it("of undici stand alone where the connections are", () => {
    const users = [...provider, ...sdk].filter(({ to }) => to === "undici").map(({ from }) => from);
    expect([...new Set(users)]).to.deep.equal(WITH_UNDICI);
  });
});
