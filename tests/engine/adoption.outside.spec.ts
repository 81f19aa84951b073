import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { madeByHand } from "../adopt/support/by-hand";
import { start } from "./harness/cli";
import { describeIn, javascript, plugins, yaml } from "./harness/languages";
import type { Project } from "./harness/project";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const ROOT = resolve(__dirname, "..", "..");
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const MAIN = join(ROOT, "dist", "provider", "src", "main.js");
/** A project and its stack have this name already, and the program in YAML gets that of the environment. */
const NAME = "engine-specs";
const CHECKED = {
  strict: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  noEmit: true,
  target: "ES2022",
  module: "node20",
};
const TAKEN_OVER = "NAME_33";

/** Worth its 8 CLI calls: that nothing is written depends on what two engines' languages make of 60 odd texts. */
describe("engine: a program of pulumi-previewenv adopt", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine();
  const hidden = madeByHand.filter((one) => one.hidden);
  let project: Project;
  let environmentId: string;
  let program: string;

  const runs = async (...args: readonly string[]): Promise<void> => {
    const { code, text } = await start(project, process.execPath, [MAIN, ...args]).done;
    expect(code, text).to.equal(0);
    for (const { value } of hidden) expect(text).not.to.contain(value);
  };
  const writes = async (action: () => Promise<unknown>): Promise<readonly string[]> =>
    Object.keys(await engine.requests(action)).filter((label) => !label.startsWith("GET "));

  const tests = (marker: string): void => {
    it("writes nothing and builds nothing in its first up", async () => {
      const before = [engine.sandbox.world.variables(environmentId), engine.sandbox.world.builds(environmentId)];
      expect(await writes(() => project.up())).to.deep.equal([]);
      expect([engine.sandbox.world.variables(environmentId), engine.sandbox.world.builds(environmentId)]).to.deep.equal(
        before,
      );
    });

    it("is in sync for pulumi-previewenv drift", async () => {
      expect(await writes(() => runs("drift"))).to.deep.equal([]);
    });

    it("sends one variable when its value takes the place of existing()", async () => {
      const text = readFileSync(program, "utf8");
      const replaced = text.replace(`${TAKEN_OVER}: ${marker}`, `${TAKEN_OVER}: "taken over"`);
      expect(replaced).not.to.equal(text);
      writeFileSync(program, replaced);
      expect(await engine.sent(() => project.up())).to.deep.equal([[TAKEN_OVER]]);
      expect(engine.values(environmentId)).to.deep.include({ [TAKEN_OVER]: "taken over" });
    });

    it("deletes in a destroy what it has values for, and leaves the rest as it was", async () => {
      await project.destroy();
      const left = hidden.filter(({ name }) => name !== TAKEN_OVER);
      expect(engine.values(environmentId)).to.deep.equal(
        Object.fromEntries(left.map(({ name, value }) => [name, value])),
      );
    });
  };

  describe("in TypeScript, over the dynamic provider", () => {
    before(async () => {
      environmentId = engine.environment({ name: NAME, variables: madeByHand });
      project = await engine.project({ language: javascript("dynamic") });
      program = join(project.folder, "index.ts");
      rmSync(join(project.folder, "index.js"));
      writeFileSync(join(project.folder, "Pulumi.yaml"), `name: ${NAME}\nruntime: nodejs\n`);
      const tsconfig = { compilerOptions: CHECKED, include: ["index.ts"] };
      writeFileSync(join(project.folder, "tsconfig.json"), JSON.stringify(tsconfig));
      writeFileSync(join(project.folder, "package.json"), JSON.stringify({ main: "index.ts", private: true }));
      await runs("adopt", environmentId, "--output", program);
      await runs(TSC, "-p", project.folder);
    });

    tests("previewenv.existing()");
  });

  describeIn("yaml", "in YAML, over the native plugin", () => {
    before(async () => {
      environmentId = engine.environment({ name: NAME, variables: madeByHand });
      project = await engine.project({ language: yaml() });
      program = join(project.folder, "Pulumi.yaml");
      await runs("adopt", environmentId, "--output", program, "--force");
      for (const [name, setting] of Object.entries(plugins()))
        appendFileSync(program, `${name}: ${JSON.stringify(setting)}\n`);
    });

    tests("previewenv:existing:v1");
  });
});
