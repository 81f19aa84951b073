import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { writtenFiles } from "../../tools/release/git";
import { identity, Identity } from "../../tools/release/owner";
import { ownedNames } from "../../tools/release/rename";
import file from "../../tools/release/identity.json";

const ROOT = join(__dirname, "..", "..");
/** Files that can read the names, instead of saying them. An error of the provider names a page of the repository. */
const CODE =
  /^(?!provider\/src\/client\/troubleshooting\.ts$)(?:provider|sdk\/nodejs|tests|tools)\/.*\.(?:[cm]?[jt]s|py|go|xml)$/u;

describe("the names of the owner", () => {
  it("keep the rules of the places where they are registered", () => {
    expect(Identity.parse(file)).to.deep.equal(file);
    expect(Identity.safeParse({ ...file, pythonPackage: "acme-previews" }).success).to.equal(false);
  });

  describe("in a clone", () => {
    before(function () {
      if (!existsSync(join(ROOT, ".git"))) this.skip();
    });

    it("are said by no code of their own", () => {
      const names = ownedNames(identity);
      const saying = [...writtenFiles(ROOT)].filter(
        ([path, text]) => CODE.test(path) && names.some((name) => text.includes(name)),
      );
      expect(saying.map(([path]) => path)).to.deep.equal([]);
    });

    it("are the same in every page and example: none names this repository under another owner", () => {
      const place = new RegExp(
        `[\\w.-]+/${identity.githubRepository}(?=/sdk/|@v\\d|\\.git\\b|/releases|/issues)`,
        "gu",
      );
      const others = [...writtenFiles(ROOT)].flatMap(([path, text]) =>
        [...text.matchAll(place)]
          .filter(([found]) => found !== `${identity.githubOwner}/${identity.githubRepository}`)
          .map(([found]) => `${path}: ${found}`),
      );
      expect(others).to.deep.equal([]);
    });
  });
});
