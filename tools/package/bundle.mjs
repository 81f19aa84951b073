// Bundles the native plugin into dist/plugin, with what starts it, and the dynamic provider into dist/dynamic.
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, ROOT } from "./bundling.mjs";
import { noticesOf, packagesIn } from "./notices.mjs";

const HOSTS = join(ROOT, "provider", "src", "hosts");
const COMPONENTS = join(HOSTS, "plugin", "components");
const LAUNCHERS = join(ROOT, "tools", "package", "launch");
const EXECUTABLE_MODE = 0o755;

/** Where the plugin's bundle lies. A project's `plugins: {providers: [{name: previewenv, path: ...}]}` may name it. */
export const PLUGIN_FOLDER = join(ROOT, "dist", "plugin");
/** Where the dynamic provider's bundle lies: `pulumi-previewenv/dynamic`. */
const DYNAMIC_FOLDER = join(ROOT, "dist", "dynamic");

/** @type {import("esbuild").Plugin} */
const onlyWhatComponentsUse = {
  name: "only-what-components-use",
  setup(building) {
    building.onResolve({ filter: /^@pulumi\/pulumi$/ }, () => ({ path: join(COMPONENTS, "pulumi.ts") }));
    // Functions that the program itself would answer. A component asks the plugin.
    building.onResolve({ filter: /provider\/src\/functions\// }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * Writes plugin.cjs, the programs that start it, and the licences of what it contains.
 * @param {string} [folder] Default: PLUGIN_FOLDER.
 * @param {string} [entry] Default: the entry of the native plugin.
 * @returns The packages that are in it.
 * @throws when a bundle needs files that are not in it, or has a package twice.
 */
export async function bundlePlugin(folder = PLUGIN_FOLDER, entry = join(HOSTS, "plugin.ts")) {
  await mkdir(folder, { recursive: true });
  const inputs = await bundle(entry, join(folder, "plugin.cjs"), { plugins: [onlyWhatComponentsUse] });
  const packages = await packagesIn(ROOT, inputs);
  await writeFile(join(folder, "NOTICES.txt"), await noticesOf("The plugin", packages));
  const { name: title, version, license } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  // Where the plugin looks for its version.
  const manifest = { name: title, version, license, private: true, type: "commonjs" };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const launchers = await readdir(LAUNCHERS);
  for (const name of launchers) {
    const part = join(folder, `${name}.${process.pid}.part`);
    await copyFile(join(LAUNCHERS, name), part);
    if (!name.endsWith(".cjs")) await chmod(part, EXECUTABLE_MODE);
    await rename(part, join(folder, name));
  }
  await keepOnly(folder, ["plugin.cjs", "NOTICES.txt", "package.json", ...launchers]);
  return packages;
}

/**
 * Writes index.js, and the licences of what it contains.
 * @param {string} [folder] Default: DYNAMIC_FOLDER.
 * @returns {Promise<string[]>} The files that it holds, relative to the checkout.
 * @throws when the bundle needs files that are not in it, or has a package twice.
 */
export async function bundleDynamic(folder = DYNAMIC_FOLDER) {
  await mkdir(folder, { recursive: true });
  const inputs = await bundle(join(HOSTS, "dynamic.ts"), join(folder, "index.js"), { external: ["@pulumi/pulumi"] });
  await writeFile(join(folder, "NOTICES.txt"), await noticesOf("The dynamic provider", await packagesIn(ROOT, inputs)));
  await keepOnly(folder, ["index.js", "NOTICES.txt"]);
  return inputs;
}

/**
 * Removes what an earlier version of the sources was bundled into: it would be packed with the package.
 * @param {string} folder
 * @param {readonly string[]} names
 */
async function keepOnly(folder, names) {
  const stale = (await readdir(folder)).filter((name) => !names.includes(name) && !name.endsWith(".part"));
  await Promise.all(stale.map((name) => rm(join(folder, name), { recursive: true })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await Promise.all([bundlePlugin(), bundleDynamic()]);
