import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isExecutable } from "../command.mjs";
import { withLock } from "../lock.mjs";
import { readStamp, writeStamp } from "../stamp.mjs";
import { cachedPulumi, withNewFolder } from "./cache.mjs";
import { goBuild, moduleFolder, sourceFolder, usableGo } from "./go-build.mjs";
import { HOSTS } from "./languages.mjs";
import { findForeign } from "./path.mjs";
import { EXECUTABLE_MODE } from "./programs.mjs";

/** @typedef {import("../dependencies.mjs").SetupContext} SetupContext */
/** @typedef {import("./languages.mjs").Host} Host */

/**
 * Hosts for programs of other languages, which Pulumi's own installations bring along: those beside the CLI or on PATH, else from the
 * cache, else built with Go. Beside a CLI of the cache they are put into its folder: the CLI warns of hosts elsewhere on PATH. Never fails:
 * the tests that need a host are skipped without it, and one line says why.
 * @param {SetupContext} context
 * @param {string} pulumi The folder of the CLI.
 * @param {readonly Host[]} [hosts]
 * @returns {Promise<string>} The folder of those that are neither beside the CLI nor on PATH; the CLI's own when there are none.
 */
export async function provideLanguageHosts(context, pulumi, hosts = HOSTS) {
  const { progress, signal } = context;
  const target = cachedPulumi(context.cache);
  const bin = pulumi.startsWith(target) ? pulumi : join(`${target}-language-hosts`, "bin");
  const lacking = () => hosts.filter((host) => !isThere(host, [bin, pulumi], context));
  const folder = () => (hosts.every((host) => isThere(host, [pulumi], context)) ? pulumi : bin);
  const wanted = () =>
    hosts.filter((host) => lacking().includes(host) || (folder() === bin && isStale(host, bin, context)));
  if (wanted().length === 0) return folder();
  /** @type {string | undefined} */
  let reason;
  try {
    await withLock(`${target}.lock`, { onWait: progress.waiting("language hosts"), signal }, async () => {
      // Another set-up may have built them while this one waited.
      if (wanted().length > 0) reason = (await build(wanted(), bin, context))?.reason;
    });
  } catch (error) {
    signal?.throwIfAborted();
    reason = error instanceof Error ? error.message : String(error);
  }
  const languages = lacking().map(({ language }) => language);
  if (languages.length > 0)
    progress.say(`language hosts: none for ${languages.join(", ")}, whose tests are skipped: ${reason}`);
  return folder();
}

/**
 * @param {Host} host
 * @param {readonly string[]} folders
 * @param {SetupContext} context
 */
function isThere({ build: { program } }, folders, context) {
  return folders.some((folder) => isExecutable(join(folder, program))) || findForeign(program, context) !== undefined;
}

/**
 * Whether it was built from other modules than those that are locked now.
 * @param {Host} host
 * @param {string} bin
 * @param {SetupContext} context
 */
function isStale({ build: { module, program } }, bin, { root }) {
  const built = readStamp(stampPath(bin, program));
  return built !== undefined && built.hash !== moduleHash(root, module);
}

/**
 * @param {readonly Host[]} hosts
 * @param {string} bin
 * @param {SetupContext} context
 */
async function build(hosts, bin, context) {
  const found = await usableGo(context);
  if ("reason" in found) return found;
  await mkdir(bin, { recursive: true });
  const languages = hosts.map(({ language }) => language).join(", ");
  return context.progress.step(
    `language hosts: build those for ${languages} with Go (1 min, the first time up to 4 min)`,
    () =>
      withNewFolder(dirname(bin), "language-hosts", async (folder) => {
        /** @type {({ reason: string } | undefined)[]} */
        const results = [];
        // When one cannot be built, the others still are.
        for (const host of hosts) results.push(await buildOne(found.go, folder, bin, host, context));
        return results.find((result) => result !== undefined);
      }),
  );
}

/**
 * @param {string} go
 * @param {string} folder
 * @param {string} bin
 * @param {Host} host
 * @param {SetupContext} context
 */
async function buildOne(go, folder, bin, { build: program, script }, context) {
  const failed = await goBuild(go, folder, program, context);
  if (failed !== undefined) return failed;
  if (script !== undefined) {
    const sources = await sourceFolder(go, program.module, script.module, context);
    const file = join(sources ?? "", script.path);
    if (!existsSync(file)) return { reason: `${script.module} contains no ${script.path}` };
    const name = script.path.split("/").at(-1) ?? "";
    await copyFile(file, join(folder, name));
    await chmod(join(folder, name), EXECUTABLE_MODE);
    await rename(join(folder, name), join(bin, name));
  }
  await rm(stampPath(bin, program.program), { force: true });
  await rename(join(folder, program.program), join(bin, program.program));
  await writeStamp(stampPath(bin, program.program), { hash: moduleHash(context.root, program.module) });
  return undefined;
}

/**
 * @param {string} bin
 * @param {string} program
 */
function stampPath(bin, program) {
  return join(dirname(bin), `${program}.json`);
}

/**
 * @param {string} root
 * @param {string} module
 */
function moduleHash(root, module) {
  const folder = moduleFolder(root, module);
  return ["go.mod", "go.sum"]
    .reduce((hash, name) => hash.update(readFileSync(join(folder, name))), createHash("sha256"))
    .digest("hex");
}
