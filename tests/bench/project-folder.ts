import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cliEnvironment } from "./cli-environment";
import { type Cost, measure } from "./measure";

const ROOT = join(__dirname, "..", "..");

/** What a folder is made for. */
export interface ProjectFolderOptions {
  /** The file of the program; it reads `input.json`. */
  readonly program: string;
  /** Settings of the provider as environment variables. */
  readonly env: NodeJS.ProcessEnv;
  /** Whether the engine writes state at the end only. */
  readonly skipCheckpoints: boolean;
  /** Ends what runs. */
  readonly signal: AbortSignal;
}

/** A folder of its own with one Pulumi project, an empty stack, backend and home: nothing of the user's. */
export class ProjectFolder implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "previewenv-bench-"));
  readonly #project = join(this.#root, "project");
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;

  private constructor({ program, env, skipCheckpoints, signal }: ProjectFolderOptions) {
    this.#signal = signal;
    for (const name of ["backend", "home", "project"]) mkdirSync(join(this.#root, name));
    mkdirSync(join(this.#project, "node_modules", "@pulumi"), { recursive: true });
    for (const [target, name] of [
      [join(ROOT, "node_modules", "@pulumi", "pulumi"), join("@pulumi", "pulumi")],
      [ROOT, "pulumi-previewenv"],
    ] as const)
      symlinkSync(target, join(this.#project, "node_modules", name), "junction");
    copyFileSync(program, join(this.#project, "index.js"));
    writeFileSync(join(this.#project, "package.json"), JSON.stringify({ main: "index.js" }));
    writeFileSync(
      join(this.#project, "Pulumi.yaml"),
      "name: bench\nruntime: {name: nodejs, options: {typescript: false}}\n",
    );
    this.#env = { ...cliEnvironment(this.#root), ...env, ...(skipCheckpoints && { PULUMI_SKIP_CHECKPOINTS: "true" }) };
  }

  /** Makes the folder and its stack. */
  static async create(options: ProjectFolderOptions): Promise<ProjectFolder> {
    const folder = new ProjectFolder(options);
    try {
      await folder.run(["stack", "init", "bench"]);
      return folder;
    } catch (error) {
      folder[Symbol.dispose]();
      throw error;
    }
  }

  /** Says what the program declares from now on. */
  declare(input: object): void {
    writeFileSync(join(this.#project, "input.json"), JSON.stringify(input));
  }

  /** Runs the Pulumi CLI to its end. @throws when it fails */
  run(command: readonly string[]): Promise<Cost> {
    return measure(["pulumi", ...command, "--non-interactive"], {
      cwd: this.#project,
      env: this.#env,
      outputFile: join(this.#root, "output.txt"),
      signal: this.#signal,
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
