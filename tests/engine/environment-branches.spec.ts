import { expect } from "chai";
import { javascript } from "./harness/languages";
import { branches, type ResourceEntry } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** Worth its 4 CLI calls for each host: when the engine shows the second resource, and which workers are left for it, is its decision. */
describe("engine: EnvironmentBranches beside an EnvironmentState", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  const stopped = (): string => engine.environment({ stopped: true });
  const power = (name: string, environmentId: string, dependsOn: readonly string[] = []): ResourceEntry => ({
    type: "EnvironmentState",
    name,
    args: { environmentId, state: "running" },
    options: { dependsOn },
  });
  const deployed = (name: string, environmentId: string): ResourceEntry =>
    branches(name, { environmentId, branches: { web: "feature/x" } });

  for (const host of ["dynamic", "native"] as const)
    it(`${host}: a stopped environment is started and built by one up, in either order; the other way round is an error`, async () => {
      const project = await engine.project({ language: javascript(host) });
      for (const isStateFirst of [true, false]) {
        const id = stopped();
        const resources = [power(`power-${isStateFirst}`, id), deployed(`deployed-${isStateFirst}`, id)];
        project.write({ resources: isStateFirst ? resources : resources.toReversed() });
        // One worker: nothing may wait for a step of the other resource.
        const { text } = await project.succeed("up", "--yes", "--parallel", "1");
        // A dynamic provider is shown one resource after the other, and cannot wait for the next one: it may warn.
        if (host === "native") expect(text).not.to.contain("a build is due");
        const environment = engine.sandbox.world.environments.get(id);
        expect(environment).to.deep.include({ stopped: false });
        expect(environment?.projects[0]?.branch).to.equal("feature/x");
      }

      const last = stopped();
      project.write({ resources: [deployed("deployed", last), power("power", last, ["deployed"])] });
      expect((await project.preview()).text).to.match(/is stopped, and a build is due: `pulumi up` fails unless/u);
      expect((await project.failedUp()).text).to.match(/it is stopped\. Start it first/u);
    });
});
