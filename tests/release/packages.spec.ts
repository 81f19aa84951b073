import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { version } from "../../package.json";
import { identity } from "../../tools/release/owner";
import { hashesOfStates, readFrozen } from "../engine/fixtures/states";

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

describe("the state that releases wrote", () => {
  it("is frozen: each file is byte for byte what the release wrote, and none is missing", () => {
    expect(hashesOfStates()).to.deep.equal(readFrozen());
  });
});
