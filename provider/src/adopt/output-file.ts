import { renameSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "../command/mistake";

/** The file that a command writes, once it knows what. */
export class OutputFile {
  readonly #name: string;
  readonly #force: boolean;

  /** @throws UsageError when the file exists and may not be replaced, or cannot be written. */
  constructor(name: string, force: boolean) {
    this.#name = name;
    this.#force = force;
    this.#target();
  }

  /** Writes the file: whole, or not at all. @throws UsageError as the constructor does */
  write(text: string): void {
    const { path, mode } = this.#target();
    // In the same folder, so that it can be renamed.
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
    try {
      writeFileSync(temporary, text, { flag: "wx", ...(mode !== undefined && { mode }) });
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  /** Where the text goes, and the mode of the file that is there. Behind a symbolic link: the link stays. */
  #target(): { readonly path: string; readonly mode?: number } {
    const stats = statSync(this.#name, { throwIfNoEntry: false });
    if (stats === undefined) {
      if (/[/\\]$/u.test(this.#name))
        throw new UsageError(`--output must be a file, but ${shown(this.#name)} is not one`);
      if (!isFolder(dirname(this.#name)))
        throw new UsageError(`--output: there is no folder ${shown(dirname(this.#name))}`);
      return { path: this.#name };
    }
    if (!stats.isFile()) throw new UsageError(`--output must be a file, but ${shown(this.#name)} is not one`);
    if (!this.#force) throw new UsageError(`--output: ${shown(this.#name)} exists already; --force replaces it`);
    return { path: realpathSync(this.#name), mode: stats.mode };
  }
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
}

function shown(name: string): string {
  return JSON.stringify(name);
}
