import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, sep } from "node:path";
import * as z from "zod";
import manifest from "../../package.json";
import { pack } from "../support/packed";

const Program = z.looseObject({
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});
/** What npm leaves in a folder. */
const LEFT = ["node_modules", "package-lock.json"];

/** Runs `npm install ...` with the packed project instead of its version, once for each set of dependencies. */
export class Installer {
  readonly #env: NodeJS.ProcessEnv;
  readonly #packed: string;
  readonly #folder: string;
  /** In which folder the installation of a set is now. */
  readonly #holders = new Map<string, string>();

  constructor(env: NodeJS.ProcessEnv, folder: string) {
    this.#env = env;
    this.#folder = folder;
    // The set-up has built what goes into it.
    this.#packed = pack(".", folder, env).file;
  }

  /**
   * What a line such as `npm install` does in a folder. An installation that another guide has made for the same dependencies moves here: it is
   * never in two places, and nothing links to it.
   * @throws when npm fails, or when a program of the folder would find the project anywhere else than in the folder itself.
   */
  install(folder: string, line: string): void {
    const set = `${line} ${this.#dependencies(join(folder, "package.json"))}`;
    const holder = this.#holders.get(set);
    // A second installation in the same folder replaces the first one, as it does with npm.
    for (const [other, at] of this.#holders) if (at === folder && other !== set) this.#holders.delete(other);
    if (holder === undefined) this.#npm(folder, line);
    else if (holder !== folder) {
      for (const name of LEFT) rmSync(join(folder, name), { recursive: true, force: true });
      for (const name of LEFT) renameSync(join(holder, name), join(folder, name));
      copyFileSync(join(holder, "package.json"), join(folder, "package.json"));
    }
    this.#holders.set(set, folder);
    this.#assertOwn(folder);
  }

  /** An example of the packed project, for `pulumi new`. A program of it depends on the packed project instead of its version. */
  template(example: string): string {
    const unpacked = join(this.#folder, "unpacked");
    if (!existsSync(unpacked)) {
      mkdirSync(unpacked);
      execFileSync("tar", ["-xzf", this.#packed, "--strip-components=1", "-C", unpacked]);
    }
    const template = join(this.#folder, "templates", example);
    if (!existsSync(template)) cpSync(join(unpacked, example), template, { recursive: true });
    this.#dependencies(join(template, "package.json"));
    return template;
  }

  /**
   * Moves the installation that a template's dependencies have already into a new project's folder, which keeps it.
   * @returns Whether there is one.
   */
  lend(template: string, folder: string): boolean {
    const set = `npm install ${this.#dependencies(join(template, "package.json"))}`;
    const holder = this.#holders.get(set);
    this.#holders.set(set, folder);
    if (holder === undefined) return false;
    for (const name of LEFT) renameSync(join(holder, name), join(folder, name));
    return true;
  }

  /** The dependencies of a program, with the packed project among them, as text. A program without package.json has none. */
  #dependencies(file: string): string {
    if (!existsSync(file)) return "";
    const program = Program.parse(JSON.parse(readFileSync(file, "utf8")));
    const dependencies = { ...program.dependencies, [manifest.name]: `file:${this.#packed}` };
    writeFileSync(file, `${JSON.stringify({ ...program, dependencies }, undefined, 2)}\n`);
    return JSON.stringify([dependencies, program.devDependencies]);
  }

  #npm(folder: string, line: string): void {
    const [, ...words] = line.split(" ");
    const args = words.map((word) => (word === manifest.name ? this.#packed : word));
    execFileSync("npm", args, { cwd: folder, env: this.#env, stdio: "pipe" });
  }

  #assertOwn(folder: string): void {
    const code = `console.log(["", "/dynamic", "/native"].map((entry) => require.resolve("${manifest.name}" + entry)).join("\\n"))`;
    const found = execFileSync("node", ["-e", code], { cwd: folder, env: this.#env, encoding: "utf8" });
    const own = realpathSync(folder) + sep;
    for (const path of found.trim().split("\n"))
      if (!path.startsWith(own)) throw new Error(`a program in ${folder} finds ${path}`);
  }
}
