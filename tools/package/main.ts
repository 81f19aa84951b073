// Builds what a user of the native plugin installs: an archive for each platform, with its own Node. And beside them what they contain, and
// the checksums of all.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { license, version } from "../../package.json";
import { installNodes, isPlatform, PLATFORMS, PROGRAM, writeArchive } from "./archive";
import { bundlePlugin, ROOT } from "./bundle";
import { sbomOf } from "./sbom";

const { values } = parseArgs({
  options: {
    platform: { type: "string", multiple: true, default: [...PLATFORMS] },
    output: { type: "string", default: join(ROOT, "dist", "packages") },
  },
});

async function main(): Promise<void> {
  const platforms = values.platform.filter(isPlatform);
  const unknown = values.platform.find((name) => !isPlatform(name));
  if (unknown !== undefined)
    throw new Error(`--platform ${unknown}: no such platform. There are ${PLATFORMS.join(", ")}`);
  const prefix = `${PROGRAM}-v${version}-`;
  const folder = await mkdtemp(join(tmpdir(), "previewenv-package-"));
  try {
    const plugin = join(folder, "plugin");
    const packages = await bundlePlugin(plugin);
    const modules = await installNodes(join(folder, "nodes"), platforms);
    await mkdir(values.output, { recursive: true });
    const sbom = `${prefix}sbom.cdx.json`;
    await writeFile(join(values.output, sbom), await sbomOf(join(folder, "sbom"), { version, license }, packages));
    const checksums = [await checksum(sbom)];
    for (const platform of platforms) {
      const archive = `${prefix}${platform}.tar.gz`;
      await writeArchive(join(values.output, archive), platform, plugin, modules);
      checksums.push(await checksum(archive));
      console.log(join(values.output, archive));
    }
    await writeFile(join(values.output, "checksums.txt"), checksums.join(""));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** SHA-256 of a file, as `sha256sum` prints it. */
async function checksum(name: string): Promise<string> {
  const hash = createHash("sha256").update(await readFile(join(values.output, name)));
  return `${hash.digest("hex")}  ${name}\n`;
}

void main();
