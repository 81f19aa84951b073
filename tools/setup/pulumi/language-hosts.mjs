import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { findOnPath, withPath } from "../command.mjs";
import { go, goBuild, NO_GO } from "./go-build.mjs";
import { cachedPulumi } from "./pulumi-cli.mjs";

/** @typedef {import("../dependencies.mjs").SetupContext} SetupContext */

/** The hosts that let the CLI run programs of a language, or generate its SDK, by the Go module that builds them. Pulumi's installations bring all of
 * them along. */
const MODULES = {
  yaml: "pulumi",
  dotnet: "pulumi",
  python: "language-hosts",
  go: "language-hosts",
  java: "language-hosts",
};
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
  const { cache, env, progress } = context;
  const cached = cachedPulumi(cache);
  const bin = pulumi.startsWith(cached) ? pulumi : join(`${cached}-language-hosts`, "bin");
  const places = withPath(env, [pulumi, bin]);
  const lacking = Object.entries(MODULES).filter(
    ([language]) => findOnPath(`pulumi-language-${language}`, places) === undefined,
  );
  const none = (/** @type {string[]} */ without, /** @type {string} */ reason) =>
    progress.say(`language hosts: none for ${without.join(", ")}, whose tests are skipped: ${reason}`);
  const languages = lacking.map(([language]) => language);
  if (languages.length > 0 && findOnPath("go", env) === undefined) none(languages, NO_GO);
  else
    for (const [language, module] of lacking)
      await build(language, module, bin, context).catch((error) => none([language], error.message));
  return existsSync(bin) ? bin : pulumi;
}

/**
 * @param {string} language
 * @param {string} module
 * @param {string} bin
 * @param {SetupContext} context
 */
async function build(language, module, bin, context) {
  await context.progress.step(`language hosts: build the one for ${language} with Go (up to 2 min)`, async () => {
    await mkdir(bin, { recursive: true });
    if (language === "python") {
      const { module: name, path } = PYTHON_SCRIPT;
      const { stdout } = await go(["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", name], module, context);
      const script = join(bin, basename(path));
      await copyFile(join(stdout.trim(), path), script);
      await chmod(script, EXECUTABLE_MODE);
    }
    await goBuild(module, [`pulumi-language-${language}`, `pulumi-converter-${language}`], bin, context);
  });
}
