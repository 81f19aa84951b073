import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { type Sandbox, SEED, startSandbox } from "../../provider/src/sandbox";
import { arrival } from "../sandbox/caller";
import { JOB_VARIABLES } from "../support/job-variables";

const MAIN = join(__dirname, "../../dist/provider/src/main.js");
const ID = SEED.shopPullRequest;

describe("adopt: command", () => {
  let folder: string;
  let sandbox: Sandbox;
  const file = (): string => join(folder, "index.ts");

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-adopt-"));
    sandbox = await startSandbox();
  });
  afterEach(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs it, with more environment variables. `whileRunning` may do something to the process, `limit` is a command of bash before it. */
  async function run(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    whileRunning: (child: ChildProcessWithoutNullStreams) => Promise<void> = () => Promise.resolve(),
    limit = "true",
  ) {
    const settings = { PREVIEWENV_BASE_URL: sandbox.url, PREVIEWENV_API_TOKEN: sandbox.token, ...env };
    const child = spawn("bash", ["-c", `${limit}; exec "$@"`, "adopt", process.execPath, MAIN, "adopt", ...args], {
      env: { ...process.env, ...settings },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    const closed = once(child, "close");
    await whileRunning(child);
    const [code]: unknown[] = await closed;
    return { code, stdout, stderr };
  }

  it("prints the program, and nothing else, to standard output", async () => {
    sandbox.world.setVariable(ID, { name: "..", value: "1", hidden: false });
    const { code, stdout, stderr } = await run([ID]);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^import .*;\n$/su);
    expect(stderr).to.match(/^warning: not declared: variable "\.\.", because it must not be .*\n$/u);
  });

  it("prints the same under whatever a job sets for all its programs", async () => {
    const alone = await run([ID, "--language", "yaml"]);
    // No proxy: the sandbox is on this machine.
    const { code, stdout } = await run([ID, "--language", "yaml"], {
      ...JOB_VARIABLES,
      HTTP_PROXY: "http://127.0.0.1:1",
    });
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: alone.stdout });
  });

  it("writes it to a file with --output, and refuses to write it twice, before any request", async () => {
    const written = { code: 0, stdout: "", stderr: `Wrote ${file()}.\n` };
    expect(await run([ID, "--output", file()])).to.deep.equal(written);
    expect(readFileSync(file(), "utf8")).to.match(/^import .*;\n$/su);
    const mark = sandbox.journal.mark();
    const again = await run([ID, "--output", file()]);
    expect(again).to.deep.equal({
      code: 1,
      stdout: "",
      stderr: `--output: ${JSON.stringify(file())} exists already. --force replaces it (see --help)\n`,
    });
    const place = dirname(file());
    const { stderr } = await run([ID, "--output", place]);
    expect(stderr).to.equal(`--output: ${JSON.stringify(place)} is not a file (see --help)\n`);
    expect(sandbox.journal.since(mark)).to.deep.equal([]);
  });

  it("leaves the file that --force replaces as it was, and no other, when there is no room for the new one", async () => {
    writeFileSync(file(), "// my program");
    const forced = [ID, "--output", file(), "--force"];
    const { code, stderr } = await run(forced, {}, undefined, "ulimit -f 0");
    expect([code, readFileSync(file(), "utf8"), readdirSync(folder)]).to.deep.equal([1, "// my program", ["index.ts"]]);
    expect(stderr).to.match(/^--output: ".*index\.ts" cannot be written: Error: E\w+: .+$/mu);
    chmodSync(file(), 0o664);
    expect((await run(forced, {}, undefined, "umask 077")).code).to.equal(0);
    expect(readFileSync(file(), "utf8")).to.match(/^import .*;\n$/su);
    expect(statSync(file()).mode & 0o777).to.equal(0o664);
  });

  it("says that nobody reads its standard output, and fails", async () => {
    const { code, stderr } = await run([ID], {}, (child) => {
      child.stdout.destroy();
      return Promise.resolve();
    });
    expect(stderr).to.match(/^Could not write to standard output: .*\n$/u);
    expect(code).to.equal(1);
  });

  it("names the environment variables that are not set, and no other place", async () => {
    const { code, stderr } = await run([ID], { PREVIEWENV_BASE_URL: "", PREVIEWENV_API_TOKEN: "" });
    expect(code).to.equal(1);
    expect(stderr).to.contain("The environment variable PREVIEWENV_BASE_URL is not set.");
    expect(stderr).to.contain("The environment variable PREVIEWENV_API_TOKEN is not set.");
    expect(stderr).not.to.contain("pulumi config");
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const)
    it(`ends at once on ${signal}, and writes nothing`, async () => {
      sandbox.faults.add({ label: "GET /env-vars", hold: new Promise(() => undefined) });
      const { code, stdout, stderr } = await run([ID, "--output", file()], {}, async (child) => {
        await arrival(sandbox.journal, 2);
        child.kill(signal);
      });
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
      expect(stderr).to.match(/^Could not read the variables of environment .*: cancelled\. .*\n$/u);
      expect(readdirSync(folder)).to.deep.equal([]);
    });
});
