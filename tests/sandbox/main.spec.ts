import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";
import { SEED, startSandbox } from "../../provider/src/sandbox";
import { ROOT, send } from "./caller";
import { TYPESCRIPT } from "../support/typescript";

const MAIN = join(__dirname, "../../provider/src/sandbox/main.ts");

/** What a finished command left. */
interface Outcome {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function startCommand(...options: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...TYPESCRIPT, MAIN, ...options]);
}

async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

/** Waits for the line that says where it listens, and gives back all that was printed with it. */
async function greetingOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  let printed = "";
  for await (const [chunk] of eventsOf(child)) {
    printed += String(chunk);
    if (printed.includes("Ctrl-C")) return printed;
  }
  throw new Error(`the command ended early: ${printed}`);
}

async function* eventsOf(child: ChildProcessWithoutNullStreams): AsyncGenerator<readonly unknown[]> {
  for (;;) yield await once(child.stdout, "data");
}

describe("sandbox: command", function () {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`says where it listens, serves, and ends with 0 on ${signal}`, async () => {
      const child = startCommand("--port", "0", "--token", "demo", "--build-seconds", "0.5");
      const outcome = outcomeOf(child);
      const greeting = await greetingOf(child);
      const url = /listens on (\S+)/.exec(greeting)?.[1] ?? "";

      expect(greeting).to.include(`PREVIEWENV_BASE_URL=${url}`).and.include("PREVIEWENV_API_TOKEN=demo");
      expect(greeting).to.include(`${SEED.shopPullRequest}  shop-pr-42  running`);
      expect(greeting).to.include(`by hand: ${url}/\n`);
      expect((await send("GET", url + ROOT, { token: "demo" })).status).to.equal(200);
      child.kill(signal);

      expect(await outcome).to.include({ code: 0, stderr: "" });
    });
  }

  it("shows the version of the package with --version", async () => {
    expect(await outcomeOf(startCommand("--version"))).to.include({ code: 0, stdout: `${manifest.version}\n` });
  });

  it("explains itself with --help", async () => {
    const { code, stdout } = await outcomeOf(startCommand("--help"));

    expect(code).to.equal(0);
    for (const option of ["--port", "--token", "--state", "--build-seconds"]) expect(stdout).to.include(option);
  });

  it("says in one line that the port is in use", async () => {
    await using sandbox = await startSandbox();

    const outcome = await outcomeOf(startCommand("--port", new URL(sandbox.url).port));

    expect(outcome).to.deep.equal({
      code: 1,
      stdout: "",
      stderr: "The port is in use: choose another with --port, or --port 0 for a free one.\n",
    });
  });

  it("says in one line that the state file is broken", async () => {
    const folder = mkdtempSync(join(tmpdir(), "previewenv-sandbox-"));
    const file = join(folder, "state.json");
    writeFileSync(file, "{");

    const outcome = await outcomeOf(startCommand("--port", "0", "--state", file));
    rmSync(folder, { recursive: true });

    expect(outcome).to.deep.equal({
      code: 1,
      stdout: "",
      stderr: `State file ${file} cannot be used: it is not valid JSON. Correct it or delete it.\n`,
    });
  });

  for (const options of [
    ["--port", "x"],
    ["--port", "70000"],
    ["--build-seconds", "-1"],
    ["--token", ""],
    ["--nope"],
  ]) {
    it(`refuses ${options.join(" ")} in one line`, async () => {
      const { code, stderr } = await outcomeOf(startCommand(...options));

      expect(code).to.equal(1);
      expect(stderr).to.match(/^[^\n]*see --help\)\n$/);
    });
  }
});
