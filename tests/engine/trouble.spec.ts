import { expect } from "chai";
import { branches, oneSet, type Program, set } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** Worth its 20 CLI calls: what is kept in state after an error, and what the next run makes of it, is the engine's doing. */
describe("engine: trouble", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  afterEach(() => engine.sandbox.faults.clear());

  const both = (environmentId: string, branch: string): Program => ({
    resources: [
      set("vars", { environmentId, variables: { SHOWN: branch }, secrets: { PASSWORD: "correct horse battery" } }),
      branches("branches", {
        environmentId,
        branches: { web: branch },
        rebuildOn: [{ $output: ["vars", "revision"] }],
      }),
    ],
  });

  // What the service says of one that it still lists as deleted, the contract scenarios know.
  it("a removed environment leaves state at up --refresh, which says so, and destroy ends well", async () => {
    const project = await engine.project();
    const environmentId = engine.environment();
    project.write(both(environmentId, "feature/one"));
    await project.up();
    engine.sandbox.world.remove(environmentId);
    const full = project.export();

    const { text } = await project.failedUp("--refresh");
    expect(text).to.include(`environment ${environmentId} does not exist`);
    expect(project.export()).not.to.include("EnvVarSet::vars");
    await project.destroy();
    for (const options of [[], ["--refresh"]]) {
      project.restore(full);
      await project.destroy(...options);
      expect(project.export()).not.to.match(/"previewenv:index:|dynamic\/previewenv/u);
    }
  });

  it("a service that is down fails up, refresh and destroy, and takes no name out of state", async () => {
    const project = await engine.project({ env: { PREVIEWENV_MAX_RETRIES: "0" } });
    const environmentId = engine.environment();
    project.write(oneSet({ environmentId, variables: { A: "1" } }));
    await project.up();
    const { faults } = engine.sandbox;

    project.write(oneSet({ environmentId, variables: { A: "2" } }));
    faults.add({ status: 503, times: Infinity });
    const unavailable = await project.failedUp();
    expect(unavailable.text).to.include("503");
    // Nobody knows whether a write that got 503 was stored.
    const { variables } = project.resource("vars").outputs ?? {};
    expect(variables).to.have.all.keys("A");
    faults.clear();
    faults.add({ dropBefore: true, times: Infinity });
    await project.failedUp("--refresh");
    await project.end(1, "refresh", "--yes", "--skip-preview");
    await project.end(1, "destroy", "--yes", "--skip-preview");
    expect(project.resource("vars").outputs).to.deep.include({ variables });

    faults.clear();
    expect(await engine.sent(() => project.up())).to.deep.equal([["A"]]);
  });

  it("with `refresh: always` in Pulumi.yaml a plain preview shows drift, and a plain up puts it back", async () => {
    const project = await engine.project({ settings: { options: { refresh: "always" } } });
    const environmentId = engine.environment();
    project.write(oneSet({ environmentId, variables: { A: "1", B: "1" }, secrets: { PASSWORD: "correct horse" } }));
    await project.up();
    await project.preview("--expect-no-changes");
    engine.sandbox.world.setVariable(environmentId, { name: "PASSWORD", value: "changed by hand" });
    engine.sandbox.world.setVariable(environmentId, { name: "A", value: "changed by hand", hidden: false });
    const { text } = await project.end(7, "preview", "--diff", "--expect-no-changes");
    expect(text)
      .to.match(/~ PASSWORD\s*: \[secret\] => \[secret\]/u)
      .and.match(/~ A\s*: "changed by hand" => "1"/u);
    expect(await engine.sent(() => project.up())).to.deep.equal([["A", "PASSWORD"]]);
  });
});
