import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import manifest from "../../package.json";
import { PROGRAM } from "./plugin-folder";

const SCRIPT = resolve(__dirname, "..", "..", "tools", "package", "main.mjs");
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
  await promisify(execFile)(process.execPath, [SCRIPT, "--platform", PLATFORM, "--output", folder]);
  return folder;
}
