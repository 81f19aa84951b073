import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** Encrypts with the empty passphrase. */
const PASSPHRASE = { encryptionsalt: "v1:HA2SfDrOPSA=:v1:jATcHisQv4v2zuVZ:NMHRRdLq0DBRigsddZLodr9zcd3Xug==" };
/** The name of the key in the Vault of the specs. */
export const SECRETS_PROVIDER = "hashivault://engine-specs";
/** Encrypts with the key that the Vault gives for any text. */
const VAULT = { secretsprovider: SECRETS_PROVIDER, encryptedkey: "a2V5" };
const VERSION = 3;

const checkpointFile = z.looseObject({ checkpoint: z.looseObject({ latest: z.looseObject({}).optional() }) });
const exported = z.looseObject({ deployment: z.looseObject({}) });

/** Where a stack is. */
interface Place {
  /** The project's folder. */
  readonly project: string;
  /** The folder of the file backend. */
  readonly backend: string;
  /** The project's name. */
  readonly name: string;
  readonly stack: string;
  /** Whether its secrets have the key of a Vault, not of the empty passphrase. */
  readonly hasVault?: boolean;
}

/**
 * A stack's files: what `pulumi stack init`, `config set`, `stack export` and `stack import` do. Each call of the CLI would take a third of a
 * second of CPU time, and prove nothing.
 */
export class StoredStack {
  readonly #config: string;
  readonly #checkpoint: string;
  readonly #name: string;
  readonly #encryption: object;

  /** Makes an empty stack. */
  constructor({ project, backend, name, stack, hasVault = false }: Place) {
    const folder = join(backend, ".pulumi", "stacks", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(backend, ".pulumi", "meta.yaml"), "version: 1\n");
    this.#name = `organization/${name}/${stack}`;
    this.#checkpoint = join(folder, `${stack}.json`);
    this.#config = join(project, `Pulumi.${stack}.yaml`);
    this.#encryption = hasVault ? VAULT : PASSPHRASE;
    this.configure({});
    this.#write({});
  }

  /** Writes the stack's config. */
  configure(config: Readonly<Record<string, string>>): void {
    writeFileSync(this.#config, JSON.stringify({ ...this.#encryption, config }));
  }

  /** The size of the file with the state. */
  get bytes(): number {
    return statSync(this.#checkpoint).size;
  }

  export(): string {
    const { checkpoint } = checkpointFile.parse(JSON.parse(readFileSync(this.#checkpoint, "utf8")));
    return JSON.stringify({ version: VERSION, deployment: checkpoint.latest }, undefined, 2);
  }

  import(deployment: string): void {
    this.#write({ latest: exported.parse(JSON.parse(deployment)).deployment });
  }

  #write(state: { readonly latest?: object }): void {
    const text = JSON.stringify({ version: VERSION, checkpoint: { stack: this.#name, ...state } });
    writeFileSync(this.#checkpoint, text);
  }
}

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
