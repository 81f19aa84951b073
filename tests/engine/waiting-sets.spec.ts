import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { FIXTURES, javascript } from "./harness/languages";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** Worth its two calls: only a real program ends when nothing but a timer of the package is left in its process. */
describe("engine: a set whose registration waits for what the program declares", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  for (const host of ["dynamic", "native"] as const)
    it(`ends although all others wait for it (${host})`, async () => {
      const [environmentId, other] = [engine.environment(), engine.environment({ name: host })];
      const project = await engine.project({
        language: javascript(host),
        env: { TEST_ENVIRONMENT: environmentId, TEST_OTHER: host },
      });
      cpSync(join(FIXTURES, "waiting-sets.js"), join(project.folder, "index.js"));

      await project.up();
      expect(engine.values(environmentId)).to.deep.equal({ FIRST: "1", HIDDEN: "1", PROMISED: "1" });
      expect(engine.values(other)).to.deep.equal({ COMPONENT: "1" });
    });
});
