// What the bundles have in common: how esbuild makes them, and the part of undici that they hold.
import { rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));

/** The checkout. */
export const ROOT = resolve(HERE, "..", "..");

/** @type {import("esbuild").Plugin} */
const smallUndici = {
  name: "small-undici",
  setup: (esbuild) => esbuild.onResolve({ filter: /^undici$/ }, () => ({ path: join(HERE, "undici.cjs") })),
};

/**
 * Bundles what a file imports into one file, for Node.
 * @param {string} entry
 * @param {string} file Written under another name first, as an engine may load it at any moment.
 * @param {Pick<import("esbuild").BuildOptions, "external" | "plugins">} [options]
 * @returns {Promise<string[]>} The files of which it holds something, relative to the checkout.
 * @throws when the bundle needs files that are not in it.
 */
export async function bundle(entry, file, { external = [], plugins = [] } = {}) {
  const part = `${file}.${process.pid}.part`;
  const { metafile, warnings } = await build({
    entryPoints: [entry],
    outfile: part,
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    charset: "ascii",
    external,
    plugins: [smallUndici, ...plugins],
    // As Node itself bundles undici: without the parser that is not used.
    define: { esbuildDetection: "1" },
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
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((input) => (inputs[input]?.bytesInOutput ?? 0) > 0),
  );
}
