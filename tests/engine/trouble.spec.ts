import { expect } from "chai";
import { describeIn, yaml } from "./harness/languages";
import { branches, oneSet } from "./harness/program";
import { ENDLESS_SECONDS, ENGINE_TEST_MS, useEngine, until } from "./harness/suite";

/** Worth its 8 CLI calls: what is kept in state after Ctrl-C, and what the next run makes of it, is the engine's doing. */
describeIn("yaml", "engine: trouble in a YAML program", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  it("Ctrl-C ends the wait for a build that never ends, and keeps what was done; the next up finishes without a second build", async () => {
    const project = await engine.project({ language: yaml() });
    const environmentId = engine.environment();
    const { journal, world } = engine.sandbox;
    const earlier = world.builds(environmentId).length;
    const builds = (): number => world.builds(environmentId).length - earlier;
    project.write({ resources: [branches("branches", { environmentId, branches: { web: "feature/one" } })] });
    world.slowNextBuild(environmentId, ENDLESS_SECONDS);
    const up = project.start("up", "--yes", "--skip-preview");
    await until("progress is shown", () => up.printed().includes("branches creating (0s) 0 s: build "));
    const mark = journal.mark();
    up.interrupt();
    const run = await up.done;
    expect(run.code, run.text).to.equal(1);
    expect(run.text)
      .to.match(/creating failed/u)
      .and.match(/\* environment env-.*: [Cc]ancelled.* The next `pulumi up` looks at it/u);
    expect(project.resource("branches").initErrors).to.have.length(1);
    // A look that was under way may have ended.
    for (const [label, count] of Object.entries(engine.counts(mark))) expect(`${count} ${label}`).to.match(/^1 GET /u);

    const next = journal.mark();
    const running = project.up();
    await until("the up looks at the build", () => "GET /build-history" in engine.counts(next, environmentId));
    world.finishBuilds(environmentId);
    await running;
    expect(builds()).to.equal(1);
    expect(engine.counts(next)).not.to.have.any.keys("PATCH /environment", "POST /rebuild");
    await project.preview("--expect-no-changes");
  });

  it("Ctrl-C while variables are written keeps those that were or may have been; destroy leaves none, up writes all", async () => {
    const project = await engine.project({ language: yaml(), env: { PREVIEWENV_BATCH_SIZE: "1" } });
    const environmentId = engine.environment();
    const { faults } = engine.sandbox;
    project.write(oneSet({ environmentId, variables: { A: "1", B: "1", C: "1" } }));
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const fault = faults.add({ label: "PUT /env-vars", hold, after: 1 });
    const up = project.start("up", "--yes", "--skip-preview");
    await until("the second PUT arrives", () => fault.hits > 0);
    up.interrupt();
    const run = await up.done;
    expect(run.code, run.text).to.equal(1);
    faults.clear();
    expect(run.text)
      .to.match(/B: .*cancelled/u)
      .and.match(/C: not sent/u);
    expect(project.resource("vars").outputs).to.deep.include({
      variables: { A: "1", B: "previewenv:unknown:v1::its write got no answer" },
    });
    // The service acts on what it had got: nobody is there to hear of it.
    release();
    await until("the second PUT is stored", () => "B" in engine.values(environmentId));
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
    expect(await engine.sent(() => project.up())).to.deep.equal([["A"], ["B"], ["C"]]);
    await project.preview("--expect-no-changes");
  });
});
