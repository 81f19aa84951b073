import { expect } from "chai";
import { describeIn, yaml } from "../harness/languages";
import { type ResourceEntry, set } from "../harness/program";
import { ENGINE_TEST_MS, useEngine } from "../harness/suite";

/** Longer than the engine needs from one step to the next. */
const SLOW_MS = 500;

/** Worth its 4 CLI calls: only the engine starts a create while the update before it is still under way. */
describeIn("yaml", "engine, native: handing variables over", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  it("a name that moves from a set to an EnvVar in an up --refresh is there afterwards", async () => {
    const project = await engine.project({ language: yaml() });
    const environmentId = engine.environment();
    const single = (name: string): ResourceEntry => ({
      type: "EnvVar",
      name: name.toLowerCase(),
      args: { environmentId, name, value: "1", hidden: false },
    });
    project.write({ resources: [set("set", { environmentId, variables: { A: "1", B: "1" } }), single("C")] });
    await project.up();
    engine.sandbox.faults.add({ label: "DELETE /env-vars", delayMs: SLOW_MS });
    project.write({ resources: [set("set", { environmentId, variables: { A: "1" } }), single("C"), single("B")] });
    await project.up("--refresh");
    expect(engine.values(environmentId)).to.deep.equal({ A: "1", B: "1", C: "1" });
    await project.preview("--refresh", "--expect-no-changes");
  });
});
