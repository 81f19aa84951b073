import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { read, pages } from "./outside/fences";

const FENCE = /^ *```.*?^ *```$/gmsu;
const COMMENT = /<!--.*?-->/gsu;
const CODE = /`[^`]*`/gu;

/** Readers stumbled over these. What to write instead: the actor, and what the actor does. */
const BANNED: readonly RegExp[] = [
  /\bin place of\b/iu,
  /\b(?:variables|values|calls|messages) of others\b/iu,
  /\bthat is no error\b/iu,
  /\bone rule always holds\b/iu,
  /\bhalf (?:of )?a character\b/iu,
  /\ball are secret, unless\b/iu,
  /\bcannot be measured\b/iu,
  /\bno write waits\b/iu,
  /\bdoes not tell that\b/iu,
  /\bnone for a permit\b/iu,
  /\bthe same, and later\b/iu,
  /\bis drift, and `--heal` does it\b/iu,
  /\bgets none of\b/iu,
  /\bcannot stand beside\b/iu,
];
/** A dash or a semicolon that does the work of a sentence. */
const JOINS: readonly RegExp[] = [/;/u, /\s[–—]\s/u];

const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/u;
const FENCE_IN_COMMENT = /^\s*\* ```.*?^\s*\* ```$/gmsu;

/** What a reader of a page reads as text, line by line: no code and no comments. */
function prose(page: string): readonly string[] {
  const blank = (text: string): string => text.replaceAll(/[^\n]/gu, "");
  return read(page).replaceAll(FENCE, blank).replaceAll(COMMENT, blank).replaceAll(CODE, "``").split("\n");
}

/** Lines of a page that have one of the patterns. */
function linesWith(page: string, patterns: readonly RegExp[]): readonly string[] {
  return prose(page).flatMap((line, index) =>
    patterns.some((pattern) => pattern.test(line)) ? [`${page}:${index + 1}: ${line}`] : [],
  );
}

/** Lines of comments in the sources, with the file's name, that have one of the patterns. */
function commentsWith(patterns: readonly RegExp[]): readonly string[] {
  const files = globSync("{provider/src,sdk/nodejs,tools,tests,examples}/**/*.{ts,mjs,cjs,js}", {
    exclude: (path) => path.includes("node_modules"),
  });
  return files.flatMap((file) =>
    readFileSync(file, "utf8")
      .replaceAll(FENCE_IN_COMMENT, "")
      .split("\n")
      .filter((line) => COMMENT_LINE.test(line))
      .map((line) => line.replaceAll(CODE, "``"))
      .filter((line) => patterns.some((pattern) => pattern.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

describe("the words of the comments", () => {
  it("are none that readers stumbled over", () => {
    expect(commentsWith(BANNED)).to.deep.equal([]);
  });

  it("are sentences, which no dash or semicolon joins", () => {
    expect(commentsWith([/; \S/u, /\s[–—]\s/u])).to.deep.equal([]);
  });
});

describe("the words of the pages", () => {
  it("are none that readers stumbled over", () => {
    expect(pages().flatMap((page) => linesWith(page, BANNED))).to.deep.equal([]);
  });

  it("are sentences, which no dash or semicolon joins", () => {
    const forUsers = pages().filter((page) => page !== "CONTRIBUTING.md");
    expect(forUsers.flatMap((page) => linesWith(page, JOINS))).to.deep.equal([]);
  });
});
