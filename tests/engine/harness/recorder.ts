import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const EXECUTABLE_MODE = 0o755;

/** A program of another folder under the same name, which also writes all it prints into a file. */
export interface Recorder {
  /** Its folder; it does not exist before. */
  readonly folder: string;
  readonly program: string;
  /** The path of the real one. */
  readonly real: string;
  readonly file: string;
}

/** Writes the script. Needs bash. */
export function writeRecorder({ folder, program, real, file }: Recorder): void {
  mkdirSync(folder);
  const script = `#!/usr/bin/env bash\n"${real}" "$@" 2> >(tee -a "${file}" >&2) | tee -a "${file}"\n`;
  writeFileSync(join(folder, program), script);
  chmodSync(join(folder, program), EXECUTABLE_MODE);
}
