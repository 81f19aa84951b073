import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { SEED, startSandbox, StateFileError } from "../../../provider/src/sandbox";
import { branchChange, start } from "../caller";

const ID = SEED.shopPullRequest;

describe("sandbox: state file", () => {
  let folder: string;
  let stateFile: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "previewenv-sandbox-"));
    stateFile = join(folder, "state.json");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
    ["is empty", "", "it is not valid JSON"],
    ["is another thing", "[]", "state must be an object"],
    ["is of another version", '{"version": 2}', "state.version must be 1"],
    [
      "has an environment without an id",
      '{"version": 1, "lastQueuedMicros": 0, "environments": [{}]}',
      "state.environments[0].id must be a string",
    ],
  ];
  for (const [name, text, reason] of broken) {
    it(`that ${name} is refused with the reason and left as it is`, async () => {
      writeFileSync(stateFile, text);

      const failure = await startSandbox({ stateFile }).catch((error: unknown) => error);

      expect(failure).to.be.instanceOf(StateFileError);
      expect(failure).to.have.property(
        "message",
        `State file ${stateFile} cannot be used: ${reason}. Correct it or delete it.`,
      );
      expect(readFileSync(stateFile, "utf8")).to.equal(text);
    });
  }

  it("that cannot be written is one clear error", async () => {
    const missing = join(folder, "none", "state.json");

    const failure = await startSandbox({ stateFile: missing }).catch((error: unknown) => error);

    expect(failure).to.be.instanceOf(StateFileError);
    expect(failure).to.have.property("message", `State file ${missing} cannot be written: ENOENT`);
    expect(existsSync(missing)).to.equal(false);
  });
});
