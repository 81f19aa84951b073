import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { version } from "../../package.json";
import { literal } from "../../tools/release/owned-names";
import { identity } from "../../tools/release/owner";
import { pythonVersion } from "../../tools/release/versions";

const ROOT = join(__dirname, "..", "..");
const [namespace] = identity.nugetPackage.split(".");

/** Where each package says its name and its version, in the words of its language. */
const packages: readonly {
  readonly file: string;
  readonly name: RegExp;
  readonly version?: RegExp;
  readonly written?: (version: string) => string;
}[] = [
  { file: "package.json", name: exactly(`"name": "${identity.npmPackage}"`), version: /"version": "(.+?)"/gu },
  { file: "provider/schema.json", name: exactly(`"name": "previewenv"`), version: /^ {2}"version": "(.+?)"/gmu },
  {
    file: "sdk/python/pyproject.toml",
    name: exactly(`name = "${identity.pythonPackage}"`),
    version: /^\s*version = "(.+?)"/gmu,
    written: pythonVersion,
  },
  {
    file: "sdk/python/pulumi_previewenv/pulumi-plugin.json",
    name: /"name": "previewenv"/u,
    version: /"version": "(.+?)"/gu,
  },
  { file: "sdk/go/go.mod", name: exactly(`module ${identity.goModule}`) },
  { file: "sdk/go/previewenv/pulumi-plugin.json", name: /"name": "previewenv"/u, version: /"version": "(.+?)"/gu },
  {
    file: "sdk/go/previewenv/internal/pulumiUtilities.go",
    name: /package internal/u,
    version: /MustParse\("(.+?)"\)/gu,
  },
  {
    file: `sdk/dotnet/${identity.nugetPackage}.csproj`,
    name: exactly(`<Company>${identity.publisher}`),
    version: /<Version>(.+?)<\/Version>/gu,
  },
  { file: "sdk/dotnet/Provider.cs", name: exactly(`namespace ${namespace}`) },
  { file: "sdk/dotnet/pulumi-plugin.json", name: /"name": "previewenv"/u, version: /"version": "(.+?)"/gu },
  { file: "sdk/dotnet/version.txt", name: /./u, version: /^(.+)$/gmu },
  {
    file: "sdk/java/pom.xml",
    name: exactly(`<groupId>${identity.mavenGroup}</groupId>`),
    version: /<artifactId>previewenv<\/artifactId>\s*<version>(.+?)</gu,
  },
];

function exactly(text: string): RegExp {
  return new RegExp(`^.*${literal(text)}`, "mu");
}

describe("the packages of all languages", () => {
  for (const { file, name, version: place, written = String } of packages)
    it(`${file} has the name of the owner${place === undefined ? "" : ", and the version of package.json"}`, () => {
      expect(existsSync(join(ROOT, file)), file).to.equal(true);
      const text = readFileSync(join(ROOT, file), "utf8");
      expect(text).to.match(name);
      if (place === undefined) return;
      const found = new Set([...text.matchAll(place)].map(([, one]) => one));
      expect([...found]).to.deep.equal([written(version)]);
    });

  it("have on Maven Central what it asks for: name, description, address, licence, developer, sources", () => {
    const text = readFileSync(join(ROOT, "sdk/java/pom.xml"), "utf8");
    expect(text)
      .to.contain(`<url>${identity.repositoryUrl}</url>`)
      .and.to.contain(`<name>${identity.publisher}</name>`);
    for (const what of ["<licenses>", "<scm>", "maven-source-plugin", "maven-javadoc-plugin", "maven-gpg-plugin"])
      expect(text).to.contain(what);
  });
});
