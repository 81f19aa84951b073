import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lte } from "semver";
import { readFrozen, states } from "./fixtures/states";
import { javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** The states that one host wrote, by the version of the release. */
function stored(host: string): readonly (readonly [string, string])[] {
  const files = Object.keys(readFrozen()).filter((file) => file.endsWith(`/${host}.json`));
  return files.map((file) => [file.split("/")[0] ?? "", readFileSync(join(__dirname, "fixtures", file), "utf8")]);
}

/** The program of a state: that of its own version, or of the last one before it that has one. */
function origin(version: string): (typeof states)[number] {
  return states.findLast((one) => lte(one.version, version)) ?? states[0];
}

for (const [version, state] of stored("native")) {
  const { program, world } = origin(version);

  /** Worth its 3 CLI calls: the same for the other host. What is done with state is the same code. */
  describe(`engine, native: state that version ${version} wrote`, function () {
    this.timeout(ENGINE_TEST_MS);
    const engine = useEngine(world(true));

    it("is previewed without a change and without a request, whichever resource it is of", async () => {
      const project = await engine.project({ language: javascript("native") });
      project.write(program);
      project.restore(state);
      expect(await engine.requests(() => project.preview("--expect-no-changes", "--diff"))).to.deep.equal({});
    });
  });
}

for (const [version, state] of stored("dynamic")) {
  const { FIXTURE_ID, kept, program, secrets, singles, variables, world } = origin(version);

  /** Worth its 6 CLI calls: state that a release wrote must work with every later one, and only the engine reads it as users' engines do. */
  describe(`engine: state that version ${version} wrote`, function () {
    this.timeout(ENGINE_TEST_MS);
    const engine = useEngine(world(true));
    let project: Project;

    before(async () => {
      project = await engine.project({ language: javascript("dynamic") });
      project.write(program);
      project.restore(state);
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
}
