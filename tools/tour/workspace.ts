import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "..", "..");
const QUICKSTART = join(ROOT, "examples", "quickstart");
const REMOVAL_ATTEMPTS = 5;

/** Folders that exist for one tour: the program, and what the Pulumi CLI keeps. */
export interface Workspace extends Disposable {
  /** A copy of the quickstart, where the CLI may write the config of a stack. */
  readonly program: string;
  /** For the CLI: the variables of this process, without any that would lead it, or the provider, to somewhere else. */
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Makes the folders. Disposing of the workspace removes them with all they hold.
 * @param service The provider's settings (`PREVIEWENV_...`) for the CLI. No others reach it.
 */
export function openWorkspace(service: NodeJS.ProcessEnv): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "previewenv-tour-"));
  const program = join(folder, "quickstart");
  for (const name of ["home", "backend", "quickstart"]) mkdirSync(join(folder, name));
  for (const entry of readdirSync(QUICKSTART, { withFileTypes: true }))
    if (entry.isFile()) copyFileSync(join(QUICKSTART, entry.name), join(program, entry.name));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  return {
    program,
    environment: { ...cleaned(process.env), ...service, ...settingsIn(folder) },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: REMOVAL_ATTEMPTS }),
  };
}

function settingsIn(folder: string): NodeJS.ProcessEnv {
  return {
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "backend").replaceAll("\\", "/")}`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
    PULUMI_CREDENTIAL_STORE: "plaintext",
    // Every command starts the same two Node programs anew: they load faster when compiled once.
    NODE_COMPILE_CACHE: join(folder, "compiled"),
  };
}

/** Without the settings of Pulumi, of ts-node (which runs the program) and of this provider. */
function cleaned(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(?:PULUMI_|PREVIEWENV_|TS_NODE_)/iu.test(name)),
  );
}
