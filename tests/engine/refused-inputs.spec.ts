import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { FIXTURES, javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { useEngine } from "./harness/suite";

/** Worth the runs: only the engine deletes what a program no longer declares. Both entries share the code that refuses: tests/sdk/checked-arguments.spec.ts. */
describe("engine: a program in which a value is missing", function () {
  const engine = useEngine(this);
  let project: Project;

  before(async () => {
    const repository = { repoName: "missing", branch: "main" };
    const id = engine.environment({ projects: [{ ...repository, pullRequestNumber: 7 }] });
    engine.environment({ projects: [{ ...repository, pullRequestNumber: 8 }] });
    project = await engine.project({ language: javascript("dynamic") });
    cpSync(join(FIXTURES, "missing.js"), join(project.folder, "index.js"));
    project.env["LEVEL"] = "1";
    await project.up();
    expect(engine.sandbox.world.variables(id)).to.have.lengthOf(4);
  });

  for (const missing of ["a variable", "a filter"])
    it(`fails, and nothing is sent or deleted, when it is ${missing}`, async () => {
      // Something to write, which must not be written.
      Object.assign(project.env, { MISSING: missing, LEVEL: missing });
      expect(await engine.written(() => project.failedUp())).to.deep.equal([]);
      const { text = "" } = project.runs.at(-1) ?? {};
      expect(text).to.contain("has no value: an output or a setting that it comes from does not exist.");
      expect(text).not.to.contain("PromiseRejectionHandledWarning").and.not.to.contain("tiger-of-the-test");
    });
});
