import { readdirSync, readFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Shortest piece of a secret that may not be seen. The mask of the service shows shorter ones, two characters at each end. */
const PIECE = 8;

/** The pieces by which a leak of a secret is recognised: its lines, and their JSON form. */
export function pieces(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/u).filter((line) => line.length >= PIECE);
  return [...new Set(lines.flatMap((line) => [line, JSON.stringify(line).slice(1, -1), encodeURIComponent(line)]))];
}

/** Which secrets a text shows. */
export function leaked(text: string, secrets: readonly string[]): readonly string[] {
  return secrets.filter((secret) => pieces(secret).some((piece) => text.includes(piece)));
}

/** Everything in the files below some folders. */
export function contents(folders: readonly string[]): readonly { readonly file: string; readonly text: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ file, text: readFileSync(file, "latin1") })),
  );
}

const EXECUTABLE_MODE = 0o755;

/** A program of another folder under the same name, which also writes all it prints into a file. */
export interface Recorder {
  /** Its folder. It does not exist before. */
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
