import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** Encrypts with the empty passphrase. */
const SALT = "v1:HA2SfDrOPSA=:v1:jATcHisQv4v2zuVZ:NMHRRdLq0DBRigsddZLodr9zcd3Xug==";
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
}

/**
 * A stack's files: what `pulumi stack init`, `config set`, `stack export` and `stack import` do. Each call of the CLI would take a third of a
 * second of CPU time, and prove nothing.
 */
export class StoredStack {
  readonly #config: string;
  readonly #checkpoint: string;
  readonly #name: string;

  /** Makes an empty stack. */
  constructor({ project, backend, name, stack }: Place) {
    const folder = join(backend, ".pulumi", "stacks", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(backend, ".pulumi", "meta.yaml"), "version: 1\n");
    this.#name = `organization/${name}/${stack}`;
    this.#checkpoint = join(folder, `${stack}.json`);
    this.#config = join(project, `Pulumi.${stack}.yaml`);
    this.configure({});
    this.#write({});
  }

  /** Writes the stack's config. */
  configure(config: Readonly<Record<string, string>>): void {
    writeFileSync(this.#config, JSON.stringify({ encryptionsalt: SALT, config }));
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
