import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect } from "chai";
import { SEED, startSandbox, StateFileError } from "../../../provider/src/sandbox";
import { failure } from "../../client/support/samples";
import { branchChange, start, Command } from "../caller";

const ID = SEED.shopPullRequest;
describe("sandbox: files", () => {
  let folder: string;
  let stateFile: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-sandbox-"));
    stateFile = join(folder, "state.json");
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Why no sandbox starts on the file. */
  async function refused(file = stateFile): Promise<string> {
    const error = await failure(startSandbox({ stateFile: file }).then((sandbox) => sandbox.close()));
    if (error instanceof StateFileError) return error.message;
    throw error;
  }

  describe("sandbox: state file", () => {
    it("is written at start for its owner only, and carries everything into the next sandbox", async () => {
      let state: unknown;
      let clock: number;
      {
        await using fixture = await start({ stateFile });
        expect(statSync(stateFile).mode & 0o777).to.equal(0o600);
        const { world } = fixture.sandbox;
        const body = {
          env_vars: [
            { name: "__proto__", value: "1" },
            { name: "B", value: "2", services: ["web"] },
          ],
        };
        await fixture.call("PUT", `/${ID}/env-vars`, { body });
        await fixture.call("DELETE", `/${ID}/env-vars/NODE_ENV`);
        world.pushCommit(ID, "api");
        world.failNextBuild(ID);
        await fixture.call("PATCH", `/${ID}`, { body: branchChange(ID, { web: "x", api: "main" }) });
        world.slowNextBuild(SEED.shopMain, 60);
        world.remove(SEED.shopDeleted);
        await fixture.call("POST", `/${ID}/snapshot-load`, {
          body: { data: { type: "snapshot-load", attributes: { sequence_number: 1 } } },
        });
        state = (await fixture.control("GET", "state")).json;
        clock = fixture.clock.now();
      }

      await using again = await start({ stateFile, environments: [] });

      expect(again.clock.now()).to.equal(clock);
      expect((await again.control("GET", "state")).json).to.deep.equal(state);
      const commit = () => again.sandbox.world.builds(ID)[0]?.projects[1]?.commitHash;
      const pushed = commit();
      await again.call("POST", `/${ID}/rebuild`);
      expect(commit()).to.equal(pushed);
      const times = again.sandbox.world.builds(ID).map((build) => build.queuedAt);
      expect(times).to.deep.equal(times.toSorted().toReversed());
      expect(new Set(times).size).to.equal(5);
      again.sandbox.world.failNextBuild(ID);
      await again.call("POST", `/${ID}/rebuild`);
      again.clock.advance(3000);
      expect(again.sandbox.world.environments.get(ID)).to.include({ processing: false, ready: false });
      await again.call("POST", `/${SEED.shopMain}/rebuild`);
      again.clock.advance(59_000);
      expect(again.sandbox.world.environments.get(SEED.shopMain)).to.include({ processing: true });
    });

    it("is written after each change, in one piece", async () => {
      await using fixture = await start({ stateFile });
      const { world } = fixture.sandbox;

      world.setVariable(ID, { name: "BY_HAND", value: "1" });
      expect(readFileSync(stateFile, "utf8")).to.include("BY_HAND");
      world.deleteVariable(ID, "BY_HAND");
      expect(readFileSync(stateFile, "utf8")).to.not.include("BY_HAND");
      expect(readdirSync(folder)).to.deep.equal(["state.json", "state.json.lock"]);
    });

    const broken: readonly (readonly [string, string, string])[] = [
      ["is no JSON", "{", "it is not valid JSON"],
      ["is of another version", '{"version": 2}', "state.version must be 1"],
      [
        "has an environment without an id",
        '{"version": 1, "lastQueuedMicros": 0, "environments": [{}]}',
        "state.environments[0].id must be a string",
      ],
    ];
    for (const [name, content, reason] of broken) {
      it(`that ${name} is refused with the reason and left as it is`, async () => {
        writeFileSync(stateFile, content);
        const text = `State file ${stateFile} cannot be used: ${reason}. Correct it or delete it.`;
        expect(await refused()).to.equal(text);
        expect(readFileSync(stateFile, "utf8")).to.equal(content);
      });
    }

    it("that somebody has edited is refused for a field that does not exist, and names the nearest one", async () => {
      await using first = await startSandbox({ stateFile });
      await first.close();
      writeFileSync(stateFile, readFileSync(stateFile, "utf8").replace('"services"', '"servcies"'));
      expect(await refused()).to.contain(
        '.variables[0] has no field "servcies". Did you mean "services"? Correct it or delete it.',
      );
    });

    it("that a symbolic link leads to, there or not, is written and locked, and the link stays", async () => {
      const link = join(folder, "link.json");
      symlinkSync("state.json", link);
      await using sandbox = await startSandbox({ stateFile: link });
      sandbox.world.setVariable(ID, { name: "KEPT", value: "1" });
      expect(lstatSync(link).isSymbolicLink()).to.equal(true);
      expect(readFileSync(stateFile, "utf8")).to.contain("KEPT");
      expect(await refused()).to.contain(`is in use by process ${process.pid}`);
    });
  });

  describe("sandbox: two of them on one state file", () => {
    const lock = (): string => `${stateFile}.lock`;
    const refusal = (owner: string, file = stateFile): string =>
      `State file ${file} is in use by ${owner}, and two sandboxes would overwrite each other's changes. End that one, or ` +
      `choose another file. If it is no sandbox, delete ${file}.lock.`;

    it("in one process: the second is refused, by any spelling of the path, until the first is closed", async () => {
      const first = await startSandbox({ stateFile });
      for (const file of [stateFile, relative(process.cwd(), stateFile)]) {
        expect(await refused(file)).to.equal(refusal(`process ${process.pid}`, file));
      }
      first.world.setVariable(ID, { name: "KEPT", value: "1" });
      await first.close();
      expect(readdirSync(folder)).to.deep.equal(["state.json"]);

      await using second = await startSandbox({ stateFile });
      first.world.setVariable(ID, { name: "LATE", value: "1" });
      await first.close();
      expect(second.world.variables(ID).map(({ name }) => name)).to.include("KEPT");
      expect(readFileSync(stateFile, "utf8")).not.to.include("LATE");
      expect(existsSync(lock())).to.equal(true);
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
      expect(existsSync(lock())).to.equal(true);

      using third = new Command("--port", "0", "--state", stateFile);
      await third.greeting();
      third.child.kill("SIGTERM");
      expect(await third.outcome).to.include({ code: 0, stderr: "" });
      expect(readdirSync(folder)).to.deep.equal(["state.json"]);
    });
  });
});
