import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fillFolder } from "./cache-folder.mjs";
import { findOnPath, isExecutable, lastLines, run, stop } from "./command.mjs";
import { isAtLeast, OLDEST_PYTHON } from "./version.mjs";

/** @typedef {import("./dependencies.mjs").SetupContext} SetupContext */

/** Names the virtual environment with Pulumi's package for Python, for the scripts. */
export const PYTHON_FOLDER_VARIABLE = "PREVIEWENV_PYTHON_VENV";

const ON_WINDOWS = process.platform === "win32";
const HASH_LENGTH = 12;
const SHOW_VERSION = "import sys; print('%d.%d.%d' % sys.version_info[:3])";
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
  const isReady = () => isExecutable(pythonOf(target));
  if (isReady()) return target;
  const failed = await fillFolder(target, isReady, (folder) => fill(folder, requirements, context)).catch((error) => {
    stop.signal.throwIfAborted();
    return { reason: error instanceof Error ? error.message : String(error) };
  });
  if (failed === undefined) return target;
  context.progress.say(`Python: the tests of Python programs are skipped: ${failed.reason}`);
  return undefined;
}

/**
 * @param {string} folder
 * @param {string} requirements
 * @param {SetupContext} context
 */
async function fill(folder, requirements, { env, progress }) {
  const python = findOnPath(ON_WINDOWS ? "python" : "python3", env);
  if (python === undefined) return { reason: `there is no python3 on PATH (Python ${OLDEST_PYTHON} or newer)` };
  const { stdout } = await run(python, ["-c", SHOW_VERSION], { env });
  if (!isAtLeast(stdout, OLDEST_PYTHON)) {
    return { reason: `${python} is ${stdout.trim() || "of an unknown version"}, older than ${OLDEST_PYTHON}` };
  }
  return progress.step("Python: a virtual environment with Pulumi's package (about 30 s)", async () => {
    const made = await run(python, ["-m", "venv", folder], { env });
    if (made.code !== 0) return { reason: `python3 -m venv failed (exit ${made.code}):\n${lastLines(made.output)}` };
    const { code, output } = await run(pythonOf(folder), [...INSTALL, ...ONLY_LOCKED, "-r", requirements], { env });
    return code === 0 ? undefined : { reason: `pip install failed (exit ${code}):\n${lastLines(output)}` };
  });
}

/** @param {string} folder */
function pythonOf(folder) {
  return ON_WINDOWS ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}
