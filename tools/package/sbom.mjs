import { run } from "../setup/command.mjs";
import nodes from "./nodes.json" with { type: "json" };

const NPM = process.platform === "win32" ? "npm.cmd" : "npm";

/** @typedef {import("./notices.mjs").Package} Package */

/**
 * The software bill of materials of the archives, in CycloneDX: the packages of the bundle as `npm sbom` describes them, and Node for each
 * platform. The same text for the same contents: without a time and a number of its own.
 * @param {string} root
 * @param {{ name: string, version: string }} plugin
 * @param {Package[]} packages
 * @returns {Promise<string>}
 * @throws when the lock file lacks one of the packages.
 */
export async function sbomOf(root, plugin, packages) {
  const { components, dependencies, metadata, serialNumber: _, ...rest } = await npmSbom(root);
  const wanted = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const bundled = once(components, (one) => one["bom-ref"], wanted).map(({ properties: _none, ...one }) => one);
  if (bundled.length !== wanted.size) throw new Error("the bundle has packages that package-lock.json does not have");
  const all = [...bundled, ...nodeComponents()];
  const ref = `${plugin.name}@${plugin.version}`;
  const component = { "bom-ref": ref, type: "application", ...plugin, purl: `pkg:generic/${ref}` };
  const { timestamp: _now, component: _checkout, ...about } = metadata;
  const inner = once(dependencies, (one) => one.ref, wanted);
  const sbom = {
    ...rest,
    metadata: { ...about, component: { ...component, licenses: metadata.component.licenses } },
    components: all,
    dependencies: [
      { ref, dependsOn: all.map((one) => one["bom-ref"]) },
      ...inner.map((one) => ({ ...one, dependsOn: one.dependsOn?.filter((name) => wanted.has(name)) })),
    ],
  };
  return `${JSON.stringify(sbom, undefined, 2)}\n`;
}

/**
 * @typedef {object} Bom
 * @property {string} serialNumber
 * @property {{ timestamp: string, component: { licenses: object[] } }} metadata
 * @property {{ "bom-ref": string, properties?: object[] }[]} components
 * @property {{ ref: string, dependsOn?: string[] }[]} dependencies
 */

/**
 * @param {string} root
 * @returns {Promise<Bom>}
 */
async function npmSbom(root) {
  const args = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  const { code, stdout, output } = await run(NPM, args, { cwd: root });
  if (code !== 0) throw new Error(`npm sbom failed (exit ${code}):\n${output}`);
  return JSON.parse(stdout);
}

/**
 * Those with the wanted names. npm 10 lists a package again for each folder that has it.
 * @template T
 * @param {T[]} all
 * @param {(one: T) => string} nameOf
 * @param {Set<string>} wanted
 */
function once(all, nameOf, wanted) {
  return [...new Map(all.map((one) => [nameOf(one), one]))].filter(([name]) => wanted.has(name)).map(([, one]) => one);
}

/** Each archive has one of them. */
function nodeComponents() {
  return Object.values(nodes.platforms).map(({ package: name, integrity }) => ({
    "bom-ref": `${name}@${nodes.version}`,
    type: "platform",
    name,
    version: nodes.version,
    scope: "required",
    purl: `pkg:npm/${name}@${nodes.version}`,
    hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") }],
    licenses: [{ license: { name: "NODE_LICENSE.txt in the archive" } }],
  }));
}
