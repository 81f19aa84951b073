import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = resolve(__dirname, "..", "..");
const LINE_END = "\n";

/** The name that the engine looks for. */
export const PROGRAM = "pulumi-resource-previewenv";

/** What a process has printed until now, and how it ended. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  /** `undefined` while it runs. */
  readonly code: number | null | undefined;
}

/** A module of tools/package. It is plain JavaScript, so the caller says which of its functions it uses. */
export async function load<Module>(name: string): Promise<Module> {
  return import(pathToFileURL(join(ROOT, "tools", "package", name)).href);
}

/** A package that the bundle contains. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
}

/** Bundles the plugin of these sources into a folder, and gives what is in it. */
export async function bundleInto(folder: string): Promise<readonly Bundled[]> {
  const { bundlePlugin } = await load<{ bundlePlugin: (folder: string) => Promise<readonly Bundled[]> }>("bundle.mjs");
  return bundlePlugin(folder);
}

/** A folder of its own, with a space in its name. */
export class Scratch implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "previewenv plugin-"));

  /** Makes a folder inside. */
  make(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A plugin that a spec starts as the engine does, with the address of an engine (none is there) as its argument. */
export class Launched {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #stdout = "";
  #stderr = "";
  #code: number | null | undefined;

  constructor(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(program, [...args, "127.0.0.1:1"], { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child.stdout?.on("data", (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.#child.stderr?.on("data", (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.#ended = new Promise((settle, fail) => {
      this.#child.once("error", fail);
      this.#child.once("close", (code) => settle((this.#code = code)));
    });
  }

  get output(): Output {
    return { stdout: this.#stdout, stderr: this.#stderr, code: this.#code };
  }

  /** Settles with the first whole line of stdout. @throws when the process ends before, with what it has printed. */
  async firstLine(): Promise<string> {
    const printed = new Promise<string>((settle) => {
      const look = (): void => {
        const end = this.#stdout.indexOf(LINE_END);
        if (end >= 0) settle(this.#stdout.slice(0, end));
      };
      this.#child.stdout?.on("data", look);
      look();
    });
    const ended = this.#ended.then(() => {
      throw new Error(`the plugin ended before it printed a line: ${JSON.stringify(this.output)}`);
    });
    return Promise.race([printed, ended]);
  }

  /** Waits for the end. */
  async end(): Promise<Output> {
    await this.#ended;
    return this.output;
  }

  /** Ends it as the engine does, and waits. */
  async interrupt(): Promise<Output> {
    this.#child.kill("SIGINT");
    return this.end();
  }
}
