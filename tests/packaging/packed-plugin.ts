import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import manifest from "../../package.json";

const ROOT = resolve(__dirname, "..", "..");
const SCRIPT = join(ROOT, "tools", "package", "main.mjs");
const NOT_FETCHED = /npm ci failed/u;
const PLATFORM = `${process.platform.replace("win32", "windows")}-${process.arch.replace("x64", "amd64")}`;

/** The name that the engine looks for. */
export const PROGRAM = "pulumi-resource-previewenv";
/** The name of this platform's archive. */
export const ARCHIVE = `${PROGRAM}-v${manifest.version}-${PLATFORM}.tar.gz`;

let packed: Promise<string> | undefined;

/** A folder with what `npm run package` makes for this platform. Made once for all specs. Skips the caller where npm could not fetch Node. */
export async function packedPlugin(context: Mocha.Context): Promise<string> {
  packed ??= pack();
  try {
    return await packed;
  } catch (error) {
    if (!(error instanceof Error) || !NOT_FETCHED.test(error.message)) throw error;
    process.stderr.write("      skipped: npm could not fetch the Node that goes into the archive\n");
    return context.skip();
  }
}

/** The plugin's program, unpacked where no machine looks for it. */
export function unpackedPlugin(packages: string, folder: string): string {
  execFileSync("tar", ["-xzf", join(packages, ARCHIVE), "-C", folder]);
  return join(folder, PROGRAM);
}

async function pack(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "previewenv-packed-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await promisify(execFile)(process.execPath, [SCRIPT, "--platform", PLATFORM, "--output", folder]);
  return folder;
}

/** A module of tools/package. It is plain JavaScript, so the caller says which of its functions it uses. */
export async function load<Module>(name: string): Promise<Module> {
  return import(pathToFileURL(join(ROOT, "tools", "package", name)).href);
}

/** A package that the bundle contains. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
}

/** Bundles the plugin of these sources into a folder, and gives what is in it. */
export async function bundleInto(folder: string): Promise<readonly Bundled[]> {
  const { bundlePlugin } = await load<{ bundlePlugin: (folder: string) => Promise<readonly Bundled[]> }>("bundle.mjs");
  return bundlePlugin(folder);
}

/** A folder of its own, with a space in its name. */
export class Scratch implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "previewenv plugin-"));

  /** Makes a folder inside. */
  make(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Starts a plugin as the engine does, with the address of an engine (none is there) as its last argument. */
export function launch(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, [...args, "127.0.0.1:1"], { env, stdio: "pipe" });
  const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const ended = printed.then(([stdout, stderr, [code]]) => ({ stdout, stderr, code: Number(code) }));
  return { child, ended };
}

/** Starts a plugin, and ends it as the engine does as soon as it has printed something. */
export function launchAndEnd(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const { child, ended } = launch(program, args, env);
  child.stdout.once("data", () => child.kill("SIGINT"));
  return ended;
}
