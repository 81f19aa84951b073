import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { expect } from "chai";
import { MAX_ANSWER_BYTES } from "../provider/src/client/connections";

const root = path.join(__dirname, "..");
const MIB = 1024 * 1024;

describe("docs/security.md", () => {
  const page = readFileSync(path.join(root, "docs", "security.md"), "utf8");
  const refusals = page.slice(page.indexOf("## What is refused"), page.indexOf("## Dependencies"));
  const named = [...page.matchAll(/tests\/[\w/-]+\.spec\.ts/gu)].map(([file]) => file);

  it("names a test for everything that is refused, and every such test exists", () => {
    const rows = refusals.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| attempt"));
    expect(rows.length).to.be.greaterThan(20);
    expect(rows.filter((row) => !/\| (?:tests\/[\w/-]+\.spec\.ts(?:, )?)+ \|$/u.test(row))).to.deep.equal([]);
    expect(named.filter((file) => !existsSync(path.join(root, file)))).to.deep.equal([]);
  });

  it("names every test of what is hostile", () => {
    const all = readdirSync(path.join(root, "tests"), { recursive: true, encoding: "utf8" });
    const hostile = all
      .filter((file) => /hostile[\w-]*\.spec\.ts$/u.test(file))
      .map((file) => `tests/${file.replaceAll("\\", "/")}`);
    expect(hostile).to.have.length.greaterThan(2);
    expect(named).to.include.members(hostile);
  });

  it("gives the bounds that the client has", () => {
    expect(page).to.contain(`more than ${MAX_ANSWER_BYTES / MIB} MiB`);
  });
});
