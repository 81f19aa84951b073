import { randomUUID } from "node:crypto";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file as a whole: a new file beside it takes its place. So nobody reads half of one, and a full disk leaves what was there.
 * @param mode the permissions of the file. Default: those of any new file
 * @throws the system's error. Then nothing was written
 */
export function writeWholeFile(file: string, text: string, mode?: number): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode });
    // The umask of this process has taken some away.
    if (mode !== undefined) chmodSync(temporary, mode);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
