// Makes the checkout ready, and then runs a program of Node: node main.mjs [--pulumi | --languages] [arguments of Node]. --pulumi brings a Pulumi
// CLI for it, --languages also what the CLI needs for other languages than TypeScript. It runs on old Node releases and before anything is
// installed, so that it may import nothing but node: modules and its neighbours.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { provideBuild } from "./build.mjs";
import { cacheFolder } from "./cache-folder.mjs";
import { SetupError, withPath } from "./command.mjs";
import { nodeOf, provideDependencies } from "./dependencies.mjs";
import { Progress } from "./progress.mjs";
import { provideLanguageHosts } from "./pulumi/language-hosts.mjs";
import { cachedPulumi, providePulumi } from "./pulumi/pulumi-cli.mjs";
import { providePython } from "./python.mjs";
import { exitCodeOf, FORWARDED, runProgram } from "./run-program.mjs";
import { isAtLeast, OLDEST_SETUP_NODE } from "./version.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");

const OPTIONS = ["--pulumi", "--languages"];

/**
 * Each step does nothing when its result is there.
 * @param {import("./dependencies.mjs").SetupContext} context
 * @param {string | undefined} option
 * @returns {Promise<NodeJS.ProcessEnv>} The environment for the program.
 */
async function setUp(context, option) {
  if (!isAtLeast(process.version, OLDEST_SETUP_NODE))
    throw new SetupError(
      `Node ${OLDEST_SETUP_NODE} or newer is needed to start; this is ${process.version}. https://nodejs.org/en/download`,
    );
  if (option !== undefined && !OPTIONS.includes(option))
    throw new SetupError(`${option}: there are ${OPTIONS.join(", ")}`);
  await provideDependencies(context);
  await provideBuild(context);
  if (option === undefined) return context.env;
  const pulumi = await providePulumi(context);
  const forLanguages = option === "--languages";
  if (forLanguages) await provideLanguageHosts(context, pulumi);
  const python = forLanguages ? await providePython(context) : undefined;
  // A CLI that PATH has needs no second entry, which could hide other programs.
  const own = pulumi.startsWith(cachedPulumi(context.cache)) ? [pulumi] : [];
  return {
    ...withPath(context.env, [join(context.root, "node_modules", ".bin"), ...own]),
    // tests/engine/harness/cli.ts and tests/support/languages.ts read them.
    PREVIEWENV_PULUMI_BIN: pulumi,
    ...(python && { PREVIEWENV_PYTHON_VENV: python }),
    // All tests load much of the sources. With what V8 has compiled before, that takes a quarter of the CPU time less.
    ...(forLanguages && { NODE_COMPILE_CACHE: join(context.root, "node_modules", ".cache", "previewenv", "v8") }),
  };
}

/** @param {NodeJS.Signals} signal */
function interrupted(signal) {
  // Programs that run, and half-done work, end with this process.
  console.error("\n[setup] the set-up was interrupted");
  process.exit(exitCodeOf(signal));
}

try {
  const args = process.argv.slice(2);
  const option = args[0]?.startsWith("--") ? args.shift() : undefined;
  for (const signal of FORWARDED) process.on(signal, interrupted);
  const env = await setUp({ root: ROOT, cache: cacheFolder(), env: process.env, progress: new Progress() }, option);
  for (const signal of FORWARDED) process.off(signal, interrupted);
  if (args.length > 0) process.exitCode = await runProgram(nodeOf(ROOT), args, ROOT, env);
} catch (error) {
  // A failed call of the system (disk full, no permission) says enough by its message. Anything else is a defect, to be seen whole.
  const isPlain = error instanceof SetupError || (error instanceof Error && "syscall" in error);
  if (!isPlain) throw error;
  console.error(`\n[setup] ${error.message}`);
  process.exitCode = 1;
}
