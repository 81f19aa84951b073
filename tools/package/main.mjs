// Builds what a user of the native plugin installs: an archive for each platform, with its own Node. And beside them what they contain, and
// the checksums of all.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { archiveOf, PROGRAM } from "./archive.mjs";
import { bundlePlugin } from "./bundle.mjs";
import { ROOT } from "./bundling.mjs";
import { isPlatform, nodeFor, PLATFORMS } from "./node-binary.mjs";
import { sbomOf } from "./sbom.mjs";

/**
 * SHA-256 of every file of a version, in the format of `sha256sum -c`.
 * @param {string} folder
 * @param {string} prefix
 */
async function checksums(folder, prefix) {
  const files = (await readdir(folder)).filter((name) => name.startsWith(prefix) && !name.endsWith(".part"));
  const lines = files.toSorted().map(async (name) => {
    const hash = createHash("sha256").update(await readFile(join(folder, name)));
    return `${hash.digest("hex")}  ${name}\n`;
  });
  return (await Promise.all(lines)).join("");
}

/**
 * Written under another name first: an archive is whole or absent.
 * @param {string} file
 * @param {string | Uint8Array} content
 */
async function writeWhole(file, content) {
  await writeFile(`${file}.part`, content);
  await rename(`${file}.part`, file);
}

/**
 * @param {string} name As Go or as Node names an architecture: linux-amd64 and linux-x64.
 * @returns {import("./node-binary.mjs").Platform}
 */
function platformOf(name) {
  const platform = name.replace(/-x64$/, "-amd64").replace(/^win32-/, "windows-");
  if (isPlatform(platform)) return platform;
  throw new Error(`--platform ${name}: no such platform. There are ${PLATFORMS.join(", ")}`);
}

/** @param {string[]} args */
async function main(args) {
  const { values } = parseArgs({
    args,
    options: { platform: { type: "string", multiple: true }, output: { type: "string" } },
  });
  const platforms = values.platform?.map(platformOf) ?? PLATFORMS;
  const output = values.output ?? join(ROOT, "dist", "packages");
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const prefix = `${PROGRAM}-v${version}-`;
  const plugin = await mkdtemp(join(tmpdir(), "previewenv-plugin-"));
  try {
    const packages = await bundlePlugin(plugin);
    await mkdir(output, { recursive: true });
    for (const platform of platforms) {
      const file = join(output, `${prefix}${platform}.tar.gz`);
      await writeWhole(file, await archiveOf(plugin, platform, await nodeFor(platform)));
      console.log(file);
    }
    const sbom = await sbomOf(ROOT, { name: PROGRAM, version }, packages);
    await writeWhole(join(output, `${prefix}sbom.cdx.json`), sbom);
    await writeWhole(join(output, "checksums.txt"), await checksums(output, prefix));
  } finally {
    await rm(plugin, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
