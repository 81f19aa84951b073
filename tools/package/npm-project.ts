import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runOrFail } from "../setup/command.mjs";

const NPM = process.platform === "win32" ? "npm.cmd" : "npm";

/** A package, as package-lock.json has it. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly integrity: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Writes a project of npm that depends on nothing but the given packages. So npm fetches them, checks them against their checksums, and says
 * what is known of them.
 */
export async function writeProject(folder: string, packages: readonly Package[], about: object = {}): Promise<void> {
  const versions = new Map(packages.map(({ name, version }) => [name, version]));
  const project = { ...about, dependencies: Object.fromEntries(versions) };
  const entries = packages.map(({ name, version, license, integrity, dependencies = {} }) => {
    const present = Object.entries(dependencies).filter(([dependency]) => versions.has(dependency));
    return [`node_modules/${name}`, { version, license, integrity, dependencies: Object.fromEntries(present) }];
  });
  const lock = { lockfileVersion: 3, packages: { "": project, ...Object.fromEntries(entries) } };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify(project));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(lock));
}

/** The output of npm in the folder of a project. @throws when npm fails */
export async function npm(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await runOrFail(`npm ${args[0]}`, [NPM, ...args], { cwd: folder });
  return stdout;
}
