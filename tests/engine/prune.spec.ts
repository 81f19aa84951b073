import { expect } from "chai";
import { oneSet } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";
import { changedEntries } from "./harness/shown-text";

/** Worth its 4 CLI calls: what prune deletes must be what the engine's preview named. */
describe("engine: prune", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  it("deletes what a preview after a refresh named, and neither more nor earlier", async () => {
    const foreign = [
      { name: "SYSTEM_ID", value: "kept" },
      { name: "OLD_PASSWORD", value: "nobody declares this one" },
      { name: "OLD_LEVEL", value: "info", hidden: false },
    ];
    const environmentId = engine.environment({ variables: foreign });
    const project = await engine.project();
    project.write(oneSet({ environmentId, variables: { LEVEL: "debug" }, prune: true, keep: ["SYSTEM_*"] }));
    expect(await engine.requests(() => project.up())).not.to.have.property("DELETE /env-vars");

    const { text } = await project.preview("--refresh", "--diff");
    const names = ["LEVEL", "OLD_LEVEL", "OLD_PASSWORD", "SYSTEM_ID"];
    expect(changedEntries(text).filter((name) => names.includes(name))).to.deep.equal(["OLD_LEVEL", "OLD_PASSWORD"]);
    expect(text).not.to.include("nobody declares this one");

    await project.up("--refresh");
    expect(engine.values(environmentId)).to.deep.equal({ LEVEL: "debug", SYSTEM_ID: "kept" });
    expect(await engine.requests(() => project.up("--refresh"))).to.deep.equal({ "GET /env-vars": 1 });
  });
});
