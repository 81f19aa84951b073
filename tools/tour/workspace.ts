import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "..", "..");
const STACK = "tour";
const REMOVAL_ATTEMPTS = 5;

/** Folders for the Pulumi CLI that exist for one tour: its home, its backend, the stack's config. */
export interface Workspace extends Disposable {
  /** The folder of the program that is shown. */
  readonly program: string;
  /** A project of the same name, in which a stack is made: `stack init` would leave a file in the program's folder. */
  readonly project: string;
  readonly stack: string;
  /** Where the stack's config is kept. */
  readonly configFile: string;
  /** For the CLI: the given variables, without any that would lead it, or the provider, to somewhere else. */
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Makes the folders. Disposing of the workspace removes them with all they hold.
 * @param service The provider's settings (`PREVIEWENV_...`) for the CLI. No others reach it.
 */
export function openWorkspace(environment: NodeJS.ProcessEnv, service: NodeJS.ProcessEnv): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "previewenv-tour-"));
  const project = join(folder, "project");
  for (const name of ["home", "backend", "project"]) mkdirSync(join(folder, name));
  writeFileSync(join(project, "Pulumi.yaml"), "name: quickstart\nruntime: nodejs\n");
  return {
    program: join(ROOT, "examples", "quickstart"),
    project,
    stack: STACK,
    configFile: join(project, `Pulumi.${STACK}.yaml`),
    environment: { ...cleaned(environment), ...service, ...ownSettings(folder) },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: REMOVAL_ATTEMPTS }),
  };
}

function ownSettings(folder: string): NodeJS.ProcessEnv {
  return {
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "backend").replaceAll("\\", "/")}`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_STACK: STACK,
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
