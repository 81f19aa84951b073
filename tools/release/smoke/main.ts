// Runs the quickstart in an empty folder, outside of the checkout, against a sandbox: `npm run release:smoke -- typescript yaml` with the packed
// files, on any system. `-- --published python` with what the registries have.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { commandsIn, startSandboxOf } from "./commands";
import { languages, type Quickstart } from "./languages";
import { pack, published, type Source } from "./source";

const ROOT = join(__dirname, "..", "..", "..");
const EXAMPLES = join(ROOT, "examples");
/** That of the sandbox's own command. It protects nothing. */
const TOKEN = "sandbox-token";

/** What a user of the packages has: nothing of this checkout, no account, no plugin. */
function surroundings(folder: string, url: string): NodeJS.ProcessEnv {
  const [home, state] = [join(folder, "home"), join(folder, "state")];
  for (const one of [home, state]) mkdirSync(one, { recursive: true });
  return {
    ...process.env,
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PREVIEWENV_BASE_URL: url,
    PREVIEWENV_API_TOKEN: TOKEN,
  };
}

function tryOut(
  { example, secret, install }: Quickstart,
  folder: string,
  env: NodeJS.ProcessEnv,
  source: Source,
): void {
  // What npm or Pulumi left in the example of this checkout is no part of it.
  const filter = (file: string): boolean => !/node_modules|Pulumi\..+\.yaml$|venv/u.test(file.slice(EXAMPLES.length));
  cpSync(join(EXAMPLES, example), folder, { recursive: true, filter });
  const commands = commandsIn(folder, env);
  const pulumi = (...args: readonly string[]): void => commands.run("pulumi", ...args, "--non-interactive");
  install({ ...commands, folder, source });
  pulumi("stack", "init", "dev");
  const [last = "", ...options] = secret.toReversed();
  pulumi("config", "set", "--secret", ...options, last, "postgres://shop:demo@db.internal/shop");
  pulumi("up", "--yes", "--skip-preview");
  pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
  pulumi("destroy", "--yes", "--skip-preview");
}

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { published: { type: "boolean", default: false } },
  });
  const chosen = positionals.map((name) => [name, languages.get(name)] as const);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "previewenv-smoke-")));
  try {
    const source = values.published ? published : pack(folder, commandsIn(folder, process.env));
    using sandbox = await startSandboxOf(join(ROOT, "dist", "provider", "src", "main.js"));
    for (const [name, quickstart] of chosen) {
      if (quickstart === undefined) throw new Error(`${name}: there are ${[...languages.keys()].join(", ")}`);
      const place = join(folder, name);
      tryOut(quickstart, place, surroundings(`${place}-around`, sandbox.url), source);
      console.log(`The quickstart for ${name} works.\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

void main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
