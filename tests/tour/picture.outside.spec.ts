import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect } from "chai";
import { driftPreview } from "../../tools/picture/drift-preview";
import { textOf } from "./picture-text";

const RUN_MS = 300_000;
const PICTURE = join(__dirname, "..", "..", "docs", "preview-drift.svg");

describe("the picture of a preview in README.md", () => {
  it("shows what the Pulumi CLI prints: else `npm run picture` draws it again", async () => {
    const printed = stripVTControlCharacters(await driftPreview());
    const lines = printed.split("\n").filter((line) => line !== "");
    expect(textOf(readFileSync(PICTURE, "utf8"))).to.deep.equal(lines);
    expect(printed).to.contain("- LOG_LEVEL").and.contain("DATABASE_URL: [secret] => [secret]");
  }).timeout(RUN_MS);
});
