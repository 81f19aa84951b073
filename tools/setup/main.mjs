// Sets up what the checkout needs and runs a script of package.json: node main.mjs <script> [arguments]. Without a script it fetches nothing of
// Pulumi: it installs, links and builds. Runs on old Node releases and before anything is installed, so that it may import nothing but node:
// modules and its neighbours.
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { provideBuild } from "./build.mjs";
import { cacheFolder } from "./cache-folder.mjs";
import { SetupError, stop, withPath } from "./command.mjs";
import { programFolder, provideDependencies } from "./dependencies.mjs";
import { Progress } from "./progress.mjs";
import { provideLanguageHosts } from "./pulumi/language-hosts.mjs";
import { cachedPulumi, providePulumi } from "./pulumi/pulumi-cli.mjs";
import { providePython } from "./python.mjs";
import { exitCodeOf, FORWARDED, runScript } from "./run-script.mjs";
import { isAtLeast, OLDEST_SETUP_NODE } from "./version.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** The scripts that deal with other languages than TypeScript. */
const IN_ALL_LANGUAGES = ["test:mocha", "outside", "sdks", "release:run", "release:check:run", "release:rehearse:run"];

/**
 * What a script needs, in order. Each step does nothing when its result is there.
 * @param {import("./dependencies.mjs").SetupContext} context
 * @param {string | undefined} script Without one: only what comes from the checkout and the npm registry.
 * @returns {Promise<NodeJS.ProcessEnv>} The environment for the script.
 */
async function setUp(context, script) {
  await provideDependencies(context);
  await provideBuild(context);
  if (script === undefined) return context.env;
  const pulumi = await providePulumi(context);
  const inAllLanguages = IN_ALL_LANGUAGES.includes(script);
  const hosts = inAllLanguages ? await provideLanguageHosts(context, pulumi) : pulumi;
  const python = inAllLanguages ? await providePython(context) : undefined;
  // A CLI that PATH has needs no second entry, which could hide other programs.
  const folders = [...new Set([pulumi, hosts])].filter((folder) => folder.startsWith(cachedPulumi(context.cache)));
  return {
    ...withPath(context.env, [programFolder(context.root), ...folders]),
    // tests/engine/harness/cli.ts and tests/support/python.ts read them.
    PREVIEWENV_PULUMI_BIN: pulumi,
    ...(python && { PREVIEWENV_PYTHON_VENV: python }),
  };
}

/** @param {string | undefined} script */
async function setUpUnlessStopped(script) {
  const abort = (/** @type {NodeJS.Signals} */ signal) => {
    const reason = new SetupError("the set-up was interrupted");
    reason.exitCode = exitCodeOf(signal);
    stop.abort(reason);
  };
  for (const signal of FORWARDED) process.on(signal, abort);
  try {
    return await setUp({ root: ROOT, cache: cacheFolder(), env: process.env, progress: new Progress() }, script);
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
  const env = await setUpUnlessStopped(script);
  return script === undefined ? 0 : runScript(ROOT, script, args, env);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // A failed call of the system (disk full, no permission) says enough by its message. Anything else is a defect, to be seen whole.
  const isPlain = error instanceof SetupError || (error instanceof Error && "syscall" in error);
  if (!isPlain) throw error;
  console.error(`\n[setup] ${error.message}`);
  process.exitCode = error instanceof SetupError ? error.exitCode : 1;
}
