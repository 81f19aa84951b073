import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { SEED, startSandbox } from "../../../provider/src/sandbox";
import { ROOT, send } from "../caller";

const MAIN = join(__dirname, "../../../dist/provider/src/main.js");
const KIB = 1024;
const TOKEN = "demo";
const LINE =
  "cannot be written: EFBIG. The file stays as it was; the sandbox goes on in memory and answers changes with 500.";

/** A sandbox that cannot write a file beyond a limit: to it that is what a full disk is. */
class Bounded implements Disposable {
  readonly child: ChildProcess;
  printed = "";
  said = "";

  constructor(stateFile: string, kibibytes: number) {
    const args = [MAIN, "sandbox", "--port", "0", "--token", TOKEN, "--state", stateFile];
    this.child = spawn("bash", ["-c", `ulimit -f ${kibibytes}; exec "$@"`, "bash", process.execPath, ...args]);
    this.child.stdout?.on("data", (chunk) => (this.printed += String(chunk)));
    this.child.stderr?.on("data", (chunk) => (this.said += String(chunk)));
  }

  async address(): Promise<string> {
    for (;;) {
      const found = /listens on (?<url>\S+)\n/u.exec(this.printed)?.groups?.["url"];
      if (found !== undefined) return `${found}${ROOT}/${SEED.shopPullRequest}/env-vars`;
      if (this.child.exitCode !== null) throw new Error(this.said);
      if (this.child.stdout !== null) await once(this.child.stdout, "data");
    }
  }

  async end(): Promise<unknown> {
    const closed = once(this.child, "close");
    this.child.kill("SIGTERM");
    return (await closed)[0];
  }

  [Symbol.dispose](): void {
    this.child.kill("SIGKILL");
  }
}

describe("sandbox: a disk that is full", function () {
  let folder: string;
  let stateFile: string;
  before(function () {
    // The limit on the size of files is the shell's.
    if (process.platform === "win32") this.skip();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-sandbox-"));
    stateFile = join(folder, "state.json");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is said in one line; the sandbox serves on, and the file is whole at any time and written again later", async () => {
    {
      await using sandbox = await startSandbox({ stateFile });
      sandbox.world.setVariable(SEED.shopPullRequest, { name: "BEFORE", value: "1" });
    }
    const whole = readFileSync(stateFile, "utf8");
    using bounded = new Bounded(stateFile, Math.ceil(statSync(stateFile).size / KIB) + 1);
    const url = await bounded.address();
    const put = (value: string) =>
      send("PUT", url, { token: TOKEN, body: { env_vars: [{ name: "LARGE", value, hidden: false }] } });

    for (const value of ["x".repeat(4 * KIB), "y".repeat(4 * KIB)]) {
      const refused = await put(value);
      expect(refused.status).to.equal(500);
      expect(refused.json).to.have.nested.property(
        "errors[0].title",
        `State file ${stateFile} cannot be written: EFBIG`,
      );
    }
    expect(readFileSync(stateFile, "utf8")).to.equal(whole);
    expect(readdirSync(folder)).to.deep.equal(["state.json", "state.json.lock"]);
    expect((await send("GET", url, { token: TOKEN })).text)
      .to.include("BEFORE")
      .and.include("LARGE");

    expect((await put("small")).status).to.equal(200);
    expect(JSON.parse(readFileSync(stateFile, "utf8"))).to.be.an("object");
    expect(readFileSync(stateFile, "utf8")).to.include("LARGE");
    expect(await bounded.end()).to.equal(0);
    expect(bounded.said).to.equal(`State file ${stateFile} ${LINE}\n`);
  });

  it("at the start is one line and exit code 1", async () => {
    using bounded = new Bounded(stateFile, 1);
    expect((await once(bounded.child, "close"))[0]).to.equal(1);
    expect(bounded.said).to.equal(`State file ${stateFile} cannot be written: EFBIG\n`);
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
