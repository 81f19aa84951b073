import { expect } from "chai";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openWorkspace } from "../../tools/tour/workspace";

const SANDBOX = { PREVIEWENV_BASE_URL: "http://127.0.0.1:1", PREVIEWENV_API_TOKEN: "sandbox-token" };

describe("tour: workspace", () => {
  it("keeps settings of the provider and of Pulumi away from the CLI, but for its own", () => {
    const given = {
      HOME: "/home/user",
      PREVIEWENV_API_TOKEN: "real",
      PREVIEWENV_MAX_RETRIES: "9",
      PULUMI_ACCESS_TOKEN: "real",
      PULUMI_STACK: "production",
      TS_NODE_PROJECT: "elsewhere.json",
    };
    using workspace = openWorkspace(given, SANDBOX);
    const { environment } = workspace;
    expect(environment).to.include({ HOME: "/home/user", PULUMI_STACK: "tour", ...SANDBOX });
    expect(environment).not.to.have.any.keys("PREVIEWENV_MAX_RETRIES", "PULUMI_ACCESS_TOKEN", "TS_NODE_PROJECT");
  });

  it("is gone when it is disposed of", () => {
    const workspace = openWorkspace({}, SANDBOX);
    writeFileSync(workspace.configFile, "encryptionsalt: none\n");
    expect(existsSync(join(workspace.project, "Pulumi.yaml"))).to.equal(true);
    workspace[Symbol.dispose]();
    expect(existsSync(dirname(workspace.project))).to.equal(false);
  });
});
