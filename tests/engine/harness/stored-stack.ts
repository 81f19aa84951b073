import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const PASSPHRASE = { encryptionsalt: "v1:HA2SfDrOPSA=:v1:jATcHisQv4v2zuVZ:NMHRRdLq0DBRigsddZLodr9zcd3Xug==" };
/** The name of the key in the Vault of the specs. */
export const SECRETS_PROVIDER = "hashivault://engine-specs";
/** Encrypts with the key that the Vault gives for any text. */
const VAULT = { secretsprovider: SECRETS_PROVIDER, encryptedkey: "a2V5" };
const VERSION = 3;

const checkpointFile = z.looseObject({ checkpoint: z.looseObject({ latest: z.looseObject({}).optional() }) });
const exported = z.looseObject({ deployment: z.looseObject({}) });

/** The name of every project, and that of its stack. */
export const NAME = "engine-specs";
export const STACK = "dev";

/**
 * A stack's files: what `pulumi stack init`, `config set`, `stack export` and `stack import` do. Each call of the CLI would take a third of a
 * second of CPU time, and prove nothing.
 */
export class StoredStack {
  readonly #config: string;
  readonly #checkpoint: string;
  readonly #encryption: object;

  /** Makes an empty stack in the folders of a project and of a file backend. Its secrets have the key of a Vault, or the empty passphrase. */
  constructor(project: string, backend: string, hasVault: boolean) {
    const folder = join(backend, ".pulumi", "stacks", NAME);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(backend, ".pulumi", "meta.yaml"), "version: 1\n");
    this.#checkpoint = join(folder, `${STACK}.json`);
    this.#config = join(project, `Pulumi.${STACK}.yaml`);
    this.#encryption = hasVault ? VAULT : PASSPHRASE;
    this.configure({});
    this.#write({});
  }

  configure(config: Readonly<Record<string, string>>): void {
    writeFileSync(this.#config, JSON.stringify({ ...this.#encryption, config }));
  }

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
    const text = JSON.stringify({ version: VERSION, checkpoint: { stack: `organization/${NAME}/${STACK}`, ...state } });
    writeFileSync(this.#checkpoint, text);
  }
}

/** Shortest piece of a secret that may not be seen. The mask of the service shows shorter ones, two characters at each end. */
const PIECE = 8;

/** The pieces by which a leak of a secret is recognised: its lines, and their JSON form. */
function pieces(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/u).filter((line) => line.length >= PIECE);
  return lines.flatMap((line) => [line, JSON.stringify(line).slice(1, -1), encodeURIComponent(line)]);
}

export function leaked(text: string, secrets: readonly string[]): readonly string[] {
  return secrets.filter((secret) => pieces(secret).some((piece) => text.includes(piece)));
}

export function contents(folders: readonly string[]): readonly { readonly file: string; readonly text: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ file, text: readFileSync(file, "latin1") })),
  );
}
