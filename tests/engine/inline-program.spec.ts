import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Run, start } from "./harness/cli";
import { javascript } from "./harness/languages";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** Worth three runs: Pulumi itself deletes here what a program could not declare because a function failed. */
describe("engine: an inline program of the Automation API", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let environmentId: string;
  const up = (): Promise<Run> => start(project, "node", ["inline.js"]).done;

  before(async () => {
    environmentId = engine.environment({ name: "one", projects: [{ repoName: "fleet", branch: "main" }] });
    project = await engine.project({ language: javascript("dynamic") });
    cpSync(join(__dirname, "fixtures", "inline.js"), join(project.folder, "inline.js"));
    const { code, text } = await up();
    expect(code, text).to.equal(0);
  });

  for (const [what, query] of [
    ["the list of a PreviewEnvironments", "repo_name=fleet"],
    ["the answer of a function", "name=one"],
  ] as const)
    it(`fails and deletes nothing when it does not get ${what}`, async () => {
      const match = (request: { readonly query: string }): boolean => request.query.includes(query);
      const fault = engine.sandbox.faults.add({ label: "GET /environments", match, status: 403, times: Infinity });

      const { code, text } = await up();
      fault.remove();

      expect(text).to.include("Could not list environments");
      expect(code).to.equal(1);
      expect(engine.values(environmentId)).to.deep.equal({ LEVEL: "inline", ONE: "1" });
    });
});
