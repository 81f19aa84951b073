import { existsSync, readdirSync } from "node:fs";
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";
import { ROOT } from "./bundle";
import nodes from "./nodes.json";
import { npm, type Package, writeProject } from "./npm-project";

/** Operating system and architecture in Go's words, as Pulumi names its archives. */
export type Platform = keyof typeof nodes.platforms;

/** The name that the engine looks for. With .exe or .cmd on Windows. */
export const PROGRAM = "pulumi-resource-previewenv";

const SHARED = ["start.cjs", "node-options.cjs", "plugin.cjs", "package.json", "NOTICES.txt"];
/** The packages of Node for Windows hold no licence. It is the same text for all. */
const WITH_LICENCE = nodes.platforms["linux-amd64"].package;
const [FILE_MODE, EXECUTABLE_MODE] = [0o644, 0o755];
const FIXED_TIME = new Date("2000-01-01T00:00:00Z");

export const PLATFORMS: readonly Platform[] = Object.keys(nodes.platforms).filter(isPlatform);

export function isPlatform(name: string): name is Platform {
  return name in nodes.platforms;
}

/** The package of npm that holds Node for a platform. */
export function nodePackage(platform: Platform): Package {
  const { package: name, integrity } = nodes.platforms[platform];
  return { name, version: nodes.version, license: "MIT", integrity };
}

/**
 * Installs Node for some platforms, untouched: its signature has to stay valid. Gives the folder with the packages.
 * @throws when the registry has something else than nodes.json names
 */
export async function installNodes(folder: string, platforms: readonly Platform[]): Promise<string> {
  await writeProject(folder, [...new Set<Platform>([...platforms, "linux-amd64"])].map(nodePackage));
  await npm(folder, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit");
  return join(folder, "node_modules");
}

/**
 * Writes the archive for a platform, in the layout of `pulumi plugin install --file`: everything at the top. The same bytes for the same contents.
 * @param plugin Folder of the bundle.
 * @param modules What installNodes gives.
 */
export async function writeArchive(file: string, platform: Platform, plugin: string, modules: string): Promise<void> {
  const [program, node] = platform.startsWith("windows-") ? [`${PROGRAM}.cmd`, "node.exe"] : [PROGRAM, "node"];
  const installed = join(modules, nodes.platforms[platform].package);
  const licences = [installed, join(modules, WITH_LICENCE)].map((folder) => join(folder, "LICENSE"));
  const sources = [
    ...[...SHARED, program].map((name) => [name, join(plugin, name)]),
    [node, join(installed, "bin", node)],
    ["NODE_LICENSE.txt", licences.find(existsSync) ?? ""],
    ["LICENSE", join(ROOT, "LICENSE")],
  ];
  const cwd = await mkdtemp(join(tmpdir(), "previewenv-archive-"));
  try {
    for (const [name = "", source = ""] of sources) {
      await copyFile(source, join(cwd, name));
      await chmod(join(cwd, name), [program, node].includes(name) ? EXECUTABLE_MODE : FILE_MODE);
    }
    await create({ file, cwd, gzip: true, portable: true, mtime: FIXED_TIME }, readdirSync(cwd).toSorted());
  } finally {
    await rm(cwd, { recursive: true });
  }
}
