import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Sandbox } from "../../../provider/src/sandbox";
import { isolated, type Run, start, startPulumi, type Started } from "./cli";
import { anyLanguage, type Language } from "./languages";
import type { Program } from "./program";
import { contents, leaked, NAME, STACK, StoredStack } from "./stored-stack";

const MAIN = join(__dirname, "..", "..", "..", "dist", "provider", "src", "main.js");

const storedResource = z.looseObject({
  urn: z.string(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  initErrors: z.array(z.string()).optional(),
});
const exported = z.looseObject({ deployment: z.looseObject({ resources: z.array(storedResource) }) });

export interface ProjectOptions {
  /** Default: anyLanguage. */
  readonly language?: Language;
  /** Added to Pulumi.yaml, as JSON. */
  readonly settings?: object;
  /** More environment variables. `undefined` takes one away. */
  readonly env?: NodeJS.ProcessEnv;
  /** The address of a Vault that has the key of the stack. Default: the stack has the empty passphrase. */
  readonly vault?: string;
}

/** A Pulumi project of its own: folder, home, file backend and stack, with a sandbox's address and token in its environment. */
export class Project implements Disposable {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly runs: Run[] = [];
  readonly #temporary: string;
  readonly #settings: object;
  readonly #stack: StoredStack;
  #language: Language;

  private constructor(temporary: string, { language = anyLanguage(), settings = {}, env = {}, vault }: ProjectOptions) {
    this.#temporary = temporary;
    this.#language = language;
    this.#settings = settings;
    this.folder = join(temporary, "project");
    const [home, backend] = [join(temporary, "home"), join(temporary, "backend")];
    for (const folder of [home, backend, this.folder]) mkdirSync(folder);
    this.env = {
      ...isolated(home, backend),
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_STACK: STACK,
      ...language.env,
      ...env,
    };
    if (vault !== undefined) Object.assign(this.env, { VAULT_SERVER_URL: vault, VAULT_SERVER_TOKEN: "any" });
    this.#stack = new StoredStack(this.folder, backend, vault !== undefined);
    language.prepare(this.folder);
    this.write({ resources: [] });
  }

  static create(sandbox: Sandbox, options: ProjectOptions = {}): Project {
    const env = { PREVIEWENV_BASE_URL: sandbox.url, PREVIEWENV_API_TOKEN: sandbox.token, ...options.env };
    return new Project(mkdtempSync(join(tmpdir(), "previewenv-engine-")), { ...options, env });
  }

  /** Writes the next programs of the same stack in another language. */
  speak(language: Language): void {
    this.#language = language;
    Object.assign(this.env, language.env);
    language.prepare(this.folder);
  }

  get stores(): readonly string[] {
    return [join(this.#temporary, "backend"), join(this.#temporary, "home")];
  }

  write(program: Program): void {
    // JSON is YAML.
    const project = { name: NAME, ...this.#language.settings(program), ...this.#settings };
    writeFileSync(join(this.folder, "Pulumi.yaml"), JSON.stringify(project));
    writeFileSync(join(this.folder, "program.json"), JSON.stringify(program));
  }

  /** Calls `pulumi-previewenv` in the project's folder, with more environment variables, whatever comes of it. */
  async command(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
    const place = { folder: this.folder, env: { ...this.env, ...env } };
    const run = await start(place, process.execPath, [MAIN, ...args]).done;
    this.runs.push(run);
    return run;
  }

  start(...args: readonly string[]): Started {
    return startPulumi({ folder: this.folder, env: this.env }, args);
  }

  async run(...args: readonly string[]): Promise<Run> {
    const run = await this.start(...args).done;
    this.runs.push(run);
    return run;
  }

  async succeed(...args: readonly string[]): Promise<Run> {
    return this.end(0, ...args);
  }

  /** Calls the CLI. @throws when the exit code is another one, with everything that was printed. */
  async end(code: number, ...args: readonly string[]): Promise<Run> {
    const run = await this.run(...args);
    if (run.code !== code)
      throw new Error(`pulumi ${args.join(" ")} ended with ${run.code} instead of ${code}:\n${run.text}`);
    return run;
  }

  up(...args: readonly string[]): Promise<Run> {
    return this.succeed("up", "--yes", "--skip-preview", ...args);
  }

  failedUp(...args: readonly string[]): Promise<Run> {
    return this.end(1, "up", "--yes", "--skip-preview", ...args);
  }

  preview(...args: readonly string[]): Promise<Run> {
    return this.succeed("preview", ...args);
  }

  refresh(...args: readonly string[]): Promise<Run> {
    return this.succeed("refresh", "--yes", "--skip-preview", ...args);
  }

  destroy(...args: readonly string[]): Promise<Run> {
    return this.succeed("destroy", "--yes", "--skip-preview", ...args);
  }

  /** `refresh --preview-only --expect-no-changes`: the code is 7 when there is drift, and 0 when there is none. */
  drift(): Promise<Run> {
    return this.run("refresh", "--preview-only", "--expect-no-changes");
  }

  /** Sets plain values of stack config, as `pulumi config set` does. */
  configure(config: Readonly<Record<string, string>>): void {
    this.#stack.configure(config);
  }

  /** Selects the stack as users do, for what looks at the selection. */
  async select(): Promise<void> {
    delete this.env["PULUMI_STACK"];
    await this.succeed("stack", "select", STACK);
  }

  get stateBytes(): number {
    return this.#stack.bytes;
  }

  /** The deployment as text, as `pulumi stack export` gives it: secrets are encrypted. */
  export(): string {
    return this.#stack.export();
  }

  /** Replaces the stack's state by an exported deployment, as `pulumi stack import` does. */
  restore(deployment: string): void {
    this.#stack.import(deployment);
  }

  /** Which of these secrets a command has printed, or a file of the stores has, each with the place. */
  leaks(secrets: readonly string[]): readonly string[] {
    const printed = this.runs.map(({ args, text }) => ({ place: args.join(" "), text }));
    const stored = contents(this.stores).map(({ file, text }) => ({ place: file, text }));
    return [...printed, ...stored].flatMap(({ place, text }) =>
      leaked(text, secrets).map((secret) => `${place}: ${secret}`),
    );
  }

  /** A resource of the stack by its name, as exported. @throws when there is none. */
  resource(name: string): z.output<typeof storedResource> {
    const { deployment } = exported.parse(JSON.parse(this.export()));
    const found = deployment.resources.find(({ urn }) => urn.endsWith(`::${name}`));
    if (found === undefined) throw new Error(`the stack has no resource ${name}`);
    return found;
  }

  [Symbol.dispose](): void {
    rmSync(this.#temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}
