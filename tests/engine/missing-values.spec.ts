import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { FIXTURES, javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** Worth the runs: only the engine deletes what a program no longer declares. */
for (const host of ["dynamic", "native"] as const)
  describe(`engine: a program in which a value is missing (${host})`, function () {
    this.timeout(ENGINE_TEST_MS);
    const engine = useEngine();
    let project: Project;

    before(async () => {
      const repository = { repoName: "missing", branch: "main" };
      const id = engine.environment({ projects: [{ ...repository, pullRequestNumber: 7 }] });
      engine.environment({ projects: [{ ...repository, pullRequestNumber: 8 }] });
      project = await engine.project({ language: javascript(host) });
      cpSync(join(FIXTURES, "missing.js"), join(project.folder, "index.js"));
      project.env["LEVEL"] = "1";
      await project.up();
      expect(engine.sandbox.world.variables(id)).to.have.lengthOf(4);
    });

    for (const missing of ["a variable", "a map", "a secret", "the services", "a filter"])
      it(`fails, and nothing is sent or deleted, when it is ${missing}`, async () => {
        // Something to write, which must not be written.
        Object.assign(project.env, { MISSING: missing, LEVEL: missing });
        const mark = engine.sandbox.journal.mark();
        const { text } = await project.failedUp();
        expect(text).to.contain("has no value: an output or a setting that it comes from does not exist.");
        expect(text).not.to.contain("PromiseRejectionHandledWarning").and.not.to.contain("tiger-of-the-test");
        const labels = Object.keys(engine.counts(mark));
        expect(labels.filter((label) => !label.startsWith("GET "))).to.deep.equal([]);
      });

    it("fails in a preview, which knows it", async () => {
      Object.assign(project.env, { MISSING: "a variable" });
      const { text } = await project.end(1, "preview");
      expect(text).to.contain('EnvVarSet "set": variables.API_URL has no value: ');
    });
  });

/** Worth a preview: Node.js prints its warnings, and Pulumi reads what is exported, in an order of their own. */
describe("engine: a program whose exported lookup fails", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  it("shows why, and no warning of Node.js beside it", async () => {
    const project = await engine.project({ language: javascript("dynamic"), env: { PREVIEWENV_API_TOKEN: undefined } });
    const program = [
      'const found = require("pulumi-previewenv").getEnvironmentOutput({ name: "shop" });',
      "exports.url = found.url;",
      "exports.title = found.apply(({ name }) => name.toUpperCase());",
    ];
    writeFileSync(join(project.folder, "index.js"), program.join("\n"));
    const { text } = await project.end(1, "preview");
    expect(text).to.contain("previewenv:apiToken is not set.").and.not.contain("PromiseRejectionHandledWarning");
  });
});
