import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { load } from "./checkout";

interface VersionModule {
  OLDEST_NODE: string;
  OLDEST_GO: string;
  PULUMI_VERSION: string;
  isAtLeast: (text: string, oldest: string) => boolean;
}

const ROOT = resolve(__dirname, "..", "..");

function read(...path: string[]): string {
  return readFileSync(join(ROOT, ...path), "utf8");
}

describe("set-up: versions", () => {
  const cases: [text: string, oldest: string, expected: boolean][] = [
    ["v3.230.0", "3.230.0", true],
    ["v3.229.9", "3.230.0", false],
    ["v3.1000.0", "3.230.0", true],
    ["v4.0.0", "3.230.0", true],
    ["v2.999.999", "3.230.0", false],
    ["v3.259.0-alpha.x1234", "3.259.0", true],
    ["go1.25.11", "1.25.11", true],
    ["go1.25.9", "1.25.11", false],
    ["go1.26", "1.25.11", true],
    ["devel", "1.25.11", false],
    ["", "3.230.0", false],
  ];
  it("are compared number by number, wherever a text has one", async () => {
    const { isAtLeast } = await load<VersionModule>("version.mjs");
    for (const [text, oldest, expected] of cases) expect(isAtLeast(text, oldest), text).to.equal(expected);
  });

  it("agree with package.json and with the Go modules", async () => {
    const { OLDEST_GO, OLDEST_NODE, PULUMI_VERSION } = await load<VersionModule>("version.mjs");
    const goModule = read("tools", "setup", "pulumi", "modules", "cli", "go.mod");
    expect(JSON.parse(read("package.json")).engines.node).to.equal(`>=${OLDEST_NODE.replace(/\.0$/, "")}`);
    expect(goModule).to.contain(`\ngo ${OLDEST_GO}\n`);
    expect(goModule).to.contain(`github.com/pulumi/pulumi/pkg/v3 v${PULUMI_VERSION}\n`);
  });
});
