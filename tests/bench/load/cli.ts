import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure } from "../measure";
import type { Shape } from "./plan";
import type { LoadSample } from "./sample";
import { LoadService } from "./service";
import { loadVariables } from "./variables";

const ROOT = join(__dirname, "..", "..", "..");
const UP = ["up", "--yes", "--skip-preview"];
/** Commands of a stack's life; the generation is that of the values which the program declares. */
const LIFE: readonly {
  readonly operation: string;
  readonly command: readonly string[];
  readonly generation: number;
}[] = [
  { operation: "create", command: UP, generation: 0 },
  { operation: "no change", command: UP, generation: 0 },
  { operation: "refresh", command: ["refresh", "--yes", "--skip-preview"], generation: 0 },
  { operation: "change all", command: UP, generation: 1 },
  { operation: "destroy", command: ["destroy", "--yes", "--skip-preview"], generation: 1 },
];

/** How the CLI is run. */
export interface CliOptions {
  readonly signal: AbortSignal;
  /** Whether the engine writes state at the end only. */
  readonly skipCheckpoints: boolean;
}

/** The life of so many variables with the Pulumi CLI: engine, language host, program and provider together. */
export async function measureCli(shape: Shape, size: number, options: CliOptions): Promise<readonly LoadSample[]> {
  await using service = await LoadService.start();
  using folder = new LoadFolder(service, options);
  await folder.run(["stack", "init", "load"]);
  const samples: LoadSample[] = [];
  for (const { operation, command, generation } of LIFE) {
    folder.declare(shape, service.environmentId, loadVariables(size, generation));
    const { cpuMs, wallMs, providerBytes: peakBytes } = await folder.run(command);
    samples.push({ shape, size, operation, cpuMs, wallMs, peakBytes, ...service.traffic() });
  }
  return samples;
}

/** A folder of its own with one Pulumi project, backend and home. */
class LoadFolder implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "previewenv-load-"));
  readonly #project = join(this.#root, "project");
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;

  constructor(service: LoadService, { signal, skipCheckpoints }: CliOptions) {
    this.#signal = signal;
    for (const name of ["backend", "home", "project"]) mkdirSync(join(this.#root, name));
    mkdirSync(join(this.#project, "node_modules", "@pulumi"), { recursive: true });
    for (const [target, name] of [
      [join(ROOT, "node_modules", "@pulumi", "pulumi"), join("@pulumi", "pulumi")],
      [ROOT, "pulumi-previewenv"],
    ] as const)
      symlinkSync(target, join(this.#project, "node_modules", name), "junction");
    copyFileSync(join(__dirname, "program.js"), join(this.#project, "index.js"));
    writeFileSync(join(this.#project, "package.json"), JSON.stringify({ main: "index.js" }));
    writeFileSync(
      join(this.#project, "Pulumi.yaml"),
      "name: load\nruntime: {name: nodejs, options: {typescript: false}}\n",
    );
    const cli = process.env["PREVIEWENV_PULUMI_BIN"];
    this.#env = {
      PATH: [...(cli === undefined ? [] : [cli]), process.env["PATH"]].join(":"),
      HOME: this.#root,
      LC_ALL: "C",
      ...service.env,
      PULUMI_BACKEND_URL: `file://${join(this.#root, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "",
      PULUMI_HOME: join(this.#root, "home"),
      PULUMI_CREDENTIAL_STORE: "plaintext",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_SUPPRESS_NEO_LINK: "true",
      ...(skipCheckpoints && { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }),
    };
  }

  declare(shape: Shape, environmentId: string, variables: object): void {
    writeFileSync(join(this.#project, "input.json"), JSON.stringify({ shape, environmentId, ...variables }));
  }

  run(command: readonly string[]): ReturnType<typeof measure> {
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
