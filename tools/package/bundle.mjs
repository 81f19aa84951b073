// Bundles the native plugin into dist/plugin: one file with everything it needs, and what starts it.
import { chmod, copyFile, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { noticesOf } from "./notices.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));

/** The checkout. */
export const ROOT = resolve(HERE, "..", "..");
const HOSTS = join(ROOT, "provider", "src", "hosts");
const ENTRY = join(HOSTS, "plugin.ts");
const COMPONENTS = join(HOSTS, "plugin", "components");
const LAUNCHERS = join(HERE, "launch");
const EXECUTABLE_MODE = 0o755;

/** Where the bundle lies. A project's `plugins: {providers: [{name: previewenv, path: ...}]}` may name it. */
export const PLUGIN_FOLDER = join(ROOT, "dist", "plugin");

/**
 * Components are in a file of their own, which the plugin loads when a program has one: with Pulumi's SDK they are as large as
 * the plugin.
 * @type {import("esbuild").Plugin}
 */
const componentsApart = {
  name: "components-apart",
  setup(building) {
    building.onResolve({ filter: /^\.\/components\/host$/ }, () => ({ path: "./components.cjs", external: true }));
  },
};

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
 * Writes plugin.cjs and components.cjs, the programs that start it, and the licences of what it contains.
 * @param {string} [folder] Default: PLUGIN_FOLDER.
 * @param {string} [entry] Default: the entry of the native plugin.
 * @throws when a bundle needs files that are not in it, or has a package twice.
 */
export async function bundlePlugin(folder = PLUGIN_FOLDER, entry = ENTRY) {
  await mkdir(folder, { recursive: true });
  const inputs = [
    ...(await bundle(entry, join(folder, "plugin.cjs"), componentsApart)),
    ...(await bundle(join(COMPONENTS, "host.ts"), join(folder, "components.cjs"), onlyWhatComponentsUse)),
  ];
  await writeFile(join(folder, "NOTICES.txt"), await noticesOf(ROOT, [...new Set(inputs)]));
  const { name: title, version, license } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  // Where the plugin looks for its version.
  const manifest = { name: title, version, license, private: true, type: "commonjs" };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const name of await readdir(LAUNCHERS)) {
    const part = join(folder, `${name}.${process.pid}.part`);
    await copyFile(join(LAUNCHERS, name), part);
    if (!name.endsWith(".cjs")) await chmod(part, EXECUTABLE_MODE);
    await rename(part, join(folder, name));
  }
}

/**
 * Bundles a file with everything it needs. Returns the paths of what is in the bundle.
 * @param {string} entry
 * @param {string} file
 * @param {import("esbuild").Plugin} plugin
 */
async function bundle(entry, file, plugin) {
  // Renamed into place, as an engine may start the plugin at any moment.
  const part = `${file}.${process.pid}.part`;
  const { metafile, warnings } = await build({
    entryPoints: [entry],
    outfile: part,
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    plugins: [plugin],
    legalComments: "none", // NOTICES.txt has the whole texts.
    // A tenth less to load and 4 MB less memory. Names stay: errors are known by theirs.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "warning",
    metafile: true,
  });
  // Such as a require.resolve that would find nothing on a user's machine.
  if (warnings.length > 0) throw new Error("the bundle would not work alone: see the warnings above");
  await rename(part, file);
  return Object.keys(metafile.inputs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePlugin();
