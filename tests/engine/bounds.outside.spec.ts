import { expect } from "chai";
import { javascript } from "./harness/languages";
import { oneSet } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const KIB = 1024;

const entries = (count: number, value: (index: number) => string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`NAME_${String(index).padStart(5, "0")}`, value(index)]),
  );

/** Worth its CLI calls: how much an error may carry is a limit of the engine's own gRPC. */
describe("engine: bounds", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  it("keeps in state what was stored when a failure has nearly as much state as a set may have", async () => {
    const project = await engine.project({ language: javascript("dynamic"), env: { PREVIEWENV_BATCH_SIZE: "20" } });
    const environmentId = engine.environment();
    const variables = entries(38, (index) => `${index}`.padEnd(200 * KIB, "x"));
    project.write(oneSet({ environmentId, variables: { ...variables, B: "2" } }));
    engine.sandbox.faults.add({ refuse: { B: "no room" } });
    // So many characters of values are not searched for in a text of the service: it is not shown.
    expect((await project.failedUp()).text).to.contain("B: [secret]");
    expect(project.resource("vars").outputs?.["variables"]).to.deep.equal(variables);
    expect(await engine.sent(() => project.up())).to.deep.equal([["B"]]);
    expect(engine.values(environmentId)).to.deep.equal({ ...variables, B: "2" });
  });

  it("shows a failure of 5,000 names as a text that can be read, and sends exactly these again", async () => {
    const project = await engine.project({ language: javascript("dynamic"), env: { PREVIEWENV_BATCH_SIZE: "5100" } });
    const environmentId = engine.environment();
    const variables = entries(5_100, String);
    const failed = Object.keys(variables).slice(100);
    const refuse = Object.fromEntries(failed.map((name) => [name, `${name}: ${"no room for it, ".repeat(30)}`]));
    engine.sandbox.faults.add({ refuse });
    project.write(oneSet({ environmentId, variables }));
    const { text } = await project.failedUp();
    expect(text).to.contain("5000 of 5100 variables").and.to.contain("and 4880 more");
    expect(text.length).to.be.lessThan(60 * KIB);
    expect(Object.keys(Object(project.resource("vars").outputs?.["variables"]))).to.have.length(100);
    expect(await engine.sent(() => project.up())).to.deep.equal([failed]);
    expect(engine.values(environmentId)).to.deep.equal(variables);
  });
});
