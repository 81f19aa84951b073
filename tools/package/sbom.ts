import { nodePackage, PLATFORMS, PROGRAM } from "./archive";
import { npm, type Package, writeProject } from "./npm-project";

/**
 * The software bill of materials of the archives, in CycloneDX: the packages of the bundle, and Node for each platform. The same text for the
 * same contents: without a time and a number of its own.
 * @param folder An empty one.
 */
export async function sbomOf(
  folder: string,
  plugin: { readonly version: string; readonly license: string },
  packages: readonly Package[],
): Promise<string> {
  await writeProject(folder, [...packages, ...PLATFORMS.map(nodePackage)], { name: PROGRAM, ...plugin });
  const printed = await npm(folder, "sbom", "--package-lock-only", "--sbom-format", "cyclonedx");
  const { metadata, serialNumber: _number, ...sbom } = JSON.parse(printed);
  const { timestamp: _time, component, ...about } = metadata;
  const own = { ...component, type: "application", name: PROGRAM, purl: `pkg:generic/${PROGRAM}@${plugin.version}` };
  return `${JSON.stringify({ ...sbom, metadata: { ...about, component: own } }, undefined, 2)}\n`;
}
