import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Program } from "./harness/program";
import { ENGINE_TEST_MS, type Engine, useEngine } from "./harness/suite";

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
    const project = await engine.project({ language: javascript("native") });
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
