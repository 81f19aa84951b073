import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";
import { OLDEST_NODE, PULUMI_VERSION } from "../../tools/setup/version.mjs";

const MODULE = resolve(__dirname, "..", "..", "tools", "setup", "pulumi", "modules", "pulumi", "go.mod");

describe("set-up: versions", () => {
  it("agree with package.json and with the Go modules", () => {
    expect(manifest.engines.node).to.equal(`>=${OLDEST_NODE.replace(/\.0$/, "")}`);
    expect(readFileSync(MODULE, "utf8")).to.contain(`github.com/pulumi/pulumi/pkg/v3 v${PULUMI_VERSION} `);
  });
});
