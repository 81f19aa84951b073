import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURE_ID, kept, program, secrets, singles, variables, world } from "./fixtures/world-v1";
import { javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const stored = (host: string): string => readFileSync(join(__dirname, "fixtures", `state-v1-${host}.json`), "utf8");

/** Worth its 3 CLI calls: the same for the other host; what is done with state is the same code. */
describe("engine, native: state that version 1 wrote", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine(world(true));

  it("is previewed without a change and without a request, whichever resource it is of", async () => {
    const project = await engine.project({ language: javascript("native") });
    project.write(program);
    project.restore(stored("native"));
    expect(await engine.requests(() => project.preview("--expect-no-changes", "--diff"))).to.deep.equal({});
  });
});

/** Worth its 6 CLI calls: state that a release wrote must work with every later one, and only the engine reads it as users' engines do. */
describe("engine: state that version 1 wrote", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine(world(true));
  let project: Project;

  before(async () => {
    project = await engine.project({ language: javascript("dynamic") });
    project.write(program);
    project.restore(stored("dynamic"));
  });

  it("is previewed without a change and without a request, whichever resource it is of", async () => {
    expect(await engine.requests(() => project.preview("--expect-no-changes", "--diff"))).to.deep.equal({});
  });

  it("shows no drift when the service is as it was then", async () => {
    const run = await project.drift();
    expect(run.code, run.text).to.equal(0);
  });

  it("shows exactly what was changed since, and up --refresh writes just that", async () => {
    engine.sandbox.world.setVariable(FIXTURE_ID, { name: "PASSWORD", value: "changed by hand" });
    expect((await project.drift()).code).to.equal(7);
    expect(await engine.sent(() => project.up("--refresh"))).to.deep.equal([["PASSWORD"]]);
    expect(engine.values(FIXTURE_ID)).to.deep.equal({ ...variables, ...secrets, ...singles, ...kept });
  });

  it("is destroyed: its variables go, those of the service stay, and the branches found at create come back", async () => {
    await project.destroy();
    expect(engine.values(FIXTURE_ID)).to.deep.equal(kept);
    const projects = engine.sandbox.world.environments.get(FIXTURE_ID)?.projects;
    expect(projects?.map(({ branch }) => branch)).to.deep.equal(["main", "main"]);
  });
});
