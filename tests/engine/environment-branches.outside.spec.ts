import { expect } from "chai";
import { javascript } from "./harness/languages";
import { branches, type ResourceEntry } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** Worth its CLI calls for each host: in which order the engine does the steps is its decision. */
describe("engine: EnvironmentBranches beside an EnvironmentState", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  const stopped = (): string => engine.environment({ stopped: true });
  const power = (environmentId: string): ResourceEntry => ({
    type: "EnvironmentState",
    name: "power",
    args: { environmentId, state: "running" },
  });
  const deployed = (environmentId: string, dependsOn: readonly string[]): ResourceEntry => ({
    ...branches("deployed", { environmentId, branches: { web: "feature/x" } }),
    options: { dependsOn },
  });

  for (const host of ["dynamic", "native"] as const)
    it(`${host}: a stopped environment is started and built by one up with dependsOn; without that, the error names it`, async () => {
      const project = await engine.project({ language: javascript(host) });
      const id = stopped();
      project.write({ resources: [power(id), deployed(id, ["power"])] });
      const { text } = await project.succeed("up", "--yes");
      expect(text).to.contain("unless an EnvironmentState of this program starts it before, `pulumi up` fails");
      const environment = engine.sandbox.world.environments.get(id);
      expect(environment).to.deep.include({ stopped: false });
      expect(environment?.projects[0]?.branch).to.equal("feature/x");

      project.write({ resources: [deployed(stopped(), [])] });
      expect((await project.failedUp()).text).to.match(
        /it is stopped\. Start it first, .*that this resource depends on \(`dependsOn`/u,
      );
    });
});
