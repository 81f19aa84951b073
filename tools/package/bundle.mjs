// Bundles the native plugin into dist/plugin, with what starts it, and the dynamic provider into dist/dynamic. Then it makes the entries of
// the TypeScript SDK lazy.
import { chmod, copyFile, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, ROOT } from "./bundling.mjs";
import { makeEntriesLazy } from "./lazy-entries.mjs";
import { noticesOf, packagesIn } from "./notices.mjs";

const HOSTS = join(ROOT, "provider", "src", "hosts");
const COMPONENTS = join(HOSTS, "plugin", "components");
const LAUNCHERS = join(ROOT, "tools", "package", "launch");
const EXECUTABLE_MODE = 0o755;

/** Where the plugin's bundle lies. A project's `plugins: {providers: [{name: previewenv, path: ...}]}` may name it. */
export const PLUGIN_FOLDER = join(ROOT, "dist", "plugin");
/** Where the dynamic provider's bundle lies: `pulumi-previewenv/dynamic`. */
const DYNAMIC_FOLDER = join(ROOT, "dist", "dynamic");

/**
 * Leaves a module to a bundle of its own, which is loaded when it is required, with the code that V8 has kept of it.
 * @param {RegExp} filter How it is required.
 * @param {string} file Its bundle.
 * @returns {import("esbuild").Plugin}
 */
function apart(filter, file) {
  const contents = `
    const { join } = require("node:path");
    const { loadScript } = require("./compiled-script");
    const { loaded, keep } = loadScript(join(__dirname, ${JSON.stringify(file)}), join(__dirname, "compiled"));
    process.once("exit", () => keep(loaded.answeredCalls));
    module.exports = loaded;`;
  return {
    name: `apart-${file}`,
    setup(building) {
      building.onResolve({ filter }, () => ({ path: file, namespace: "apart" }));
      building.onLoad({ filter: /./, namespace: "apart" }, () => ({ contents, resolveDir: HOSTS }));
    },
  };
}

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
 * Writes plugin.cjs, serving.cjs and components.cjs, the programs that start it, and the licences of what it contains.
 * @param {string} [folder] Default: PLUGIN_FOLDER.
 * @param {string} [entry] Default: the entry of the native plugin.
 * @returns The packages that are in it.
 * @throws when a bundle needs files that are not in it, or has a package twice.
 */
export async function bundlePlugin(folder = PLUGIN_FOLDER, entry = join(HOSTS, "plugin.ts")) {
  await mkdir(folder, { recursive: true });
  const inputs = [
    ...(await bundle(entry, join(folder, "plugin.cjs"), { plugins: [apart(/^\.\/plugin\/serving$/, "serving.cjs")] })),
    // Loaded when the port is printed: nearly everything.
    ...(await bundle(join(HOSTS, "plugin", "serving.ts"), join(folder, "serving.cjs"), {
      plugins: [apart(/^\.\/components\/host$/, "components.cjs")],
      isScript: true,
    })),
    // Loaded when a program has a component: with Pulumi's SDK as large as the plugin.
    ...(await bundle(join(COMPONENTS, "host.ts"), join(folder, "components.cjs"), {
      plugins: [onlyWhatComponentsUse],
      isScript: true,
    })),
  ];
  const packages = await packagesIn(ROOT, inputs);
  await writeFile(join(folder, "NOTICES.txt"), await noticesOf("The plugin", packages));
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
  return packages;
}

/**
 * Writes index.js, which loads host.js with the code that V8 has kept of it, host.js, and the licences of what they contain.
 * @param {string} [folder] Default: DYNAMIC_FOLDER.
 * @returns {Promise<string[]>} The files that they hold, relative to the checkout.
 * @throws when the bundle needs files that are not in it, or has a package twice.
 */
export async function bundleDynamic(folder = DYNAMIC_FOLDER) {
  await mkdir(folder, { recursive: true });
  const inputs = await bundle(join(HOSTS, "dynamic.ts"), join(folder, "host.js"), {
    external: ["@pulumi/pulumi"],
    isScript: true,
  });
  await writeFile(join(folder, "NOTICES.txt"), await noticesOf("The dynamic provider", await packagesIn(ROOT, inputs)));
  await bundle(join(HOSTS, "dynamic-start.ts"), join(folder, "index.js"));
  return inputs;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await Promise.all([bundlePlugin(), bundleDynamic(), makeEntriesLazy()]);
