// Sets up what the checkout needs and runs a script of package.json: node main.mjs <script> [arguments]. Without a script it fetches nothing of
// Pulumi: it installs, links and builds. Runs on old Node releases and before anything is installed, so that it may import nothing but node:
// modules and its neighbours.
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache-folder.mjs";
import { stop } from "./command.mjs";
import { Progress } from "./progress.mjs";
import { exitCodeOf, FORWARDED, runScript } from "./run-script.mjs";
import { Interrupted, SetupError } from "./setup-error.mjs";
import { setUp, setUpCheckout } from "./steps.mjs";
import { isAtLeast, OLDEST_SETUP_NODE } from "./version.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * @template Result
 * @param {(context: import("./dependencies.mjs").SetupContext) => Promise<Result>} steps
 */
async function unlessStopped(steps) {
  const abort = (/** @type {NodeJS.Signals} */ signal) => stop.abort(new Interrupted(exitCodeOf(signal)));
  for (const signal of FORWARDED) process.on(signal, abort);
  try {
    return await steps({ root: ROOT, cache: cacheFolder(), env: process.env, progress: new Progress() });
  } catch (error) {
    // Whatever failed because of the signal, the signal is the reason.
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    for (const signal of FORWARDED) process.off(signal, abort);
  }
}

/** @param {string[]} args */
async function main([script, ...args]) {
  if (!isAtLeast(process.version, OLDEST_SETUP_NODE)) {
    throw new SetupError(
      `Node ${OLDEST_SETUP_NODE} or newer is needed to start; this is ${process.version}. https://nodejs.org/en/download`,
    );
  }
  if (script === undefined) {
    await unlessStopped(setUpCheckout);
    return 0;
  }
  const env = await unlessStopped((context) => setUp(context, script));
  return runScript(ROOT, script, args, env);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // A failed call of the system (disk full, no permission) says enough by its message; anything else is a defect, to be seen whole.
  const isPlain = error instanceof SetupError || (error instanceof Error && "syscall" in error);
  if (!isPlain) throw error;
  console.error(`\n[setup] ${error.message}`);
  process.exitCode = error instanceof Interrupted ? error.exitCode : 1;
}
