import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { settings } from "../provider/src/core/settings";
import { functions } from "../provider/src/functions";
import { resources } from "../provider/src/resources";

const root = join(__dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The code blocks of a page, by their language. */
function blocks(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gmsu"))].map((match) => match[1] ?? "");
}

describe("README.md", () => {
  const page = read("README.md");

  it("shows the quickstart as it is run", () => {
    expect(blocks(page, "ts")[0]).to.equal(read("examples/quickstart/index.ts"));
  });

  it("gives the same commands for playing by hand as the quickstart's own page", () => {
    const commands = blocks(read("examples/quickstart/README.md"), "").filter((block) => block.includes("stack init"));
    expect(commands).to.have.length(1);
    expect(blocks(page, "")).to.include(commands[0]);
  });

  it("lists every setting with its environment variable and default", () => {
    for (const setting of settings) {
      const value = "default" in setting ? String(setting.default) : "required";
      expect(page).to.contain(`| \`previewenv:${setting.name}\` | \`${setting.environment}\` | ${value} |`);
    }
  });

  it("links every resource and function to its reference", () => {
    const reference = read("docs/reference.md");
    for (const name of [...resources.map(({ type }) => type), ...functions.map((one) => one.name)]) {
      expect(page).to.contain(`(docs/reference.md#${name.toLowerCase()})`);
      expect(reference).to.match(new RegExp(`^#+ ${name}$`, "mu"));
    }
  });
});
