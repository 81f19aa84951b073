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
import { cliEnvironment } from "./cli-environment";
import { type Contender, contenders, type Shape } from "./contenders";
import { type Cost, measure } from "./measure";

const ROOT = join(__dirname, "..", "..");
const STACK = "bench";

/** What a program is to declare. */
export interface Declaration {
  readonly environmentId: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly shape: Shape;
}

/** A folder of its own with one Pulumi project for each contender: own backend, own home, nothing of the user's. */
export class Workspace implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "previewenv-bench-"));
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;

  /**
   * @param service where the programs' providers send their requests
   * @param signal ends what runs
   */
  constructor(service: { readonly url: string; readonly token: string }, signal: AbortSignal) {
    this.#signal = signal;
    const packages = join(this.#root, "node_modules");
    mkdirSync(join(packages, "@pulumi"), { recursive: true });
    for (const name of ["backend", "home"]) mkdirSync(this.#folderOf(name));
    symlinkSync(join(ROOT, "node_modules", "@pulumi", "pulumi"), join(packages, "@pulumi", "pulumi"), "junction");
    symlinkSync(ROOT, join(packages, "pulumi-previewenv"), "junction");
    for (const contender of contenders) this.#addProject(contender);
    this.#env = {
      ...cliEnvironment(this.#root),
      PREVIEWENV_BASE_URL: service.url,
      PREVIEWENV_API_TOKEN: service.token,
    };
  }

  /** Makes the contender's stack, empty. */
  async makeStack(contender: Contender): Promise<void> {
    await this.run(contender, ["stack", "init", STACK]);
  }

  /** Takes the contender's stack away, with all that its state still holds. */
  async removeStack(contender: Contender): Promise<void> {
    await this.run(contender, ["stack", "rm", "--yes", "--force", STACK]);
  }

  /** Says what the contender's program declares from now on. */
  declare(contender: Contender, declaration: Declaration): void {
    writeFileSync(this.#inputOf(contender), JSON.stringify(declaration));
    const file = join(this.#folderOf(contender), `Pulumi.${STACK}.yaml`);
    const [, encryptionsalt] = /"?encryptionsalt"?: *"?([^"\s]+)/u.exec(readFileSync(file, "utf8")) ?? [];
    const { secrets, shape } = declaration;
    const given = shape === "object" ? { secrets: JSON.stringify(secrets) } : shape === "literal" ? {} : secrets;
    const entries = Object.entries(given).map(([name, value]) => [`${projectOf(contender)}:${name}`, value]);
    // JSON is YAML. Values stand there in plain: to decrypt them would cost every contender the same.
    writeFileSync(file, JSON.stringify({ encryptionsalt, config: Object.fromEntries(entries) }));
  }

  /** Runs the Pulumi CLI in the contender's project. */
  run(contender: Contender, command: readonly string[]): Promise<Cost> {
    return measure(["pulumi", ...command, "--non-interactive"], {
      cwd: this.#folderOf(contender),
      env: { ...this.#env, BENCH_INPUT: this.#inputOf(contender) },
      outputFile: join(this.#root, "output.txt"),
      signal: this.#signal,
    });
  }

  /** Bytes of the contender's state: the file of the backend, and what `pulumi stack export` writes. */
  async stateBytes(contender: Contender): Promise<{ readonly file: number; readonly exported: number }> {
    const exported = join(this.#root, "exported.json");
    await this.run(contender, ["stack", "export", "--file", exported]);
    const file = join(this.#root, "backend", ".pulumi", "stacks", projectOf(contender), `${STACK}.json`);
    return { file: statSync(file).size, exported: statSync(exported).size };
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #addProject(contender: Contender): void {
    const folder = this.#folderOf(contender);
    mkdirSync(folder);
    for (const [source, target] of [
      [contender, "index"],
      ["declared", "declared"],
    ])
      copyFileSync(join(__dirname, "programs", `${source}.js`), join(folder, `${target}.js`));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ main: "index.js" }));
    const plugins = { providers: [{ name: "previewenv", path: join(ROOT, "dist", "plugin") }] };
    // JSON is YAML.
    const project = { name: projectOf(contender), runtime: "nodejs", ...(contender === "native" && { plugins }) };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(project));
  }

  #folderOf(name: string): string {
    return join(this.#root, name);
  }

  #inputOf(contender: Contender): string {
    return join(this.#folderOf(contender), "input.json");
  }
}

function projectOf(contender: Contender): string {
  return `bench-${contender}`;
}
