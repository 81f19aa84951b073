import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { findOnPath } from "../../tools/setup/command.mjs";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { pulumiEnvironment } from "../../tools/tour/pulumi-environment";
import { root, programFolders, temporaryFolder } from "./package-schema";

const run = promisify(execFile);
const PREVIEW_MS = 900_000;
const PLUGIN = join(root, "dist", "plugin");

/** Why the programs cannot be previewed here. `undefined` when they can. */
function missing(): string | undefined {
  for (const name of ["pulumi", "pulumi-language-yaml"])
    if (findOnPath(name) === undefined) return `there is no ${name} on PATH`;
  return existsSync(join(PLUGIN, "plugin.cjs")) ? undefined : "the plugin is not built: npm run build";
}

// YAML is checked against the schema by its language host only, while it runs. A preview of each takes about a second.
describe("the examples in YAML", () => {
  const folder = temporaryFolder();
  const pulumi = findOnPath("pulumi") ?? "pulumi";
  const reason = missing();
  let sandbox: Sandbox;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    sandbox = await startSandbox();
    const state = join(folder.path(), "state");
    mkdirSync(state);
    env = {
      ...process.env,
      PREVIEWENV_BASE_URL: sandbox.url,
      PREVIEWENV_API_TOKEN: sandbox.token,
      ...pulumiEnvironment(join(folder.path(), "home"), state),
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    };
  });
  after(() => sandbox.close());

  /** A stack of the project that a program names. Programs of one project take turns with it. */
  async function stackFor(program: string): Promise<string> {
    const text = readFileSync(join(program, "Pulumi.yaml"), "utf8");
    const cwd = join(folder.path(), /^name: (.*)$/mu.exec(text)?.[1] ?? "");
    const isNew = !existsSync(cwd);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, "Pulumi.yaml"), usingPlugin(text));
    // examples/snippets/variables-from-dotenv reads it.
    writeFileSync(join(cwd, "shop.env"), "API_TOKEN=demo\n");
    if (isNew) {
      await run(pulumi, ["stack", "init", "dev"], { cwd, env });
      for (const [key, value] of Object.entries({ databaseUrl: "postgres://db", secondToken: sandbox.token }))
        await run(pulumi, ["config", "set", "--secret", key, value], { cwd, env });
    }
    return cwd;
  }

  // A guide of tests/outside deploys the quickstart.
  for (const program of programFolders("yaml").filter((one) => !one.endsWith("quickstart-yaml"))) {
    const title = `${basename(program)} fits the schema, and its preview succeeds`;
    if (reason !== undefined) it.skip(`${title} (${reason})`);
    else
      it(title, async () => {
        const cwd = await stackFor(program);

        const { stdout } = await run(pulumi, ["preview", "--non-interactive", "--diff"], { cwd, env });

        expect(stdout).not.to.match(/\b(warning|error):/u);
        expect(stdout).to.contain("pulumi:pulumi:Stack: (create)");
      }).timeout(PREVIEW_MS);
  }
});

/** A program that uses the plugin of the checkout instead of an installed one. */
function usingPlugin(text: string): string {
  return text + ["plugins:", "  providers:", "    - name: previewenv", `      path: ${PLUGIN}`, ""].join("\n");
}
