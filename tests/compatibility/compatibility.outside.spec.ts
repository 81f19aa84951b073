import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { type Run, start } from "../engine/harness/cli";
import manifest from "../../package.json";
import pinned from "./installed/package.json";
import { Installation, onBunAlone, type Program, programs } from "./installation";

/** An installation, and then some calls of the CLI, on a busy machine. */
const LIMIT_MS = 900_000;
const SECRET = "a-secret-value";
/** `pulumi convert` asks for it. docs/installation-configuration.md says what later ones need. */
const OLDEST_TYPESCRIPT = pinned.dependencies["oldest-typescript"].replace(/^.*@(\d+\.\d+)\..*$/u, "$1");
const OWN = `node_modules/${manifest.name}/`;

describe("the packed npm package, installed by itself", function () {
  this.timeout(LIMIT_MS);
  let installation: Installation;
  let sandbox: Sandbox;

  before("install", async () => {
    installation = new Installation([...programs, onBunAlone]);
    sandbox = await startSandbox({ buildSeconds: 0 });
  });

  after(async () => {
    await sandbox.close();
    installation[Symbol.dispose]();
  });

  const environment = (name: string): string => {
    const { id } = sandbox.world.environments.add({ name, projects: [{ repoName: "web", branch: "main" }] });
    sandbox.world.setVariable(id, { name: "OWNER", value: "platform", hidden: false });
    return id;
  };

  /** Calls the CLI as the program's user does. */
  const pulumi = async (program: Program, id: string, ...args: readonly string[]): Promise<Run> => {
    const { folder, env } = installation.placeOf(program);
    const settings = { PREVIEWENV_BASE_URL: sandbox.url, PREVIEWENV_API_TOKEN: sandbox.token, ENVIRONMENT_ID: id };
    const options = ["--non-interactive", "--color", "never"];
    const run = await start({ folder, env: { ...env, ...settings } }, "pulumi", [...args, ...options]).done;
    expect(run.text).to.not.contain(SECRET);
    return run;
  };

  for (const program of programs)
    it(`works in a program in TypeScript: ${program.title}`, async () => {
      const id = environment(program.name);
      const values = (): object =>
        Object.fromEntries(sandbox.world.variables(id).map(({ name, value }) => [name, value]));
      const succeed = async (...args: readonly string[]): Promise<void> => {
        const run = await pulumi(program, id, ...args);
        expect(run.code, run.text).to.equal(0);
      };
      await succeed("stack", "init", "dev");
      await succeed("up", "--yes", "--skip-preview");
      expect(values()).to.deep.equal({ OWNER: "platform", NAME: program.name, LOG_LEVEL: "debug", API_KEY: SECRET });
      await succeed("destroy", "--yes", "--skip-preview");
      expect(values()).to.deep.equal({ OWNER: "platform" });
    });

  // With TypeScript 6, the guides of tests/outside compile their programs.
  it(`has types that TypeScript ${OLDEST_TYPESCRIPT} compiles with --module commonjs and --moduleResolution node`, () => {
    const source = [
      `import * as previewenv from "${manifest.name}";`,
      `import * as native from "${manifest.name}/native";`,
      `import { startSandbox } from "${manifest.name}/sandbox";`,
      'const args: previewenv.EnvVarSetArgs = { environmentId: "id", variables: { A: "b", C: previewenv.existing() } };',
      'export const one = new native.EnvVarSet("one", args);',
      "export const started: ReturnType<typeof startSandbox> = startSandbox();",
      "// @ts-expect-error a misspelt property is found, so the types are not `any`",
      'new previewenv.EnvVarSet("two", { environmentID: "id" });',
    ].join("\n");
    writeFileSync(join(installation.folder, "types.ts"), source);
    const options = ["--noEmit", "--strict", "--pretty", "false", "--target", "es2022", "--types", "node"];
    const kinds = ["--module", "commonjs", "--moduleResolution", "node"];
    const { stdout } = installation.tryToRun("oldest-typescript/bin/tsc", [...options, ...kinds, "types.ts"]);
    // About a program, and about our own declarations: those of others are not ours to mend.
    const ours = stdout.split("\n").filter((line) => !line.startsWith("node_modules/") || line.startsWith(OWN));
    expect(ours.filter(Boolean)).to.deep.equal([]);
  });

  it("has types that attw finds in every way that programs resolve them", () => {
    const attw = "@arethetypeswrong/cli/dist/index.js";
    const { code, stdout } = installation.tryToRun(attw, [installation.packed.file, "--format", "ascii"]);
    expect(code, stdout).to.equal(0);
  });

  it(`refuses at once what cannot work: a program ${onBunAlone.title}`, async () => {
    const id = environment(onBunAlone.name);
    await pulumi(onBunAlone, id, "stack", "init", "dev");
    const { code, text } = await pulumi(onBunAlone, id, "up", "--yes", "--skip-preview");
    expect(code).to.equal(1);
    expect(text).to.contain("pulumi-previewenv does not run on Bun").and.contain("import pulumi-previewenv/native");
  });
});
