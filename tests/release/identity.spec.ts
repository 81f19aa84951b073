import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";
import { identity, derivedFrom, Identity } from "../../tools/release/owner";
import { transpileModule } from "typescript";
import { parseAllDocuments } from "yaml";
import file from "../../tools/release/identity.json";
import { ownedNames, renamed, writtenFiles } from "../../tools/release/owned-names";

const ROOT = join(__dirname, "..", "..");
const IDENTITY = "tools/release/identity.json";
/** Files that can read the names, instead of saying them. */
const CODE = /^(?:provider|sdk|tests|tools)\/.*\.(?:[cm]?[jt]s|py|go|xml)$/u;

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

/** Why a file cannot be read: TypeScript and YAML are looked at. */
function problemsOf(path: string, text: string): readonly string[] {
  if (/\.ya?ml$/u.test(path))
    return parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => message));
  if (!/\.m?ts$/u.test(path)) return [];
  const { diagnostics = [] } = transpileModule(text, { reportDiagnostics: true, compilerOptions: { target: 9 } });
  return diagnostics.map(({ messageText }) => JSON.stringify(messageText));
}

describe("the names of the owner", () => {
  it("keep the rules of the places where they are registered", () => {
    expect(Identity.parse(file)).to.deep.equal(file);
    expect(Identity.parse(other)).to.deep.equal(other);
    for (const wrong of [
      { githubOwner: "-acme" },
      { githubRepository: "a/b" },
      { npmPackage: "Previews" },
      { pythonPackage: "acme-previews" },
      { mavenGroup: "acme" },
      { javaPackage: "io.github.not-the-owner" },
      { nugetPackage: "acme" },
      { homepage: "http://acme.example" },
      { securityContact: "acme.example" },
      { more: "names" },
    ])
      expect(Identity.safeParse({ ...other, ...wrong }).success, JSON.stringify(wrong)).to.equal(false);
  });

  it("are those of package.json", () => expect(manifest.name).to.equal(identity.npmPackage));

  it("give the addresses that follow from them", () => {
    expect(derivedFrom(other)).to.deep.equal({
      repository: "github.com/not-the-owner/pulumi-previews",
      repositoryUrl: "https://github.com/not-the-owner/pulumi-previews",
      goModule: "github.com/not-the-owner/pulumi-previews/sdk/go",
      pluginDownloadUrl: "github://api.github.com/not-the-owner/pulumi-previews",
      logoUrl: "https://raw.githubusercontent.com/not-the-owner/pulumi-previews/HEAD/docs/logo.svg",
    });
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

    it("become those of another owner in every file that somebody wrote", () => {
      const names = ownedNames(identity);
      const texts = [...writtenFiles(ROOT)].filter(([path]) => path !== IDENTITY);
      const changed = texts.map(([path, text]) => [path, text, renamed(text, identity, other)] as const);
      expect(changed.filter(([, , after]) => names.some((name) => after.includes(name)))).to.deep.equal([]);
      const [, , owners = ""] = changed.find(([path]) => path === ".github/CODEOWNERS") ?? [];
      expect(owners).to.contain("* @not-the-owner/maintainers");
      const [, , after = ""] = changed.find(([path]) => path === "examples/quickstart-go/main.go") ?? [];
      expect(renamed(`${identity.repositoryUrl}/issues`, identity, other)).to.equal(
        `${derivedFrom(other).repositoryUrl}/issues`,
      );
      const { npmPackage, pythonPackage } = identity;
      const packages = `${npmPackage}@1 ${npmPackage}/native ${pythonPackage}==1 my-${npmPackage}`;
      expect(renamed(packages, identity, other)).to.equal(
        `@not-the-owner/previews@1 @not-the-owner/previews/native acme_previews==1 my-${npmPackage}`,
      );
      const example = changed.find(([path]) => path === "examples/snippets/provider/index.ts")?.[2];
      expect(example).to.contain('import * as previewenv from "@not-the-owner/previews";');
      expect(after).to.contain('"github.com/not-the-owner/pulumi-previews/sdk/go/previewenv"');
    });

    it("are the same after a second time, when they contain the old ones", () => {
      const { githubOwner, npmPackage, mavenGroup, javaPackage } = identity;
      const longer: Identity = {
        ...identity,
        githubOwner: `my-${githubOwner}`,
        npmPackage: `@my/${npmPackage}`,
        mavenGroup: `${mavenGroup}.my`,
        javaPackage: `${javaPackage}.my`,
      };
      const texts = [...writtenFiles(ROOT)].map(([path, text]) => [path, renamed(text, identity, longer)] as const);
      expect(texts.filter(([, once]) => renamed(once, identity, longer) !== once).map(([path]) => path)).to.deep.equal(
        [],
      );
      const [, once = ""] = texts.find(([path]) => path === "examples/quickstart/index.ts") ?? [];
      expect(once).to.contain(`from "@my/${npmPackage}"`);
    });

    it("may have a scope: what names them can still be read", () => {
      const broken = [...writtenFiles(ROOT)].flatMap(([path, text]) => {
        const after = renamed(text, identity, other);
        return after === text ? [] : problemsOf(path, after).map((problem) => `${path}: ${problem}`);
      });
      expect(broken).to.deep.equal([]);
    });
  });
});
