import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fillFolder } from "./cache-folder.mjs";
import { findOnPath, runOrFail } from "./command.mjs";

/** @typedef {import("./dependencies.mjs").SetupContext} SetupContext */

const ON_WINDOWS = process.platform === "win32";
const HASH_LENGTH = 12;
// A machine without a package index shall not wait long for it.
const INSTALL = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1"];
const ONLY_LOCKED = ["--require-hashes", "--only-binary", ":all:"];

/**
 * A virtual environment with what tools/setup/python/requirements.txt names, in the cache. Never fails: the tests of Python programs are
 * skipped without it, and one line says why.
 * @param {SetupContext} context
 * @returns {Promise<string | undefined>} Its folder.
 */
export async function providePython(context) {
  const requirements = join(context.root, "tools", "setup", "python", "requirements.txt");
  const pinned = readFileSync(requirements, "utf8").replaceAll(/^#.*\n/gm, "");
  const hash = createHash("sha256").update(pinned).digest("hex");
  const target = join(context.cache, "python", hash.slice(0, HASH_LENGTH));
  if (existsSync(pythonOf(target))) return target;
  try {
    await rm(target, { recursive: true, force: true });
    await fillFolder(target, (folder) => fill(folder, requirements, context));
    return target;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.progress.say(`Python: the tests of Python programs are skipped: ${reason}`);
    return undefined;
  }
}

/**
 * @param {string} folder
 * @param {string} requirements
 * @param {SetupContext} context
 */
async function fill(folder, requirements, { env, progress }) {
  const python = findOnPath(ON_WINDOWS ? "python" : "python3", env);
  if (python === undefined) throw new Error("there is no python3 on PATH");
  await progress.step("Python: a virtual environment with Pulumi's package (about 30 s)", async () => {
    await runOrFail("python3 -m venv", [python, "-m", "venv", folder], { env });
    await runOrFail("pip install", [pythonOf(folder), ...INSTALL, ...ONLY_LOCKED, "-r", requirements], { env });
  });
}

/** @param {string} folder */
function pythonOf(folder) {
  return ON_WINDOWS ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}
