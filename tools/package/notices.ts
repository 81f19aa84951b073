import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Package } from "./npm-project";

const FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE = /^(licen[cs]e|notice|copying)/i;
const RULE = "=".repeat(80);

/**
 * The packages that a bundle contains, as package-lock.json has them, in the order of their names.
 * @param inputs Files of the bundle, relative to the root, with slashes.
 * @throws when two copies of one package are among them.
 */
export async function packagesIn(root: string, inputs: readonly string[]): Promise<readonly Package[]> {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const folders = [...new Set(inputs.flatMap((input) => FOLDER.exec(input) ?? []))].toSorted();
  // Two copies of google-protobuf overwrite each other's globals. Of any other package one is waste.
  const nested = folders.filter((folder) => folder.split("node_modules/").length > 2);
  if (nested.length > 0) throw new Error(`the bundle may have these packages twice: ${nested.join(", ")}`);
  return folders.map((folder) => ({ name: folder.replace("node_modules/", ""), ...lock.packages[folder] }));
}

/** The licences of packages. `bundle` contains them, as a sentence begins. @throws when one has no licence text */
export async function noticesOf(root: string, bundle: string, packages: readonly Package[]): Promise<string> {
  const notices = packages.map(async ({ name, version, license }) => {
    const text = await licenceText(join(root, "node_modules", name));
    return `${RULE}\n${name} ${version} (${license})\n${RULE}\n\n${text}`;
  });
  return `${bundle} contains the following packages.\n\n${(await Promise.all(notices)).join("\n")}`;
}

async function licenceText(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => LICENCE.test(file)).toSorted();
  if (files.length === 0) throw new Error(`${folder} has no licence text`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return texts.map((text) => `${text.trim()}\n`).join("\n");
}
