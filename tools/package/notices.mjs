import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const LICENCE = /^(licen[cs]e|notice|copying)/i;
const RULE = "=".repeat(80);

/**
 * The licences of the packages that a bundle contains, in the order of their names.
 * @param {string} root
 * @param {string} bundle What contains them, as a sentence begins.
 * @param {string[]} inputs Files of the bundle, relative to the root, with slashes.
 * @throws when two copies of one package are among them, or one has no licence text.
 */
export async function noticesOf(root, bundle, inputs) {
  const notices = [];
  for (const [name, folder] of [...packagesOf(inputs)].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const { version, license } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
    notices.push(`${RULE}\n${name} ${version} (${license})\n${RULE}\n\n${await licenceText(join(root, folder))}`);
  }
  return `${bundle} contains the following packages.\n\n${notices.join("\n")}`;
}

/** @param {string[]} inputs */
function packagesOf(inputs) {
  /** @type {Map<string, string>} */
  const folders = new Map();
  for (const input of inputs) {
    const [prefix, name] = PACKAGE.exec(input) ?? [];
    if (prefix === undefined || name === undefined) continue;
    const before = folders.get(name);
    // Two copies of google-protobuf overwrite each other's globals; of any other package one is waste.
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
