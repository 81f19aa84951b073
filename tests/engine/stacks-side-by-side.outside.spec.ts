import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import { start } from "./harness/cli";
import { javascript } from "./harness/languages";
import { useEngine } from "./harness/suite";

/** Of the first three, each fails in a way of its own. The last one never does. */
const STACKS = ["a lookup", "a list", "no value", "none"];

/** Worth three runs: Pulumi itself deletes here what a program could not declare because a function failed. */
describe("engine: stacks side by side in one process of the Automation API", function () {
  const engine = useEngine(this);

  it("live, and do all their work, when others fail because of a lookup, a list, or no value", async () => {
    const ids = STACKS.map((_, number) => engine.environment({ name: `stack-${number}` }));
    const project = await engine.project({ language: javascript("dynamic") });
    cpSync(join(__dirname, "fixtures", "inline-stacks.js"), join(project.folder, "inline-stacks.js"));
    const run = async (failures: readonly string[], value: string): Promise<readonly unknown[]> => {
      const { code, text, stdout } = await start(project, "node", ["inline-stacks.js", value, ...failures]).done;
      expect(code, text).to.equal(0);
      return z.array(z.unknown()).parse(JSON.parse(stdout.split("\n").find((line) => line.startsWith("[")) ?? ""));
    };
    const none = STACKS.map(() => "none");
    await run(none, "0");
    const match = (request: { readonly query: string }): boolean => request.query.includes("repo_name=nowhere");
    const fault = engine.sandbox.faults.add({ label: "GET /environments", match, status: 403, times: Infinity });
    const mark = engine.sandbox.journal.mark();

    const results = await run(STACKS, "1");
    fault.remove();

    for (const number of [0, 1, 2]) expect(results[number], STACKS[number]).to.be.a("string");
    expect(engine.counts(mark)).not.to.have.property("DELETE /env-vars");
    for (const id of ids) expect(engine.values(id)).to.include({ MORE: "1" });
    expect(engine.values(ids.at(-1) ?? "")).to.include({ VALUE: "1" });
    expect((await run(none, "1")).at(-1)).to.have.all.keys("same");
  });
});
