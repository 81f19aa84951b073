import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "../../provider/src/sandbox";
import { pulumiEnvironment } from "../../tools/tour/pulumi-environment";
import { StoredStack } from "../engine/harness/stored-stack";
import type { Contender } from "./contenders";
import { type Cost, measure } from "./measure";

const ROOT = join(__dirname, "..", "..");
const STACK = "bench";
const PLUGIN = { name: "previewenv", path: join(ROOT, "dist", "plugin") };

/** A folder of its own with one Pulumi project, an empty stack, backend and home: nothing of the user's. */
export class ProjectFolder implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "previewenv-bench-"));
  readonly #project = join(this.#root, "project");
  readonly #backend = join(this.#root, "backend");
  readonly #stack: StoredStack;
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;

  /** @param signal Ends what runs. */
  constructor({ name, program = name, skipCheckpoints }: Contender, service: Sandbox, signal: AbortSignal) {
    this.#signal = signal;
    for (const folder of ["backend", "home", "project"]) mkdirSync(join(this.#root, folder));
    const modules = join(this.#project, "node_modules");
    mkdirSync(join(modules, "@pulumi"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", "@pulumi", "pulumi"), join(modules, "@pulumi", "pulumi"), "junction");
    symlinkSync(ROOT, join(modules, "pulumi-previewenv"), "junction");
    copyFileSync(join(__dirname, "programs", `${program}.js`), join(this.#project, "index.js"));
    copyFileSync(join(__dirname, "programs", "declared.js"), join(this.#project, "declared.js"));
    writeFileSync(join(this.#project, "package.json"), JSON.stringify({ main: "index.js" }));
    // JSON is YAML.
    const project = { name: STACK, runtime: "nodejs", plugins: { providers: [PLUGIN] } };
    writeFileSync(join(this.#project, "Pulumi.yaml"), JSON.stringify(project));
    this.#stack = new StoredStack({ project: this.#project, backend: this.#backend, name: STACK, stack: STACK });
    const cli = process.env["PREVIEWENV_PULUMI_BIN"];
    this.#env = {
      PATH: [...(cli === undefined ? [] : [cli]), process.env["PATH"]].join(":"),
      HOME: this.#root,
      LC_ALL: "C",
      PREVIEWENV_BASE_URL: service.url,
      PREVIEWENV_API_TOKEN: service.token,
      ...pulumiEnvironment(join(this.#root, "home"), this.#backend),
      PULUMI_STACK: STACK,
      ...(skipCheckpoints && { PULUMI_SKIP_CHECKPOINTS: "true" }),
    };
  }

  /** Says what the program declares from now on. Stack config has the secrets that it takes from there. */
  declare(input: object, secrets: Readonly<Record<string, string>>): void {
    writeFileSync(join(this.#project, "input.json"), JSON.stringify(input));
    const config = Object.entries(secrets).map(([name, value]) => [`${STACK}:${name}`, value] as const);
    // Values stand there in plain: to decrypt them would cost every contender the same.
    this.#stack.configure(Object.fromEntries(config));
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
    const file = join(this.#backend, ".pulumi", "stacks", STACK, `${STACK}.json`);
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
