import { PLATFORMS, PROGRAM, nodePackage } from "./archive.mjs";
import { npm, writeProject } from "./npm-project.mjs";

/**
 * The software bill of materials of the archives, in CycloneDX: the packages of the bundle, and Node for each platform. The same text for the
 * same contents: without a time and a number of its own.
 * @param {string} folder An empty one.
 * @param {{ version: string, license: string }} plugin
 * @param {readonly import("./npm-project.mjs").Package[]} packages
 */
export async function sbomOf(folder, plugin, packages) {
  await writeProject(folder, [...packages, ...PLATFORMS.map(nodePackage)], { name: PROGRAM, ...plugin });
  const printed = await npm(folder, "sbom", "--package-lock-only", "--sbom-format", "cyclonedx");
  const { metadata, serialNumber: _number, ...sbom } = JSON.parse(printed);
  const { timestamp: _time, component, ...about } = metadata;
  const own = { ...component, type: "application", name: PROGRAM, purl: `pkg:generic/${PROGRAM}@${plugin.version}` };
  return `${JSON.stringify({ ...sbom, metadata: { ...about, component: own } }, undefined, 2)}\n`;
}
