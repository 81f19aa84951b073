import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Writes a file as a whole: a new file beside it takes its place. So nobody reads half of one, and a full disk leaves what was there.
 * A symbolic link stays, and the file that it leads to is written.
 * @param mode the permissions of the file. Default: those of any new file
 * @throws the system's error. Then nothing was written
 */
export function writeWholeFile(file: string, text: string, mode?: number): void {
  const place = targetOf(file);
  const temporary = `${place}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode });
    // The umask of this process has taken some away.
    if (mode !== undefined) chmodSync(temporary, mode);
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The file that a symbolic link leads to, there or not. Any other path as it is. */
export function targetOf(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file;
  return existsSync(file) ? realpathSync(file) : resolve(dirname(file), readlinkSync(file));
}
