import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { version } from "../../package.json";
import { resources } from "../../provider/src/resources";
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
