import { chmod, copyFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { findOnPath, withPath } from "../command.mjs";
import { go, goBuild } from "./go-build.mjs";
import { cachedPulumi } from "./pulumi-cli.mjs";

/** @typedef {import("../dependencies.mjs").SetupContext} SetupContext */

/** Each has a host that lets the CLI run its programs, or generate its SDK. Pulumi's installations bring all of them along. */
const LANGUAGES = ["yaml", "dotnet", "python", "go", "java"];
/** The Go modules that build them. */
const MODULES = ["pulumi", "language-hosts"];
const HOSTS = /\/pulumi-(?:language|converter)-/;
/** A file of another module that has to lie beside the host of Python. */
const PYTHON_SCRIPT = { module: "github.com/pulumi/pulumi/sdk/v3", path: "python/cmd/pulumi-language-python-exec" };
const EXECUTABLE_MODE = 0o755;

/**
 * Hosts for programs of other languages: those beside the CLI or on PATH, else built with Go beside a CLI of the cache. Never fails: the tests
 * that need a host are skipped without it, and one line says why.
 * @param {SetupContext} context
 * @param {string} bin The folder of the CLI.
 */
export async function provideLanguageHosts(context, bin) {
  const places = withPath(context.env, [bin]);
  const lacking = () => LANGUAGES.filter((language) => findOnPath(`pulumi-language-${language}`, places) === undefined);
  if (lacking().length === 0) return;
  try {
    if (!bin.startsWith(cachedPulumi(context.cache))) throw new Error(`the Pulumi CLI in ${bin} is without them`);
    await context.progress.step("language hosts: build them with Go (up to 4 min)", () => build(bin, context));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.progress.say(`language hosts: none for ${lacking().join(", ")}, whose tests are skipped: ${reason}`);
  }
}

/**
 * @param {string} bin
 * @param {SetupContext} context
 */
async function build(bin, context) {
  const { module, path } = PYTHON_SCRIPT;
  const { stdout } = await go(["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", module], "language-hosts", context);
  const script = join(bin, basename(path));
  await copyFile(join(stdout.trim(), path), script);
  await chmod(script, EXECUTABLE_MODE);
  for (const one of MODULES) await goBuild(one, HOSTS, bin, context);
}
