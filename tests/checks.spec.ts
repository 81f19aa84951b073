import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { ROOT } from "./support/packed";

describe("the project", () => {
  // It compiles and lints everything.
  it("passes `npm run check`", function () {
    this.timeout(600_000);
    const { status, stdout, stderr } = spawnSync("npm run check", { cwd: ROOT, shell: true, encoding: "utf8" });
    expect(status, stdout + stderr).to.equal(0);
  });
});
