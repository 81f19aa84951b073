import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { git, writtenFiles } from "../../tools/release/git";
import { identity, Identity } from "../../tools/release/owner";
import { ownedNames, rename } from "../../tools/release/rename";
import file from "../../tools/release/identity.json";

const ROOT = join(__dirname, "..", "..");
const IDENTITY = "tools/release/identity.json";
/** Files that can read the names, instead of saying them. An error of the provider names a page of the repository. */
const CODE =
  /^(?!provider\/src\/client\/troubleshooting\.ts$)(?:provider|sdk\/nodejs|tests|tools)\/.*\.(?:[cm]?[jt]s|py|go|xml)$/u;

const other: Identity = {
  githubOwner: "not-the-owner",
  githubRepository: "pulumi-previews",
  npmPackage: "@not-the-owner/previews",
  pythonPackage: "acme_previews",
  mavenGroup: "io.github.not-the-owner",
  javaPackage: "io.github.not_the_owner",
  nugetPackage: "NotThe.Owner",
  publisher: "Acme",
  homepage: "https://not.the.owner.example",
  securityContact: "not@the.owner.example",
};

describe("the names of the owner", () => {
  it("keep the rules of the places where they are registered", () => {
    expect(Identity.parse(file)).to.deep.equal(file);
    expect(Identity.parse(other)).to.deep.equal(other);
    expect(Identity.safeParse({ ...other, pythonPackage: "acme-previews" }).success).to.equal(false);
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

  it("are changed by `npm run rename` in every written file, once: what is renamed already waits for its commit", () => {
    const root = mkdtempSync(join(tmpdir(), "previewenv-rename-"));
    try {
      const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
      mkdirSync(dirname(join(root, IDENTITY)), { recursive: true });
      git(root, ["init", "--quiet"]);
      write(IDENTITY, JSON.stringify(file));
      write("README.md", `npm install ${identity.npmPackage}; ${identity.repositoryUrl}\n`);
      for (const path of ["package.json", "package-lock.json"])
        write(path, JSON.stringify({ name: identity.npmPackage }, undefined, 2));
      git(root, ["add", "."]);
      git(root, ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "state"]);
      write(IDENTITY, JSON.stringify(other));

      rename(root);
      const read = (path: string): string => readFileSync(join(root, path), "utf8");
      expect(read("README.md")).to.equal(
        "npm install @not-the-owner/previews; https://github.com/not-the-owner/pulumi-previews\n",
      );
      const { npmPackage: name, homepage, publisher: author } = other;
      expect(JSON.parse(read("package.json"))).to.deep.equal({ name, homepage, author });
      expect(read("package-lock.json")).to.contain('"name": "@not-the-owner/previews"');
      expect(() => rename(root)).to.throw("Commit these first");
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
