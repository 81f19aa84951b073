import { expect } from "chai";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SEED } from "../../provider/src/sandbox";
import { isolated, startPulumi } from "./harness/cli";
import type { Program } from "./harness/program";
import { ENGINE_TEST_MS, type Engine, useEngine } from "./harness/suite";

const ROOT = resolve(__dirname, "..", "..");
const ID = SEED.shopPullRequest;

/** The requests since a mark that were no reads. */
function writes(engine: Engine, mark: number): readonly string[] {
  return Object.keys(engine.counts(mark))
    .filter((label) => !label.startsWith("GET "))
    .toSorted();
}

/** Worth its 9 CLI calls: what counts as a change of something that is done once is the engine's decision. */
describe("engine: EnvironmentState, EnvironmentAction and SnapshotLoad", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  it("are done once, again on request, brought back after drift, and left alone by refresh and destroy", async () => {
    const { world, journal } = engine.sandbox;
    const project = await engine.project();
    const environmentId = engine.environment({ stopped: true });
    const program = (commit: string): Program => ({
      resources: [
        { type: "EnvironmentState", name: "state", args: { environmentId, state: "running" } },
        {
          type: "EnvironmentAction",
          name: "rebuild",
          args: { environmentId, action: "rebuild", triggers: { commit, state: { $output: ["state", "state"] } } },
        },
        { type: "SnapshotLoad", name: "data", args: { environmentId, sequenceNumber: 7, triggers: { commit } } },
      ],
      outputs: { stopped: { $output: ["state", "stopped"] } },
    });
    project.write(program("1"));
    let mark = journal.mark();
    await project.up();
    expect(world.environments.get(environmentId)).to.include({ stopped: false });
    expect(writes(engine, mark)).to.deep.equal(["POST /rebuild", "POST /restart", "POST /snapshot-load"]);

    world.finishBuilds(environmentId);
    mark = journal.mark();
    const drift = await project.drift();
    expect(drift.code, drift.text).to.equal(0);
    await project.preview("--expect-no-changes");
    expect(engine.counts(mark)).to.deep.equal({ "GET /environment": 1 });

    world.setFlags(environmentId, { stopped: true });
    const { text } = await project.preview("--refresh", "--diff");
    expect(text).to.match(/~ state\s*: "stopped" => "running"/u);
    mark = journal.mark();
    project.write(program("2"));
    await project.up("--refresh");
    expect(world.environments.get(environmentId)).to.include({ stopped: false });
    expect(engine.counts(mark)).to.include({ "POST /snapshot-load": 1 });
    expect(world.snapshotLoads(environmentId)).to.have.length(2);

    mark = journal.mark();
    await project.destroy();
    expect(engine.counts(mark)).to.deep.equal({});
  });
});

/** Worth its 4 CLI calls each: people start from these programs. */
describe("engine: examples of one resource", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let temporary: string;

  before(() => (temporary = mkdtempSync(join(tmpdir(), "previewenv-engine-"))));
  after(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));

  /** Runs an example: up as it is, another value of its setting, up again, destroy. Gives the writes of each. */
  async function play(example: string, key: string, value: string): Promise<readonly (readonly string[])[]> {
    const folder = join(temporary, example);
    const [home, backend] = [join(temporary, `${example}-home`), join(temporary, `${example}-backend`)];
    for (const name of [home, backend]) mkdirSync(name);
    // Stack files and installed packages are the developer's own, not part of the example.
    const isOwn = (file: string): boolean => !/node_modules|Pulumi\..+\.yaml$/u.test(file.slice(ROOT.length));
    cpSync(join(ROOT, "examples", example), folder, { recursive: true, filter: isOwn });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
    const { url, token, journal } = engine.sandbox;
    const env = { ...isolated(home, backend), PREVIEWENV_BASE_URL: url, PREVIEWENV_API_TOKEN: token };
    const pulumi = async (...args: readonly string[]): Promise<readonly string[]> => {
      const mark = journal.mark();
      const run = await startPulumi({ folder, env }, args).done;
      expect(run.code, run.text).to.equal(0);
      return writes(engine, mark);
    };
    await pulumi("stack", "init", "dev");
    const first = await pulumi("up", "--yes", "--skip-preview");
    await pulumi("config", "set", key, value);
    const second = await pulumi("up", "--yes", "--skip-preview");
    return [first, second, await pulumi("destroy", "--yes", "--skip-preview")];
  }

  it("env-var: writes its variables, then the one that changed, and takes them away", async () => {
    const [put, gone] = [["PUT /env-vars"], ["DELETE /env-vars"]];
    expect(await play("env-var", "level", "debug")).to.deep.equal([put, put, gone]);
  });

  it("environment-state: brings a retired environment back, and stops it when told so", async () => {
    const { world } = engine.sandbox;
    world.setFlags(ID, { retired: true });
    expect(await play("environment-state", "state", "stopped")).to.deep.equal([["POST /restart"], ["POST /stop"], []]);
    expect(world.environments.get(ID)).to.include({ retired: false, stopped: true });
    world.setFlags(ID, { stopped: false });
  });

  it("environment-action: rebuilds once, and again for another base image", async () => {
    const before = engine.sandbox.world.builds(ID).length;
    const once = ["POST /rebuild"];
    expect(await play("environment-action", "baseImage", "2026-02")).to.deep.equal([once, once, []]);
    expect(engine.sandbox.world.builds(ID)).to.have.length(before + 2);
  });

  it("snapshot-load: loads a snapshot once, and the next one when told so", async () => {
    const once = ["POST /snapshot-load"];
    expect(await play("snapshot-load", "snapshot", "2")).to.deep.equal([once, once, []]);
    const loads = engine.sandbox.world.snapshotLoads(ID);
    expect(loads.map(({ sequenceNumber }) => sequenceNumber)).to.deep.equal([1, 2]);
  });
});
