import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "../../provider/src/sandbox";
import { type Cost, measure } from "./measure";

const ROOT = join(__dirname, "..", "..");
const STACK = "bench";

/** What a folder is made for. */
interface ProjectFolderOptions {
  /** The name of a program of tests/bench/programs. It reads `input.json`. */
  readonly program: string;
  /** Where the provider sends its requests. */
  readonly service: Pick<Sandbox, "url" | "token">;
  /** What Pulumi.yaml has beside the name. */
  readonly project: object;
  /** Whether the engine writes state at the end only. Default: after each step. */
  readonly skipCheckpoints?: boolean;
  /** Ends what runs. */
  readonly signal: AbortSignal;
}

/** A folder of its own with one Pulumi project, an empty stack, backend and home: nothing of the user's. */
export class ProjectFolder implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "previewenv-bench-"));
  readonly #project = join(this.#root, "project");
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;

  private constructor({ program, service, project, skipCheckpoints, signal }: ProjectFolderOptions) {
    this.#signal = signal;
    for (const name of ["backend", "home", "project"]) mkdirSync(join(this.#root, name));
    mkdirSync(join(this.#project, "node_modules", "@pulumi"), { recursive: true });
    for (const [target, name] of [
      [join(ROOT, "node_modules", "@pulumi", "pulumi"), join("@pulumi", "pulumi")],
      [ROOT, "pulumi-previewenv"],
    ] as const)
      symlinkSync(target, join(this.#project, "node_modules", name), "junction");
    for (const [source, target] of [
      [program, "index"],
      ["declared", "declared"],
    ] as const)
      copyFileSync(join(__dirname, "programs", `${source}.js`), join(this.#project, `${target}.js`));
    writeFileSync(join(this.#project, "package.json"), JSON.stringify({ main: "index.js" }));
    // JSON is YAML.
    writeFileSync(join(this.#project, "Pulumi.yaml"), JSON.stringify({ name: "bench", runtime: "nodejs", ...project }));
    const cli = process.env["PREVIEWENV_PULUMI_BIN"];
    this.#env = {
      PATH: [...(cli === undefined ? [] : [cli]), process.env["PATH"]].join(":"),
      HOME: this.#root,
      LC_ALL: "C",
      PREVIEWENV_BASE_URL: service.url,
      PREVIEWENV_API_TOKEN: service.token,
      PULUMI_BACKEND_URL: `file://${join(this.#root, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "",
      PULUMI_HOME: join(this.#root, "home"),
      PULUMI_CREDENTIAL_STORE: "plaintext",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_SUPPRESS_NEO_LINK: "true",
      ...(skipCheckpoints === true && { PULUMI_SKIP_CHECKPOINTS: "true" }),
    };
  }

  /** Makes the folder and its stack. */
  static async create(options: ProjectFolderOptions): Promise<ProjectFolder> {
    const folder = new ProjectFolder(options);
    try {
      await folder.run(["stack", "init", STACK]);
      return folder;
    } catch (error) {
      folder[Symbol.dispose]();
      throw error;
    }
  }

  /** Says what the program declares from now on. Stack config has the secrets that it takes from there. */
  declare(input: object, secrets: Readonly<Record<string, string>> = {}): void {
    writeFileSync(join(this.#project, "input.json"), JSON.stringify(input));
    const file = join(this.#project, `Pulumi.${STACK}.yaml`);
    const [, encryptionsalt] = /"?encryptionsalt"?: *"?([^"\s]+)/u.exec(readFileSync(file, "utf8")) ?? [];
    const config = Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`bench:${name}`, value]));
    // Values stand there in plain: to decrypt them would cost every contender the same.
    writeFileSync(file, JSON.stringify({ encryptionsalt, config }));
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

  /** The size of the state in the backend's file. */
  get stateBytes(): number {
    const file = join(this.#root, "backend", ".pulumi", "stacks", "bench", `${STACK}.json`);
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
