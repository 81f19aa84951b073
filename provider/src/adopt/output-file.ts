import { statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../command/mistake";

/** @throws UsageError when a file exists and may not be replaced, or cannot be written */
export function checkOutput(name: string, force: boolean): void {
  const shown = JSON.stringify(name);
  const stats = statSync(name, { throwIfNoEntry: false });
  if (stats === undefined ? /[/\\]$/u.test(name) : !stats.isFile())
    throw new UsageError(`--output must be a file, but ${shown} is not one`);
  if (stats !== undefined && !force) throw new UsageError(`--output: ${shown} exists already; --force replaces it`);
  const folder = dirname(name);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--output: there is no folder ${JSON.stringify(folder)}`);
}

/** Writes the file that a command was asked for. @throws UsageError as `checkOutput` */
export function writeOutput(name: string, force: boolean, text: string): void {
  checkOutput(name, force);
  writeFileSync(name, text, { flag: force ? "w" : "wx" });
}
