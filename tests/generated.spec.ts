import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { generatedFiles } from "../tools/generate/files";
import { languages } from "../tools/generate/sdks/generator";
import { writtenFiles } from "../tools/release/git";

const ROOT = join(__dirname, "..");

// That they follow from the declarations: `npm run check` compares them.
describe("generated files", () => {
  // A review hides what is marked, and a release writes its version and the owner's names into all else.
  it("are marked in .gitattributes: what `npm run generate` and `npm run generate:sdks` write, and no more", async function () {
    if (!existsSync(join(ROOT, ".git"))) this.skip();
    const byHand = [...writtenFiles(ROOT).keys()];
    const generated = await generatedFiles();
    expect(byHand.filter((file) => generated.has(file))).to.deep.equal([]);
    for (const { name, written } of languages)
      expect(byHand.filter((file) => file.startsWith(`sdk/${name}/`))).to.have.members(
        written.filter((file) => file !== "go.sum").map((file) => `sdk/${name}/${file}`),
      );
  });
});
