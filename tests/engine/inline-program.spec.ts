import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
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

const STACKS = 3;

describe("engine: stacks side by side in one process of the Automation API", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  let project: Project;
  let ids: readonly string[];
  const run = async (failure: string, value: string): Promise<readonly unknown[]> => {
    const { code, text, stdout } = await start(project, "node", ["inline-stacks.js", String(STACKS), failure, value])
      .done;
    expect(code, text).to.equal(0);
    return z.array(z.unknown()).parse(JSON.parse(stdout.split("\n").find((line) => line.startsWith("[")) ?? ""));
  };

  before(async () => {
    ids = Array.from({ length: STACKS }, (_, number) => engine.environment({ name: `stack-${number}` }));
    project = await engine.project({ language: javascript("dynamic") });
    cpSync(join(__dirname, "fixtures", "inline-stacks.js"), join(project.folder, "inline-stacks.js"));
    await run("none", "0");
  });

  for (const failure of ["a lookup", "a list", "no value"])
    it(`live, and do all their work, when one of them fails because of ${failure}`, async () => {
      const match = (request: { readonly query: string }): boolean => request.query.includes("repo_name=nowhere");
      const fault = engine.sandbox.faults.add({ label: "GET /environments", match, status: 403, times: Infinity });
      const mark = engine.sandbox.journal.mark();

      const [first] = await run(failure, failure);
      fault.remove();

      expect(first).to.be.a("string");
      expect(engine.counts(mark)).not.to.have.property("DELETE /env-vars");
      for (const id of ids.slice(1)) expect(engine.values(id)).to.deep.equal({ VALUE: failure });
      expect(engine.values(ids[0] ?? "")).to.include({ MORE: "1" });
      const next = await run("none", failure);
      for (const changes of next.slice(1)) expect(changes).to.have.all.keys("same");
    });
});
