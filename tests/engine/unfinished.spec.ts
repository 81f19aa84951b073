import { expect } from "chai";
import { set } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const SECRET = "s3cr3t-battery-staple";

/** Worth its CLI calls: what the engine encrypts of the inputs that a refresh reads, only the engine can say. */
describe("engine: a refresh after an update that was not finished", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  it("shows no secret that the update added", async () => {
    const environmentId = engine.environment();
    const project = await engine.project();
    project.write({ resources: [set("vars", { environmentId, variables: { A: "one" } })] });
    await project.up();
    project.write({ resources: [set("vars", { environmentId, variables: { B: "two" }, secrets: { A: SECRET } })] });
    engine.sandbox.faults.add({ refuse: { B: "no room" } });
    await project.failedUp();
    await project.refresh();
    expect(project.export()).not.to.contain(SECRET);
    await project.up();
    expect(engine.values(environmentId)).to.deep.equal({ A: SECRET, B: "two" });
    expect(project.export()).not.to.contain(SECRET);
  });
});
