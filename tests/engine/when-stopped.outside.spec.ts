import { expect } from "chai";
import { resolve } from "node:path";
import { reportSchema } from "../../provider/src/drift/report-schema";
import { start } from "./harness/cli";
import { javascript } from "./harness/languages";
import { branches, type Program } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const MAIN = resolve(__dirname, "..", "..", "dist", "provider", "src", "main.js");

/** Worth its 9 CLI calls for each host: only the engine tells whether a build that is owed is a change or drift, and when. */
describe("engine: whenStopped", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  for (const host of ["dynamic", "native"] as const)
    it(`skip: quiet while it sleeps, a change once a refresh sees it run; wake starts it (${host})`, async () => {
      const environmentId = engine.environment({ stopped: true });
      const { world } = engine.sandbox;
      const project = await engine.project({ language: javascript(host) });
      const deployed = (branch: string, whenStopped: string): Program => ({
        resources: [branches("deployed", { environmentId, branches: { web: branch }, whenStopped })],
      });
      const written = async (act: () => Promise<unknown>): Promise<readonly string[]> =>
        Object.keys(await engine.requests(act, environmentId)).filter((label) => !label.startsWith("GET "));

      const drift = async (...args: readonly string[]): Promise<readonly unknown[]> => {
        const { stdout } = await start(project, process.execPath, [MAIN, "drift", "--format", "json", ...args]).done;
        const { exitCode, stacks } = reportSchema.parse(JSON.parse(stdout));
        const [one] = stacks;
        return [
          exitCode,
          ...(one?.drift ?? []).map(({ kind }) => kind),
          ...(one?.builds ?? []).map(({ result }) => result),
        ];
      };

      project.write(deployed("feature/x", "skip"));
      expect(await written(() => project.up())).to.deep.equal([]);
      expect(await written(() => project.preview("--refresh", "--expect-no-changes"))).to.deep.equal([]);

      expect(await drift()).to.deep.equal([0]);

      world.setFlags(environmentId, { stopped: false });
      const heal = async (): Promise<void> => {
        expect(await drift("--heal")).to.deep.equal([0, "build", "succeeded"]);
      };
      expect(await written(heal)).to.deep.equal(["PATCH /environment"]);
      expect(await written(() => project.preview("--refresh", "--expect-no-changes"))).to.deep.equal([]);

      world.setFlags(environmentId, { retired: true });
      project.write(deployed("feature/y", "wake"));
      expect(await written(() => project.up())).to.deep.equal(["PATCH /environment", "POST /restart"]);
      expect(world.environments.get(environmentId)).to.deep.include({ retired: false });
    });
});
