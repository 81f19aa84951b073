import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import manifest from "../../package.json";
import { PROGRAM } from "../../tools/package/archive";
import { TYPESCRIPT } from "../support/languages";

const ROOT = resolve(__dirname, "..", "..");
/** Arguments of Node, which packs in the checkout. */
const PACKAGE: readonly string[] = [...TYPESCRIPT, "tools/package/main.ts"];
const NOT_FETCHED = /npm ci failed/u;
const PLATFORM = `${process.platform.replace("win32", "windows")}-${process.arch.replace("x64", "amd64")}`;

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
  await promisify(execFile)(process.execPath, [...PACKAGE, "--platform", PLATFORM, "--output", folder], { cwd: ROOT });
  return folder;
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
