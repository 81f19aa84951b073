import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { findOnPath, isExecutable, lastLines, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { readStamp, writeStamp } from "./stamp.mjs";
import { isAtLeast, OLDEST_PYTHON } from "./version.mjs";

/** @typedef {import("./dependencies.mjs").SetupContext} SetupContext */

/** Names the virtual environment with Pulumi's package for Python, for the scripts. */
export const PYTHON_FOLDER_VARIABLE = "PREVIEWENV_PYTHON_VENV";

const ON_WINDOWS = process.platform === "win32";
const HASH_LENGTH = 12;
const SHOW_VERSION = "import sys; print('%d.%d.%d' % sys.version_info[:3])";
// A machine without a package index shall not wait long for it.
const INSTALL = [
  "-m",
  "pip",
  "install",
  "--quiet",
  "--disable-pip-version-check",
  "--retries",
  "1",
  "--require-hashes",
];

/**
 * A virtual environment with what tools/setup/python/requirements.txt names, in the cache. Never fails: the tests of Python programs are
 * skipped without it, and one line says why.
 * @param {SetupContext} context
 * @returns {Promise<string | undefined>} Its folder.
 */
export async function providePython(context) {
  const { cache, progress, root, signal } = context;
  const requirements = join(root, "tools", "setup", "python", "requirements.txt");
  const pinned = readFileSync(requirements, "utf8").replaceAll(/^#.*\n/gm, "");
  const hash = createHash("sha256").update(pinned).digest("hex");
  const folder = join(cache, "python", hash.slice(0, HASH_LENGTH));
  if (isReady(folder, hash)) return folder;
  /** @type {{ reason: string } | undefined} */
  let failed;
  try {
    await withLock(`${folder}.lock`, { onWait: progress.waiting("Python"), signal }, async () => {
      if (!isReady(folder, hash)) failed = await fill(folder, requirements, context);
      if (failed === undefined) await writeStamp(stampPath(folder), { hash });
    });
  } catch (error) {
    signal?.throwIfAborted();
    failed = { reason: error instanceof Error ? error.message : String(error) };
  }
  if (failed === undefined) return folder;
  progress.say(`Python: the tests of Python programs are skipped: ${failed.reason}`);
  return undefined;
}

/**
 * @param {string} folder
 * @param {string} requirements
 * @param {SetupContext} context
 */
async function fill(folder, requirements, context) {
  const options = { env: context.env, signal: context.signal };
  const python = findOnPath(ON_WINDOWS ? "python" : "python3", context.env);
  if (python === undefined) return { reason: `there is no python3 on PATH (Python ${OLDEST_PYTHON} or newer)` };
  const { stdout } = await run(python, ["-c", SHOW_VERSION], options);
  if (!isAtLeast(stdout, OLDEST_PYTHON)) {
    return { reason: `${python} is ${stdout.trim() || "of an unknown version"}, older than ${OLDEST_PYTHON}` };
  }
  return context.progress.step("Python: a virtual environment with Pulumi's package (about 30 s)", async () => {
    await rm(folder, { recursive: true, force: true });
    const made = await run(python, ["-m", "venv", folder], options);
    if (made.code !== 0) return { reason: `python3 -m venv failed (exit ${made.code}):\n${lastLines(made.output)}` };
    const args = [...INSTALL, "--only-binary", ":all:", "-r", requirements];
    const { code, output } = await run(pythonOf(folder), args, options);
    return code === 0 ? undefined : { reason: `pip install failed (exit ${code}):\n${lastLines(output)}` };
  });
}

/**
 * @param {string} folder
 * @param {string} hash
 */
function isReady(folder, hash) {
  return readStamp(stampPath(folder))?.hash === hash && isExecutable(pythonOf(folder));
}

/** @param {string} folder */
function pythonOf(folder) {
  return ON_WINDOWS ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}

/** @param {string} folder */
function stampPath(folder) {
  return join(folder, "previewenv-setup.json");
}
