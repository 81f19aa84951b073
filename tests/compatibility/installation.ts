import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import manifest from "../../package.json";
import { PLUGIN_FOLDER } from "../engine/harness/languages";
import { surroundings } from "../outside/workshop";
import { pack, type PackedPackage } from "../support/packed";
import pinned from "./installed/package.json";

/** The packed package, and folders outside of the checkout where they are installed for all programs at once. */
export class Installation implements Disposable {
  readonly packed: PackedPackage;
  /** The workspace of npm, with the pinned tools. */
  readonly folder: string;
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "previewenv-compatibility-")));
  /** Of somebody who has Node, npm and the Pulumi CLI, and no checkout. */
  readonly #env: NodeJS.ProcessEnv;
  readonly #pnpm: string;
  readonly #bun: string;

  /** Installs everything from the npm registry, apart from our own package. */
  constructor(programs: readonly Program[]) {
    const [tools, home, plugin] = [this.#make("tools"), this.#make("home"), join(this.#root, "plugin")];
    [this.folder, this.#pnpm, this.#bun] = [this.#make("npm"), this.#make("pnpm"), this.#make("bun")];
    this.#env = {
      ...surroundings(tools, home),
      PULUMI_BACKEND_URL: `file://${this.#make("backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "",
    };
    this.packed = pack(".", this.#root, this.#env);
    // As the archive has it, with a Node of its own.
    cpSync(PLUGIN_FOLDER, plugin, { recursive: true });
    symlinkSync(realpathSync(process.execPath), join(plugin, "node"));
    for (const program of programs)
      for (const [name, text] of Object.entries(filesOf(program, plugin)))
        writeFileSync(join(this.#make(this.#folderOf(program)), name), text);
    this.#installWithNpm();
    symlinkSync(join(this.folder, "node_modules", "bun", "bin", "bun.exe"), join(this.#bun, "node"));
    this.#installWithPnpm();
  }

  placeOf(program: Program): { readonly folder: string; readonly env: NodeJS.ProcessEnv } {
    const folder = join(this.#root, this.#folderOf(program));
    const path = { PATH: [this.#bun, this.#env["PATH"]].join(delimiter) };
    return { folder, env: { ...this.#env, ...(program.isOnBun && path) } };
  }

  /** Runs a tool with Node in the workspace of npm. @param tool its file below node_modules */
  tryToRun(tool: string, args: readonly string[]): { readonly code: number | null; readonly stdout: string } {
    const file = join(this.folder, "node_modules", tool);
    const options = { cwd: this.folder, env: this.#env, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync("node", [file, ...args], options);
    return { code: status, stdout: stdout + stderr };
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }

  #installWithNpm(): void {
    const dependencies = { ...pinned.dependencies, ...this.#own() };
    writeFileSync(join(this.folder, "package.json"), JSON.stringify({ ...pinned, dependencies }));
    execFileSync("npm", ["install"], { cwd: this.folder, env: this.#env, stdio: "pipe" });
  }

  #installWithPnpm(): void {
    writeFileSync(join(this.#pnpm, "package.json"), JSON.stringify({ name: "compatibility", private: true }));
    const settings = {
      packages: ["programs/*"],
      // Instead of the registry, which does not have this version.
      overrides: this.#own(),
      // As docs/installation-configuration.md says: a script of @pulumi/pulumi's dependencies does not run, and without this pnpm ends with 1.
      allowBuilds: { protobufjs: false },
    };
    writeFileSync(join(this.#pnpm, "pnpm-workspace.yaml"), JSON.stringify(settings));
    const pnpm = join(this.folder, "node_modules", ".bin", "pnpm");
    const args = ["install", "--store-dir", join(this.#root, "store")];
    execFileSync(pnpm, args, { cwd: this.#pnpm, env: this.#env, stdio: "pipe" });
  }

  #own(): Readonly<Record<string, string>> {
    return { [this.packed.name]: `file:${this.packed.file}` };
  }

  #folderOf({ name, isInPnpm }: Program): string {
    return join(isInPnpm ? "pnpm" : "npm", "programs", name);
  }

  #make(name: string): string {
    const folder = join(this.#root, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

export interface Program {
  /** Also the name of its folder and of its Pulumi project. */
  readonly name: string;
  readonly title: string;
  /** What it imports. Default: the package itself. */
  readonly entry?: string;
  /** Its packages are installed in a workspace of pnpm instead of one of npm. */
  readonly isInPnpm?: true;
  /** `runtime.options` of Pulumi.yaml. */
  readonly options?: object;
  /** Bun takes the place of Node in the program's process. */
  readonly isOnBun?: true;
}

const UNTYPED = { typescript: false };
const NATIVE = `${manifest.name}/native`;

/** The ways that README or a guide speaks of. CommonJS in TypeScript: the guides of tests/outside. In JavaScript: tests/packaging/installation.outside.spec.ts. */
export const programs: readonly Program[] = [
  { name: "module", title: '`"type": "module"`', options: {} },
  { name: "type-stripping", title: "with the types stripped by Node, over the native plugin", entry: NATIVE },
  { name: "loaded-by-tsx", title: "loaded by tsx", options: { ...UNTYPED, nodeargs: "--import=tsx" } },
  { name: "pnpm", title: "in a workspace of pnpm", isInPnpm: true },
  { name: "bun-native", title: "run by Bun, over the native plugin", entry: NATIVE, isOnBun: true },
];

/** A program whose process is Bun, as is the provider's: there is no Node at all. */
export const onBunAlone: Program = { name: "bun", title: "run by Bun, without a Node", isOnBun: true };

/** The files of a program by name. It declares one set in the environment that ENVIRONMENT_ID names. */
function filesOf(program: Program, pluginFolder: string): Readonly<Record<string, string>> {
  const { name, entry = manifest.name, isInPnpm, options = UNTYPED } = program;
  // npm would look for our own package in its registry, were it said here: the root of the workspace has it.
  const dependencies = { "@pulumi/pulumi": "^3.230.0", ...(isInPnpm && { [manifest.name]: manifest.version }) };
  const project = {
    name,
    runtime: { name: "nodejs", options },
    plugins: { providers: [{ name: "previewenv", path: pluginFolder }] },
  };
  const own = { name: `program-${name}`, private: true, type: "module", main: "index.ts", dependencies };
  return {
    "package.json": JSON.stringify(own),
    "Pulumi.yaml": JSON.stringify(project),
    "tsconfig.json": TSCONFIG,
    "index.ts": textOf(entry),
  };
}

const TSCONFIG = JSON.stringify({
  compilerOptions: { target: "ES2022", module: "node20", strict: true, noEmit: true, types: ["node"] },
});

/** Every module of a program may wait at its top level, also before its first resource. */
function textOf(entry: string): string {
  return `
import { EnvVarSet, existing } from "${entry}";
import * as previewenv from "${entry}";

const environmentId: string = process.env["ENVIRONMENT_ID"] ?? "";
await Promise.resolve();
const { name } = previewenv.getEnvironmentOutput({ id: environmentId });
const vars = new EnvVarSet("vars", {
  environmentId,
  variables: { LOG_LEVEL: "debug", OWNER: existing(), NAME: name },
  secrets: { API_KEY: "a-secret-value" },
});
export const { revision } = vars;
`;
}
