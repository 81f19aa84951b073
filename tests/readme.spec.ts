import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { settings } from "../provider/src/framework/settings";
import { functions } from "../provider/src/functions";
import { resources } from "../provider/src/resources";
import * as sdk from "../sdk/nodejs";
import { endpoints } from "./contract/support/specification";

const root = join(__dirname, "..");
const BASE = "/api/v1/environment";
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
      const unset = "optional" in setting ? "not set" : "required";
      const value = "default" in setting ? String(setting.default) : unset;
      expect(page).to.contain(`| \`previewenv:${setting.name}\` | \`${setting.environment}\` | ${value} |`);
    }
  });

  it("names for every endpoint what reaches it from a program, and a test that does", () => {
    const rows = [...page.matchAll(/^\| `([A-Z, ]+?)(?: (\/\S+))?` \| (.+?) \| (tests\/\S+) \|$/gmu)];
    const shown = rows.map(([, methods = "", path = ""]) => `${methods} ${path}`);
    const known = Object.values(endpoints).map(
      ({ methods, path }) => `${methods.join(", ")} ${path.slice(BASE.length)}`,
    );
    expect(shown.toSorted()).to.deep.equal(known.toSorted());
    for (const [, , , means = "", file = ""] of rows) {
      const spec = read(file);
      const names = means.split(", ").map((name) => name.replaceAll("`", ""));
      expect(Object.keys(sdk)).to.include.members(names);
      expect(
        names.some((name) => spec.includes(name)),
        file,
      ).to.equal(true);
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
