import { chmod, copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { findOnPath, isExecutable, stop } from "../command.mjs";
import { go, goBuild, NO_GO, programName } from "./go-build.mjs";
import { cachedPulumi } from "./pulumi-cli.mjs";

/** @typedef {import("../dependencies.mjs").SetupContext} SetupContext */
/** @typedef {{ language: string, name: string, package: string }} Host What lets the CLI run programs of a language, or generate its SDK. */

/** Pulumi's installations bring all of them along. */
const HOSTS = [
  { language: "YAML", name: "yaml", package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml" },
  { language: "Python", name: "python", package: "github.com/pulumi/pulumi/sdk/python/cmd/pulumi-language-python/v3" },
  { language: "Go", name: "go", package: "github.com/pulumi/pulumi/sdk/go/pulumi-language-go/v3" },
  { language: ".NET", name: "dotnet", package: "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3" },
  { language: "Java", name: "java", package: "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java" },
];
/** A file of another module that has to lie beside the host of Python. */
const PYTHON_SCRIPT = { module: "github.com/pulumi/pulumi/sdk/v3", path: "python/cmd/pulumi-language-python-exec" };
const EXECUTABLE_MODE = 0o755;

/**
 * Hosts for programs of other languages: those beside the CLI or on PATH, else from the cache, else built with Go. Beside a CLI of the cache
 * they are put into its folder: the CLI warns of hosts elsewhere on PATH. Never fails: the tests that need a host are skipped without it, and
 * one line says why.
 * @param {SetupContext} context
 * @param {string} pulumi The folder of the CLI.
 * @returns {Promise<string>} The folder of those that are neither beside the CLI nor on PATH. The CLI's own when there are none.
 */
export async function provideLanguageHosts(context, pulumi) {
  const cached = cachedPulumi(context.cache);
  const bin = pulumi.startsWith(cached) ? pulumi : join(`${cached}-language-hosts`, "bin");
  const lacking = HOSTS.filter((host) => !isThere(host, [bin, pulumi], context));
  if (lacking.length > 0) {
    const { skipped, reason } = await buildAll(lacking, bin, context);
    if (skipped.length > 0)
      context.progress.say(`language hosts: none for ${skipped.join(", ")}, whose tests are skipped: ${reason}`);
  }
  return HOSTS.every((host) => isThere(host, [pulumi], context)) ? pulumi : bin;
}

/**
 * @param {Host} host
 * @param {readonly string[]} folders
 * @param {SetupContext} context
 */
function isThere({ name }, folders, { env }) {
  const file = programName(`pulumi-language-${name}`);
  return folders.some((folder) => isExecutable(join(folder, file))) || findOnPath(file, env) !== undefined;
}

/**
 * When one cannot be built, the others still are.
 * @param {readonly Host[]} hosts
 * @param {string} bin
 * @param {SetupContext} context
 * @returns {Promise<{ skipped: string[], reason: string }>} The languages without a host, and why the first one has none.
 */
async function buildAll(hosts, bin, context) {
  const languages = hosts.map(({ language }) => language);
  if (findOnPath("go", context.env) === undefined) return { skipped: languages, reason: NO_GO };
  const title = `language hosts: build those for ${languages.join(", ")} with Go (1 min, the first time up to 5 min)`;
  return context.progress.step(title, async () => {
    const skipped = [];
    const reasons = [];
    for (const host of hosts)
      try {
        await buildOne(host, bin, context);
      } catch (error) {
        stop.signal.throwIfAborted();
        skipped.push(host.language);
        reasons.push(error instanceof Error ? error.message : String(error));
      }
    return { skipped, reason: reasons[0] ?? "" };
  });
}

/**
 * @param {Host} host
 * @param {string} bin
 * @param {SetupContext} context
 */
async function buildOne({ name, package: source }, bin, context) {
  const module = `${name}-host`;
  await mkdir(bin, { recursive: true });
  if (name === "python") {
    const { stdout } = await go(
      ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", PYTHON_SCRIPT.module],
      module,
      context,
    );
    const script = join(bin, basename(PYTHON_SCRIPT.path));
    await copyFile(join(stdout.trim(), PYTHON_SCRIPT.path), script);
    await chmod(script, EXECUTABLE_MODE);
  }
  await goBuild({ module, program: `pulumi-language-${name}`, package: source }, bin, context);
}
