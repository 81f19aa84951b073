import { expect } from "chai";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES, javascript } from "./harness/languages";
import { branches, set } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** Worth its 2 CLI calls: the engine and `@pulumi/policy` decide which policies a resource gets, by what a class says of itself. */
describe("engine: policies by class", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  for (const host of ["dynamic", "native"] as const)
    it(`${host}: a mandatory policy for a class holds for its resources, and for no others`, async () => {
      const [environmentId, other] = [engine.environment(), engine.environment()];
      const project = await engine.project({ language: javascript(host) });
      const pack = join(project.folder, "policies");
      cpSync(join(FIXTURES, "policies"), pack, { recursive: true });
      symlinkSync(join(project.folder, "node_modules"), join(pack, "node_modules"), "junction");
      project.write({
        providers: [{ name: "provider", args: {} }],
        resources: [
          set("set", { environmentId, variables: { A: "1" } }),
          { type: "EnvVar", name: "single", args: { environmentId, name: "B", value: "1" } },
          branches("branches", { environmentId, branches: { web: "main" } }),
          { type: "EnvironmentState", name: "state", args: { environmentId, state: "running" } },
          { type: "EnvironmentAction", name: "action", args: { environmentId, action: "rebuild" } },
          { type: "SnapshotLoad", name: "snapshot", args: { environmentId, sequenceNumber: 1 } },
          { type: "PreviewEnvironment", name: "component", args: { environment: { id: other } } },
          { type: "PreviewEnvironments", name: "list", args: { match: { name: "none" }, each: { "*": {} } } },
        ],
      });
      const { text } = await project.end(1, "preview", "--policy-pack", pack);
      const found = [...text.matchAll(/^\s*(?<policy>\w+) gets (?<resource>\w+).*\.$/gmu)];
      // The name of the plugin's default provider goes on with its version.
      const held = found.map(([, policy, resource]) => `${policy} gets ${resource?.replace(/^default.*/u, "default")}`);
      expect(held.toSorted()).to.deep.equal([
        "EitherHost gets set",
        "EnvVar gets single",
        "EnvVarSet gets set",
        "EnvironmentAction gets action",
        "EnvironmentBranches gets branches",
        "EnvironmentState gets state",
        "PreviewEnvironment gets component",
        "PreviewEnvironments gets list",
        "Provider gets default",
        "Provider gets provider",
        "SnapshotLoad gets snapshot",
      ]);
    });
});
