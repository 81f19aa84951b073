import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { findOnPath, isExecutable, stop } from "../command.mjs";
import { findGo, goBuild, sourceFolder } from "./go-build.mjs";
import { cachedPulumi, copyProgram, programName } from "./programs.mjs";

/** @typedef {import("./programs.mjs").SetupContext} SetupContext */

/**
 * @typedef {object} Host What lets the CLI run programs of a language.
 * @property {string} language
 * @property {string} program The name of its file.
 * @property {import("./go-build.mjs").GoProgram} source
 * @property {{ module: string, path: string }} [script] A file of another module that has to lie beside it.
 */

/**
 * @param {string} language
 * @param {string} name As in the names of its program and of the folder with its go.mod.
 * @param {string} source Its Go package.
 * @returns {Host}
 */
function hostOf(language, name, source) {
  return {
    language,
    program: programName(`pulumi-language-${name}`),
    source: { module: `${name}-host`, package: source },
  };
}

/**
 * Those that tests run programs with. Pulumi's installations bring all of them along.
 * @type {readonly Host[]}
 */
export const HOSTS = [
  hostOf("YAML", "yaml", "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"),
  {
    ...hostOf("Python", "python", "github.com/pulumi/pulumi/sdk/python/cmd/pulumi-language-python/v3"),
    script: { module: "github.com/pulumi/pulumi/sdk/v3", path: "python/cmd/pulumi-language-python-exec" },
  },
  hostOf("Go", "go", "github.com/pulumi/pulumi/sdk/go/pulumi-language-go/v3"),
];

/**
 * Those that only generate the SDK of their language. Pulumi's installations bring them along too.
 * @type {readonly Host[]}
 */
export const GENERATORS = [
  hostOf(".NET", "dotnet", "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3"),
  hostOf("Java", "java", "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java"),
];

/**
 * Hosts for programs of other languages: those beside the CLI or on PATH, else from the cache, else built with Go. Beside a CLI of the cache
 * they are put into its folder: the CLI warns of hosts elsewhere on PATH. Never fails: the tests that need a host are skipped without it, and
 * one line says why.
 * @param {SetupContext} context
 * @param {string} pulumi The folder of the CLI.
 * @param {readonly Host[]} [hosts]
 * @returns {Promise<string>} The folder of those that are neither beside the CLI nor on PATH; the CLI's own when there are none.
 */
export async function provideLanguageHosts(context, pulumi, hosts = HOSTS) {
  const target = cachedPulumi(context.cache);
  const bin = pulumi.startsWith(target) ? pulumi : join(`${target}-language-hosts`, "bin");
  const lacking = () => hosts.filter((host) => !isThere(host, [bin, pulumi], context));
  if (lacking().length > 0) {
    const reason = await build(lacking(), bin, context).catch((error) => {
      stop.signal.throwIfAborted();
      return error instanceof Error ? error.message : String(error);
    });
    const languages = lacking().map(({ language }) => language);
    if (languages.length > 0)
      context.progress.say(`language hosts: none for ${languages.join(", ")}, whose tests are skipped: ${reason}`);
  }
  return hosts.every((host) => isThere(host, [pulumi], context)) ? pulumi : bin;
}

/**
 * @param {Host} host
 * @param {readonly string[]} folders
 * @param {SetupContext} context
 */
function isThere({ program }, folders, { env }) {
  return folders.some((folder) => isExecutable(join(folder, program))) || findOnPath(program, env) !== undefined;
}

/**
 * When one cannot be built, the others still are.
 * @param {readonly Host[]} hosts
 * @param {string} bin
 * @param {SetupContext} context
 * @returns {Promise<string | undefined>} Why the first one cannot be built.
 */
async function build(hosts, bin, context) {
  const found = findGo(context);
  if ("reason" in found) return found.reason;
  await mkdir(bin, { recursive: true });
  const languages = hosts.map(({ language }) => language).join(", ");
  const title = `language hosts: build those for ${languages} with Go (1 min, the first time up to 4 min)`;
  const failed = await context.progress.step(title, async () => {
    const results = [];
    for (const host of hosts) results.push(await buildOne(found.go, bin, host, context));
    return results.find((result) => result !== undefined);
  });
  return failed?.reason;
}

/**
 * Built under another name first: a host is whole or absent.
 * @param {string} go
 * @param {string} bin
 * @param {Host} host
 * @param {SetupContext} context
 */
async function buildOne(go, bin, { program, source, script }, context) {
  const part = join(bin, `.new-${process.pid}-${program}`);
  try {
    const failed = await goBuild(go, part, source, context);
    if (failed !== undefined) return failed;
    if (script !== undefined) {
      const file = join((await sourceFolder(go, source.module, script.module, context)) ?? "", script.path);
      if (!existsSync(file)) return { reason: `${script.module} contains no ${script.path}` };
      await copyProgram(file, join(bin, basename(file)));
    }
    await rename(part, join(bin, program));
    return undefined;
  } finally {
    await rm(part, { force: true });
  }
}
