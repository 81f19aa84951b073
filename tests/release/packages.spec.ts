import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { version } from "../../package.json";
import { resources } from "../../provider/src/resources";
import { generateSdk, languages } from "../../tools/generate/sdks/generator";
import { findOnPath } from "../../tools/setup/command.mjs";
import { identity } from "../../tools/release/owner";
import { FROZEN, hashesOfStates, readFrozen, states } from "../engine/fixtures/states";

const ROOT = join(__dirname, "..", "..");

/** Generated files have both from provider/schema.json: tests/schema/sdks.spec.ts compares them. */
describe("what is written by hand has the name of the owner and the version of package.json", () => {
  for (const [file, text] of [
    ["sdk/go/go.mod", `module ${identity.goModule}\n`],
    [
      "sdk/java/pom.xml",
      `<groupId>${identity.mavenGroup}</groupId>\n  <artifactId>previewenv</artifactId>\n  <version>${version}<`,
    ],
  ] as const)
    it(file, () => expect(readFileSync(join(ROOT, file), "utf8")).to.contain(text));
});

describe("the package for Python", () => {
  const title = "has the version of a candidate as PyPI writes it";
  const [python] = languages.filter(({ name }) => name === "python");
  if (python === undefined || findOnPath("pulumi-language-python") === undefined) it.skip(title);
  else
    it(title, async () => {
      const folder = mkdtempSync(join(tmpdir(), "previewenv-candidate-"));
      try {
        const schema = join(folder, "schema.json");
        const current: object = JSON.parse(readFileSync(join(ROOT, "provider", "schema.json"), "utf8"));
        writeFileSync(schema, JSON.stringify({ ...current, version: "0.1.0-rc.1" }));
        await generateSdk(python, schema, folder);
        const read = (file: string): string => readFileSync(join(folder, "python", file), "utf8");
        expect(read("pyproject.toml")).to.contain('version = "0.1.0rc1"');
        expect(read("pulumi_previewenv/pulumi-plugin.json")).to.contain('"version": "0.1.0-rc.1"');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
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
