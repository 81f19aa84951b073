import { expect } from "chai";
import { javascript } from "./harness/languages";
import { oneSet } from "./harness/program";
import { useEngine } from "./harness/suite";

const KIB = 1024;

/** Worth its CLI calls: how much an error may carry is a limit of the engine's own gRPC. */
describe("engine: bounds", function () {
  const engine = useEngine(this);

  it("keeps in state what was stored when a failure has nearly as much state as a set may have", async () => {
    const project = await engine.project({ language: javascript("dynamic"), env: { PREVIEWENV_BATCH_SIZE: "20" } });
    const environmentId = engine.environment();
    const names = Array.from({ length: 38 }, (_, index) => `NAME_${index}`);
    const variables = Object.fromEntries(names.map((name) => [name, name.padEnd(200 * KIB, "x")]));
    project.write(oneSet({ environmentId, variables: { ...variables, B: "2" } }));
    engine.sandbox.faults.add({ refuse: { B: "no room" } });
    // So many characters of values are not searched for in a text of the service: it is not shown.
    expect((await project.failedUp()).text).to.contain("B: [secret]");
    expect(project.resource("vars").outputs?.["variables"]).to.deep.equal(variables);
  });
});
