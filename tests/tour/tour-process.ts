import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findProgram } from "../../tools/generate/sdks/programs";
import { TYPESCRIPT } from "../support/typescript";

const ROOT = resolve(__dirname, "..", "..");
const COMMAND = [...TYPESCRIPT, "tools/tour/main.ts"];

/** How a tour ended, and what it printed: both streams, in the order in which they came. */
export interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

/** `npm run tour` as a process of its own, with a temporary folder of its own. */
export class TourProcess implements Disposable {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), "previewenv-tour-spec-"));
  #output = "";
  #onOutput: () => void = () => undefined;

  /** @param settings Of the provider. Those of this process, and its coverage, stay out. */
  constructor(args: readonly string[] = [], settings: NodeJS.ProcessEnv = {}) {
    const {
      NODE_V8_COVERAGE: _coverage,
      PREVIEWENV_BASE_URL: _url,
      PREVIEWENV_API_TOKEN: _token,
      ...env
    } = process.env;
    this.#child = spawn(process.execPath, [...COMMAND, ...args], {
      cwd: ROOT,
      env: { ...env, ...settings, TMPDIR: this.#folder, TEMP: this.#folder, TMP: this.#folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
        this.#onOutput();
      });
    }
    this.ended = new Promise((settle) => {
      this.#child.once("close", (exitCode) => settle({ exitCode, output: this.#output }));
    });
  }

  /** Resolves as soon as the tour has printed a text. Rejects when it ends without. */
  printed(text: string): Promise<void> {
    return new Promise((settle, fail) => {
      this.#onOutput = () => {
        if (this.#output.includes(text)) settle();
      };
      this.#onOutput();
      void this.ended.then(({ output }) => fail(new Error(`the tour ended without "${text}":\n${output}`)));
    });
  }

  interrupt(): void {
    this.#child.kill("SIGINT");
  }

  /** The folders for the CLI that the tour has made and not removed. */
  get leftFolders(): readonly string[] {
    return readdirSync(this.#folder).filter((name) => name.startsWith("previewenv-tour-"));
  }

  [Symbol.dispose](): void {
    // Its handler of SIGTERM ends the CLI too.
    if (this.#child.exitCode === null) this.#child.kill("SIGTERM");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Files of stacks in the checkout: a tour must leave none. */
export function stackFiles(): readonly string[] {
  return [ROOT, join(ROOT, "examples", "quickstart")].flatMap((folder) =>
    readdirSync(folder).filter((name) => /^Pulumi\..+\.yaml$/u.test(name)),
  );
}

/** Whether there is a Pulumi CLI to run the tour with. */
export function hasPulumi(): boolean {
  return findProgram("pulumi") !== undefined;
}
