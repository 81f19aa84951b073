import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";

export const ROOT = resolve(__dirname, "..", "..");
const Packed = z.tuple([
  z.object({
    name: z.string(),
    filename: z.string(),
    size: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

export interface PackedPackage {
  readonly name: string;
  readonly file: string;
  readonly size: number;
  /** Its files, relative to the package, with `/`. */
  readonly paths: readonly string[];
}

/** What `npm pack` makes of a folder as it is now: one of the checkout, or an absolute one. */
export function pack(source: string, into: string, env: NodeJS.ProcessEnv = process.env): PackedPackage {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", into];
  const options = { cwd: resolve(ROOT, source), env, encoding: "utf8", stdio: "pipe" } as const;
  const [{ name, filename, size, files }] = Packed.parse(JSON.parse(execFileSync("npm", args, options)));
  return { name, file: join(into, filename), size, paths: files.map(({ path }) => path) };
}

/** Puts a packed package where programs below `folder` find it. Gives its folder. */
export function unpack({ name, file }: PackedPackage, folder: string): string {
  const own = join(folder, "node_modules", name);
  mkdirSync(own, { recursive: true });
  execFileSync("tar", ["-xzf", file, "--strip-components=1", "-C", own]);
  return own;
}

/** Puts beside the packages of a program what npm would install with them, as the checkout has it. */
export function linkInstalled(folder: string): void {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (!existsSync(join(modules, name)) && !name.startsWith("."))
      symlinkSync(join(ROOT, "node_modules", name), join(modules, name), "junction");
}
