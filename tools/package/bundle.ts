// Bundles the native plugin into dist/plugin, with what starts it, and the dynamic provider into dist/dynamic.
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { noticesOf, packagesIn } from "./notices";
import type { Package } from "./npm-project";

/** The checkout. */
export const ROOT = resolve(__dirname, "..", "..");

const HOSTS = join(ROOT, "provider", "src", "hosts");
const COMPONENTS = join(HOSTS, "plugin", "components");

const isForCoverage = process.argv.includes("--for-coverage");

/** For `npm run test:coverage`: c8 counts the sources that a map names, and those of packages are none of ours. */
const FOR_COVERAGE = { sourcemap: "inline", packages: "external" } as const;

const smallUndici: Plugin = {
  name: "small-undici",
  setup: (esbuild) => esbuild.onResolve({ filter: /^undici$/ }, () => ({ path: join(__dirname, "undici.cjs") })),
};

const onlyWhatComponentsUse: Plugin = {
  name: "only-what-components-use",
  setup(building) {
    building.onResolve({ filter: /^@pulumi\/pulumi$/ }, () => ({ path: join(COMPONENTS, "pulumi.ts") }));
    // Functions that the program itself would answer. A component asks the plugin. The reader of .env files belongs to both.
    building.onResolve({ filter: /provider\/src\/functions\// }, ({ path }) =>
      path.endsWith("/dotenv-text") ? undefined : { path, external: true },
    );
  },
};

/**
 * Writes plugin.cjs, the programs that start it, and the licences of what it contains. Gives the packages that are in it.
 * @param folder A project's `plugins: {providers: [{name: previewenv, path: ...}]}` may name it.
 * @throws when the bundle needs files that are not in it, or has a package twice
 */
export async function bundlePlugin(folder = join(ROOT, "dist", "plugin")): Promise<readonly Package[]> {
  await cp(join(__dirname, "launch"), folder, { recursive: true });
  const inputs = await bundle(join(HOSTS, "plugin.ts"), join(folder, "plugin.cjs"), {
    plugins: [onlyWhatComponentsUse],
  });
  // An old Node on PATH is told by start.cjs that it is too old, and should not print an error before that.
  await bundle(join(__dirname, "node-options.ts"), join(folder, "node-options.cjs"), { target: "node12" });
  const packages = await packagesIn(ROOT, inputs);
  await writeFile(join(folder, "NOTICES.txt"), await noticesOf(ROOT, "The plugin", packages));
  const { name, version, license } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  // Where the plugin looks for its version.
  const manifest = { name, version, license, private: true, type: "commonjs" };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return packages;
}

/**
 * Writes index.js, and the licences of what it contains. Gives the files that it holds, relative to the checkout.
 * @throws when the bundle needs files that are not in it, or has a package twice
 */
export async function bundleDynamic(folder = join(ROOT, "dist", "dynamic")): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const inputs = await bundle(join(HOSTS, "dynamic.ts"), join(folder, "index.js"), { external: ["@pulumi/pulumi"] });
  const notices = await noticesOf(ROOT, "The dynamic provider", await packagesIn(ROOT, inputs));
  await writeFile(join(folder, "NOTICES.txt"), notices);
  return inputs;
}

/**
 * Bundles what a file imports into one file, for Node. Gives the files of which it holds something, relative to the checkout.
 * @param file Written under another name first, as an engine may load it at any moment.
 */
async function bundle(
  entry: string,
  file: string,
  { external = [], plugins = [], target = "node22" }: Pick<BuildOptions, "external" | "plugins" | "target">,
): Promise<readonly string[]> {
  const part = `${file}.${process.pid}.part`;
  const { metafile, warnings } = await build({
    entryPoints: [entry],
    outfile: part,
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    target,
    format: "cjs",
    charset: "ascii",
    external,
    plugins: [smallUndici, ...plugins],
    // As Node itself bundles undici: without the parser that is not used.
    define: { esbuildDetection: "1" },
    // The paths of inputs name packages, also where node_modules is made of links, as in copies of the checkout.
    preserveSymlinks: true,
    legalComments: "none", // NOTICES.txt has the whole texts.
    // A tenth less to load and 4 MB less memory. Names stay: errors are known by theirs.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "warning",
    metafile: true,
    ...(isForCoverage && FOR_COVERAGE),
  });
  // Such as a require.resolve that would find nothing on a user's machine.
  if (warnings.length > 0) throw new Error("the bundle would not work alone: see the warnings above");
  await rename(part, file);
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((input) => (inputs[input]?.bytesInOutput ?? 0) > 0),
  );
}

async function main(): Promise<void> {
  // The next build is one for users again.
  if (isForCoverage) await rm(join(ROOT, "dist", ".begun"), { force: true });
  await Promise.all([bundlePlugin(), bundleDynamic()]);
}

if (require.main === module) void main();
