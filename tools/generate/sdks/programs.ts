import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const SUFFIX = process.platform === "win32" ? ".exe" : "";

/** Where a program is on PATH, which begins with the Pulumi CLI that the set-up has made. `undefined`: nowhere. */
export function findProgram(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name + SUFFIX))
    .find(isExecutable);
}

/** Whether a file is there that this process may start. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
