import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { expect } from "chai";
import * as ts from "typescript";

const root = path.join(__dirname, "..");
const MAX_FILES = 12;
const MAX_WORDS = 35;
const WAYS = ["The way of one variable", "The way of one branch change"];
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

/** Paths of the files that a file imports, without their ending. */
function importsOf(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path.join(root, file), "utf8"), true, true);
  return importedFiles.map(({ fileName }) => path.posix.join(path.posix.dirname(file), fileName));
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

  for (const way of WAYS) {
    const rows = rowsBelow(way);

    it(`${way}: 12 files at most, each once, in the order of their numbers`, () => {
      expect(rows).to.have.length.within(5, MAX_FILES);
      expect(rows.map(([number]) => number)).to.deep.equal(rows.map((_row, index) => String(index + 1)));
      expect(new Set(rows.map(([, file]) => file)).size).to.equal(rows.length);
    });

    for (const [number = "", cell, from = ""] of rows)
      it(`${way}: to ${unquoted(cell)} from ${from}`, () => {
        const file = unquoted(cell);
        expect(existsSync(path.join(root, file)), "the file exists").to.equal(true);
        if (BOUNDARIES.includes(from)) return;
        expect(Number(from)).to.be.lessThan(Number(number));
        const [, caller] = rows.find(([own]) => own === from) ?? [];
        const names = [file.replace(/\.ts$/u, ""), file.replace(/\/index\.ts$/u, "")];
        const imported = importsOf(unquoted(caller)).flatMap((one) => [one, ...viaIndex(one)]);
        expect(imported).to.include.oneOf(names);
      });
  }

  it("explains 35 words at most, each once, and each stands in its file", () => {
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
