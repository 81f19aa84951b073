import { execFile, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { SEED, startSandbox } from "../../provider/src/sandbox";
import { environmentId } from "./stage";

describe("a program without an engine", () => {
  it("looks for the dynamic entry when it imports pulumi-previewenv, and not pulumi-previewenv/native", () => {
    const run = (file: string): string => {
      const script = `
        const { EnvVarSet } = require(${JSON.stringify(join(__dirname, "../../dist/sdk/nodejs", file))});
        process.chdir(${JSON.stringify(tmpdir())});
        try { new EnvVarSet("vars", { environmentId: "${environmentId}" }); console.log("made"); } catch (error) { console.log(error.message); }
        process.exit();`;
      // The file by which Pulumi starts a program. Pulumi makes an exit code of the engine that is not there.
      const started = join("node_modules", "@pulumi", "pulumi", "cmd", "run");
      return spawnSync(process.execPath, ["-e", script, started], { encoding: "utf8" }).stdout;
    };
    expect(run("index")).to.contain("pulumi-previewenv/dynamic cannot be found");
    expect(run("native")).to.equal("made\n");
  });

  it("ends after it has called a function", async () => {
    await using sandbox = await startSandbox();
    const program = `require("./dist/sdk/nodejs").getEnvironment({ id: "${SEED.shopMain}" }).then(({ name }) => console.log(name));`;
    const env = { ...process.env, PREVIEWENV_BASE_URL: sandbox.url, PREVIEWENV_API_TOKEN: sandbox.token };
    const node = ["--eval", program];
    // Less than the service keeps a connection that nobody uses.
    const { stdout } = await promisify(execFile)(process.execPath, node, { env, timeout: 60_000 });

    expect(stdout).to.equal("shop-main\n");
  });
});
