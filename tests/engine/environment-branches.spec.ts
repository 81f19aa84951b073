import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Program, ResourceEntry } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** Worth its 5 CLI calls for each host: when the engine shows the second resource, and which workers are left for it, is its decision. */
describe("engine: EnvironmentBranches beside an EnvironmentState", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  for (const host of ["dynamic", "native"] as const)
    it(`${host}: a stopped environment is started and built by one up, in either order; the other way round is an error`, async () => {
      const project = await engine.project({ language: javascript(host) });
      const declared = (environmentId: string): readonly [ResourceEntry, ResourceEntry] => [
        { type: "EnvironmentState", name: "power", args: { environmentId, state: "running" } },
        { type: "EnvironmentBranches", name: "deployed", args: { environmentId, branches: { web: "feature/x" } } },
      ];
      const program = (environmentId: string, isStateFirst: boolean): Program => {
        const [power, deployed] = declared(environmentId);
        return { resources: isStateFirst ? [power, deployed] : [deployed, power] };
      };
      for (const isStateFirst of [true, false]) {
        const environmentId = engine.environment({ stopped: true });
        project.write(program(environmentId, isStateFirst));
        // One worker: nothing may wait for a step of the other resource.
        const { text } = await project.succeed("up", "--yes", "--parallel", "1");
        // A dynamic provider is shown one resource after the other, and cannot wait for the next one: it may warn.
        if (host === "native") expect(text).not.to.contain("a build is due");
        const environment = engine.sandbox.world.environments.get(environmentId);
        expect(environment).to.deep.include({ stopped: false });
        expect(environment?.projects[0]?.branch).to.equal("feature/x");
        await project.destroy();
      }

      const environmentId = engine.environment({ stopped: true });
      const [power, deployed] = declared(environmentId);
      project.write({ resources: [deployed, { ...power, options: { dependsOn: ["deployed"] } }] });
      expect((await project.preview()).text).to.match(/is stopped, and a build is due: `pulumi up` fails unless/u);
      expect((await project.failedUp()).text).to.match(/it is stopped\. Start it first/u);
    });
});
