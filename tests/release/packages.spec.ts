import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { version } from "../../package.json";
import { resources } from "../../provider/src/resources";
import { generateSdk, generatorOf, languages } from "../../tools/generate/sdks/generator";
import { identity } from "../../tools/release/owner";
import { literal } from "../../tools/release/versions";
import { FROZEN, hashesOfStates, readFrozen, states } from "../engine/fixtures/states";

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
    written: (text) => text.replace("-rc.", "rc"),
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

/** Each version that a file says once, in the places that a pattern finds. */
function versionsIn(file: string, place = /$^/gu): readonly (string | undefined)[] {
  return [...new Set(Array.from(readFileSync(file, "utf8").matchAll(place), ([, found]) => found))];
}

describe("the packages of all languages", () => {
  for (const { file, name, version: place, written = String } of packages)
    it(`${file} has the name of the owner${place === undefined ? "" : ", and the version of package.json"}`, () => {
      expect(existsSync(join(ROOT, file)), file).to.equal(true);
      expect(readFileSync(join(ROOT, file), "utf8")).to.match(name);
      if (place !== undefined) expect(versionsIn(join(ROOT, file), place)).to.deep.equal([written(version)]);
    });

  const python = languages.filter(({ name }) => name === "python");
  for (const language of python) {
    const title = "have the version of a candidate as their registry writes it: Python";
    const generator = generatorOf(language);
    if ("reason" in generator) it.skip(`${title} (${generator.reason})`);
    else
      it(title, async () => {
        const folder = mkdtempSync(join(tmpdir(), "previewenv-candidate-"));
        try {
          const schema = join(folder, "schema.json");
          const current: object = JSON.parse(readFileSync(join(ROOT, "provider", "schema.json"), "utf8"));
          writeFileSync(schema, JSON.stringify({ ...current, version: "0.1.0-rc.1" }));
          await generateSdk(generator.pulumi, language, schema, folder);
          const found = packages
            .filter(({ file }) => file.startsWith("sdk/python/"))
            .map(({ file, version: place }) => versionsIn(join(folder, file.slice("sdk/".length)), place));
          expect(found).to.deep.equal([["0.1.0rc1"], ["0.1.0-rc.1"]]);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      });
  }
});

const FIXTURES = dirname(FROZEN);

describe("the state that releases wrote", () => {
  it("is frozen: each file is byte for byte what the release wrote, and none is missing", () => {
    expect(hashesOfStates()).to.deep.equal(readFrozen());
  });

  it("names the plugin of its own version", () => {
    for (const file of Object.keys(readFrozen()).filter((one) => one.endsWith("/native.json"))) {
      const [release = ""] = file.split("/");
      const text = readFileSync(join(FIXTURES, file), "utf8");
      const versions = [...text.matchAll(/::default_(\d+_\d+_\d+)_|"version": "(\d+\.\d+\.\d+)"/gu)];
      expect(versions.length, file).to.be.above(1);
      expect([...new Set(versions.map(([, name, own]) => own ?? name?.replaceAll("_", ".")))]).to.deep.equal([release]);
    }
  });

  it("is kept for both hosts, of each resource", () => {
    for (const { version: release, program } of states) {
      expect(Object.keys(readFrozen())).to.include.members([`${release}/dynamic.json`, `${release}/native.json`]);
      const types = new Set<string>(program.resources.map(({ type }) => type));
      expect(resources.map(({ type }) => type).filter((type) => !types.has(type))).to.deep.equal([]);
    }
  });
});
