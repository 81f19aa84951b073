import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect } from "chai";
import { SEED, startSandbox, StateFileError } from "../../../provider/src/sandbox";
import { Command } from "../command";

const ID = SEED.shopPullRequest;

describe("sandbox: two of them on one state file", () => {
  let folder: string;
  let stateFile: string;
  let lock: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-sandbox-"));
    stateFile = join(folder, "state.json");
    lock = `${stateFile}.lock`;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const refusal = (owner: string, file = stateFile): string =>
    `State file ${file} is in use by ${owner}, and two sandboxes would overwrite each other's changes. End that one, or ` +
    `choose another file. If it is no sandbox, delete ${file}.lock.`;
  const failure = async (file = stateFile): Promise<unknown> =>
    startSandbox({ stateFile: file }).then(
      async (sandbox) => sandbox.close(),
      (error: unknown) => error,
    );

  it("in one process: the second is refused, by any spelling of the path, until the first is closed", async () => {
    const first = await startSandbox({ stateFile });
    for (const file of [stateFile, relative(process.cwd(), stateFile)]) {
      const error = await failure(file);
      expect(error).to.be.instanceOf(StateFileError);
      expect(error).to.have.property("message", refusal(`process ${process.pid}`, file));
    }
    first.world.setVariable(ID, { name: "KEPT", value: "1" });
    await first.close();
    expect(readdirSync(folder)).to.deep.equal(["state.json"]);

    await using second = await startSandbox({ stateFile });
    first.world.setVariable(ID, { name: "LATE", value: "1" });
    await first.close();
    expect(second.world.variables(ID).map(({ name }) => name)).to.include("KEPT");
    expect(readFileSync(stateFile, "utf8")).not.to.include("LATE");
    expect(existsSync(lock)).to.equal(true);
  });

  it("in two processes: the second ends with 1 and names the first, and one that was killed blocks nobody", async () => {
    using first = new Command("--port", "0", "--state", stateFile);
    await first.greeting();
    using second = new Command("--port", "0", "--state", stateFile);
    expect(await second.outcome).to.deep.equal({
      code: 1,
      stdout: "",
      stderr: `${refusal(`process ${first.child.pid}`)}\n`,
    });
    first.child.kill("SIGKILL");
    await first.outcome;
    expect(existsSync(lock)).to.equal(true);

    using third = new Command("--port", "0", "--state", stateFile);
    await third.greeting();
    third.child.kill("SIGTERM");
    expect(await third.outcome).to.include({ code: 0, stderr: "" });
    expect(readdirSync(folder)).to.deep.equal(["state.json"]);
  });

  it("takes over what an earlier process of the same id left, as in a container that was started again", async () => {
    writeFileSync(lock, `${process.pid} ${hostname()}`);
    utimesSync(lock, 1, 1);
    await using sandbox = await startSandbox({ stateFile });
    expect(sandbox.world.environments.list()).not.to.deep.equal([]);
  });

  it("is refused where nobody can tell whether the other one runs", async () => {
    for (const [text, owner] of [
      ["1 another-computer", "process 1 of another-computer"],
      ["", "another process"],
    ] as const) {
      writeFileSync(lock, text);
      expect(await failure()).to.have.property("message", refusal(owner));
      expect(readFileSync(lock, "utf8")).to.equal(text);
    }
  });

  it("gives the file free when the start fails", async () => {
    await using other = await startSandbox();
    const port = Number(new URL(other.url).port);
    expect(await startSandbox({ stateFile, port }).catch((error: unknown) => error)).to.have.property(
      "code",
      "EADDRINUSE",
    );
    expect(readdirSync(folder)).to.deep.equal(["state.json"]);
    writeFileSync(stateFile, "{");
    expect(await failure()).to.be.instanceOf(StateFileError);
    expect(readdirSync(folder)).to.deep.equal(["state.json"]);
  });
});
