import { expect } from "chai";
import { javascript } from "./harness/languages";
import { oneSet, set } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const VALUES = { variables: { SHOWN: "shown" }, secrets: { PASSWORD: "correct horse battery" } };
const ALL = { SHOWN: "shown", PASSWORD: "correct horse battery" };

/** Worth its 10 CLI calls: in which order creates, updates and deletes come is the engine's choice. */
describe("engine: handing variables over", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  it("renaming a Pulumi resource keeps its variables, and deletes none on the way", async () => {
    const project = await engine.project({ language: javascript("dynamic") });
    const environmentId = engine.environment();
    project.write({ resources: [set("before", { environmentId, ...VALUES })] });
    await project.up();
    project.write({ resources: [set("after", { environmentId, ...VALUES })] });
    const counts = await engine.requests(() => project.up());
    expect(counts).not.to.have.property("DELETE /env-vars");
    expect(engine.values(environmentId)).to.deep.equal(ALL);
    expect(project.runs.at(-1)?.text).to.include(
      "PASSWORD, SHOWN not deleted, because another resource of the program declares this now",
    );

    await project.preview("--expect-no-changes");
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
  });

  it("moving a name from one set to another keeps it, after one more up at most", async () => {
    const project = await engine.project({ language: javascript("dynamic") });
    const environmentId = engine.environment();
    const write = (one: Record<string, string>, two: Record<string, string>): void =>
      project.write({
        resources: [set("one", { environmentId, secrets: one }), set("two", { environmentId, secrets: two })],
      });
    write({ MOVES: "from one to two", STAYS: "in one" }, { OTHER: "in two" });
    await project.up();
    write({ STAYS: "in one" }, { OTHER: "in two", MOVES: "from one to two" });
    const first = await project.run("up", "--yes", "--skip-preview");
    if (first.code !== 0) await project.up();
    expect(engine.values(environmentId)).to.deep.equal({ MOVES: "from one to two", STAYS: "in one", OTHER: "in two" });
    await project.preview("--expect-no-changes");
  });

  it("a drifted secret under ignoreChanges stays as it is, and its placeholder is never sent", async () => {
    const project = await engine.project({ language: javascript("dynamic") });
    const environmentId = engine.environment();
    const write = (shown: string, triggers: Record<string, string> = {}): void =>
      project.write(
        oneSet(
          { environmentId, variables: { SHOWN: shown }, secrets: VALUES.secrets, triggers },
          { ignoreChanges: ["secrets"] },
        ),
      );
    write("one");
    await project.up();
    engine.sandbox.world.setVariable(environmentId, { name: "PASSWORD", value: "changed by hand" });
    write("two");
    expect(await engine.sent(() => project.up("--refresh"))).to.deep.equal([["SHOWN"]]);
    expect(engine.values(environmentId)).to.deep.equal({ SHOWN: "two", PASSWORD: "changed by hand" });
    await project.preview("--expect-no-changes");

    write("two", { again: "1" });
    expect(await engine.sent(() => project.failedUp())).to.deep.equal([["SHOWN"]]);
    expect(project.runs.at(-1)?.text).to.match(/PASSWORD: .*ignoreChanges/u);
    expect(engine.values(environmentId)).to.deep.equal({ SHOWN: "two", PASSWORD: "changed by hand" });
  });
});
