// Runs the quickstart in an empty folder, outside of the checkout, against a sandbox: `npm run release:smoke -- typescript yaml` with the packed
// files, on any system. `-- --published python` with what the registries have.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../../package.json";
import { startSandbox } from "../../../provider/src/sandbox";
import { pulumiEnvironment } from "../../tour/pulumi-environment";
import { identity } from "../owner";
import { languages, type Quickstart, type Trial } from "./languages";

const ROOT = join(__dirname, "..", "..", "..");
const EXAMPLES = join(ROOT, "examples");
const PLATFORM = `${process.platform.replace("win32", "windows")}-${process.arch.replace("x64", "amd64")}`;

type Commands = Pick<Trial, "run" | "npm">;
type Source = Pick<Trial, "isPublished" | "npmPackage" | "plugin">;

/** Runs programs in a folder, with their output on this terminal. */
function commandsIn(cwd: string, env: NodeJS.ProcessEnv): Commands {
  const run = async (program: string, ...args: readonly string[]): Promise<void> => {
    console.log(`$ ${program} ${args.join(" ")}`);
    const [status] = await once(spawn(program, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] }), "close");
    if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}`);
  };
  // A program of Node, since on Windows only a shell could start `npm.cmd`.
  const npm = process.env["npm_execpath"];
  if (npm === undefined) throw new Error("Run this as a script of npm: `npm run release:smoke`");
  return { run, npm: (...args) => run(process.execPath, npm, ...args) };
}

const PUBLISHED: Source = {
  isPublished: true,
  npmPackage: `${identity.npmPackage}@${version}`,
  plugin: ["--server", identity.pluginDownloadUrl],
};

/** Packs the npm package, which the set-up has built, and the plugin's archive for this platform. */
async function pack(files: string): Promise<Source> {
  mkdirSync(files);
  const { run, npm } = commandsIn(ROOT, process.env);
  await npm("pack", "--ignore-scripts", "--pack-destination", files);
  const program = ["-r", "ts-node/register", join("tools", "package", "main.ts")];
  await run(process.execPath, ...program, "--platform", PLATFORM, "--output", files);
  const file = (end: string): string => join(files, readdirSync(files).find((name) => name.endsWith(end)) ?? "");
  return { isPublished: false, npmPackage: file(".tgz"), plugin: ["--file", file(".tar.gz")] };
}

/** The machine of a user of the packages: nothing of this checkout, no account, no plugin. */
function surroundings(folder: string, sandbox: { readonly url: string; readonly token: string }): NodeJS.ProcessEnv {
  const [home, state] = [join(folder, "home"), join(folder, "state")];
  for (const one of [home, state]) mkdirSync(one, { recursive: true });
  return {
    ...process.env,
    ...pulumiEnvironment(home, state),
    PREVIEWENV_BASE_URL: sandbox.url,
    PREVIEWENV_API_TOKEN: sandbox.token,
  };
}

async function tryOut({ example, install }: Quickstart, folder: string, trial: Commands & Source): Promise<void> {
  // Files that npm or Pulumi left in the example of this checkout are no part of it.
  const filter = (file: string): boolean => !/node_modules|Pulumi\..+\.yaml$|venv/u.test(file.slice(EXAMPLES.length));
  cpSync(join(EXAMPLES, example), folder, { recursive: true, filter });
  const pulumi = (...args: readonly string[]): Promise<void> => trial.run("pulumi", ...args, "--non-interactive");
  await install({ ...trial, folder });
  await pulumi("stack", "init", "dev");
  await pulumi("config", "set", "--secret", "databaseUrl", "postgres://shop:demo@db.internal/shop");
  await pulumi("up", "--yes", "--skip-preview");
  await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
  await pulumi("destroy", "--yes", "--skip-preview");
}

async function main(): Promise<void> {
  const options = { published: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "previewenv-smoke-")));
  const sandbox = await startSandbox({ buildSeconds: 0.2 });
  try {
    const source = values.published ? PUBLISHED : await pack(join(folder, "packed"));
    for (const name of positionals) {
      const quickstart = languages.get(name);
      if (quickstart === undefined) throw new Error(`${name}: there are ${[...languages.keys()].join(", ")}`);
      const place = join(folder, name);
      const commands = commandsIn(place, surroundings(`${place}-around`, sandbox));
      await tryOut(quickstart, place, { ...commands, ...source });
      console.log(`The quickstart for ${name} works.\n`);
    }
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
