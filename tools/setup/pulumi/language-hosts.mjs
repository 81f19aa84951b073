import { chmod, copyFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { findOnPath, withPath } from "../command.mjs";
import { go, goBuild } from "./go-build.mjs";
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
 * Hosts for programs of other languages: those beside the CLI or on PATH, else built with Go beside a CLI of the cache. Never fails: the tests
 * that need a host are skipped without it, and one line says why.
 * @param {SetupContext} context
 * @param {string} bin The folder of the CLI.
 */
export async function provideLanguageHosts(context, bin) {
  const places = withPath(context.env, [bin]);
  const lacking = Object.entries(MODULES).filter(
    ([language]) => findOnPath(`pulumi-language-${language}`, places) === undefined,
  );
  const none = (/** @type {string[]} */ languages, /** @type {string} */ reason) =>
    context.progress.say(`language hosts: none for ${languages.join(", ")}, whose tests are skipped: ${reason}`);
  const isOurs = bin.startsWith(cachedPulumi(context.cache));
  if (lacking.length > 0 && !isOurs)
    none(
      lacking.map(([language]) => language),
      `the Pulumi CLI in ${bin} is without them`,
    );
  else
    for (const [language, module] of lacking)
      await build(language, module, bin, context).catch((error) => none([language], error.message));
}

/**
 * @param {string} language
 * @param {string} module
 * @param {string} bin
 * @param {SetupContext} context
 */
async function build(language, module, bin, context) {
  await context.progress.step(`language hosts: build the one for ${language} with Go (up to 2 min)`, async () => {
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
