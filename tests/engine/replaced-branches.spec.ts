import { expect } from "chai";
import { javascript } from "./harness/languages";
import type { Program, ResourceEntry } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

/** Where each environment of the harness is. */
const ORIGINAL = { web: "main", api: "main" };

/** Worth its 6 CLI calls for each host: which calls of a provider a replacement consists of is the engine's decision. */
describe("engine: replaced EnvironmentBranches", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();

  for (const host of ["dynamic", "native"] as const)
    it(`${host}: knows the original branches after replaceOnChanges; after --target-replace it warns, unless --refresh`, async () => {
      const environmentId = engine.environment();
      const project = await engine.project({ language: javascript(host) });
      const program = (web: string, options: ResourceEntry["options"] = {}): Program => ({
        resources: [
          {
            type: "EnvironmentBranches",
            name: "deployed",
            args: { environmentId, branches: { web }, onDestroy: "restore" },
            options,
          },
        ],
        outputs: { original: { $output: ["deployed", "originalBranches"] } },
      });
      const original = async (): Promise<unknown> =>
        JSON.parse((await project.succeed("stack", "output", "--json")).stdout).original;

      project.write(program("a"));
      await project.up();
      project.write(program("b", { replaceOnChanges: ["branches"] }));
      const { text } = await project.succeed("up", "--yes");
      expect(text).to.contain("replaced").and.not.to.contain("original branches of the old one");
      expect(await original()).to.deep.equal(ORIGINAL);

      const replacing = ["up", "--yes", "--target-replace", "**deployed"];
      await project.succeed(...replacing, "--refresh");
      expect(await original()).to.deep.equal(ORIGINAL);
      expect((await project.succeed(...replacing)).text)
        .to.contain("web@main")
        .and.to.contain("web@b");
      expect(await original()).to.deep.equal({ ...ORIGINAL, web: "b" });
    });
});
