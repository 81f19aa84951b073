import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const LICENCE = /^(licen[cs]e|notice|copying)/i;
const RULE = "=".repeat(80);

/** @typedef {{ name: string, version: string, license: string, folder: string }} Package */

/**
 * The packages that a bundle contains, in the order of their names.
 * @param {string} root
 * @param {string[]} inputs Files of the bundle, relative to the root, with slashes.
 * @returns {Promise<Package[]>}
 * @throws when two copies of one package are among them.
 */
export async function packagesIn(root, inputs) {
  const folders = [...foldersOf(inputs)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const packages = folders.map(async ([name, below]) => {
    const folder = join(root, below);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return { name, version, license, folder };
  });
  return Promise.all(packages);
}

/**
 * The licences of packages.
 * @param {string} bundle What contains them, as a sentence begins.
 * @param {Package[]} packages
 * @throws when one has no licence text.
 */
export async function noticesOf(bundle, packages) {
  const notices = packages.map(
    async ({ name, version, license, folder }) =>
      `${RULE}\n${name} ${version} (${license})\n${RULE}\n\n${await licenceText(folder)}`,
  );
  return `${bundle} contains the following packages.\n\n${(await Promise.all(notices)).join("\n")}`;
}

/** @param {string[]} inputs */
function foldersOf(inputs) {
  /** @type {Map<string, string>} */
  const folders = new Map();
  for (const input of inputs) {
    const [prefix, name] = PACKAGE.exec(input) ?? [];
    if (prefix === undefined || name === undefined) continue;
    const before = folders.get(name);
    // Two copies of google-protobuf overwrite each other's globals. Of any other package one is waste.
    if (before !== undefined && before !== prefix)
      throw new Error(`the bundle has ${name} twice: ${before}, ${prefix}`);
    folders.set(name, prefix);
  }
  return folders;
}

/** @param {string} folder */
async function licenceText(folder) {
  const files = (await readdir(folder)).filter((file) => LICENCE.test(file)).toSorted();
  if (files.length === 0) throw new Error(`${folder} has no licence text`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return texts.map((text) => `${text.trim()}\n`).join("\n");
}
