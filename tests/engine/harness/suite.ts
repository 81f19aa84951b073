import { createServer } from "node:http";
import { type EnvironmentSeed, type Sandbox, type SandboxOptions, startSandbox } from "../../../provider/src/sandbox";
import { listen } from "../../support/listen";
import { Project, type ProjectOptions } from "./project";

/** Against hanging only: one test of this folder makes some calls of the CLI, each of which has a limit of its own. */
const TEST_MS = 1_200_000;

export const ENDLESS_SECONDS = 3600;

const BUILD_SECONDS = 0.2;
const POLL_MS = 10;
const DEADLINE_MS = 300_000;

/** What a Vault answers who wants a key decrypted, or a new one. The 32 bytes are in base64. */
const KEY = JSON.stringify({ data: { plaintext: Buffer.alloc(32, 7).toString("base64"), ciphertext: "key" } });

/** What every spec of this folder works with: one sandbox, and projects that are removed at the end. */
export class Engine {
  #sandbox: Sandbox | undefined;
  /** Has the keys of all stacks: to make a key of a passphrase takes each call of the CLI a quarter of a second of CPU time. */
  readonly #vault = createServer((_request, response) => response.end(KEY));
  #vaultAddress = "";
  readonly #projects: Project[] = [];
  #environments = 0;

  get sandbox(): Sandbox {
    if (this.#sandbox === undefined) throw new Error("the sandbox runs only while the tests of its suite do");
    return this.#sandbox;
  }

  async open(options: SandboxOptions): Promise<void> {
    this.#sandbox = await startSandbox({ buildSeconds: BUILD_SECONDS, ...options });
    this.#vaultAddress = `http://127.0.0.1:${await listen(this.#vault)}`;
  }

  async close(): Promise<void> {
    for (const project of this.#projects) project[Symbol.dispose]();
    this.#vault.close();
    await this.#sandbox?.close();
  }

  async project(options: ProjectOptions = {}): Promise<Project> {
    const project = Project.create(this.sandbox, { vault: this.#vaultAddress, ...options });
    this.#projects.push(project);
    return project;
  }

  /** Adds an environment of the repositories `web` and `api`, both on `main`. Returns its id. */
  environment(seed: Partial<EnvironmentSeed> = {}): string {
    this.#environments += 1;
    const projects = [
      { repoName: "web", branch: "main" },
      { repoName: "api", branch: "main" },
    ];
    return this.sandbox.world.environments.add({ name: `env-${this.#environments}`, projects, ...seed }).id;
  }

  values(environmentId: string): Record<string, string> {
    return Object.fromEntries(this.sandbox.world.variables(environmentId).map(({ name, value }) => [name, value]));
  }

  /** How many requests of each kind an action causes, of one environment or of all. */
  async requests(action: () => Promise<unknown>, environmentId?: string): Promise<Record<string, number>> {
    const mark = this.sandbox.journal.mark();
    await action();
    return this.counts(mark, environmentId);
  }

  /** How many requests of each kind came since a mark of the journal, of one environment or of all. */
  counts(mark: number, environmentId?: string): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const entry of this.sandbox.journal.since(mark)) {
      if (environmentId !== undefined && entry.environmentId !== environmentId) continue;
      counts[entry.label] = (counts[entry.label] ?? 0) + 1;
    }
    return counts;
  }

  /** The requests of an action that are no reads, in their order, of one environment or of all. */
  async written(action: () => Promise<unknown>, environmentId?: string): Promise<readonly string[]> {
    const mark = this.sandbox.journal.mark();
    await action();
    return this.sandbox.journal
      .since(mark)
      .filter((entry) => entry.method !== "GET" && (environmentId ?? entry.environmentId) === entry.environmentId)
      .map(({ label }) => label);
  }

  /** The names that an action sends, one sorted list for each PUT. */
  async sent(action: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
    const mark = this.sandbox.journal.mark();
    await action();
    const puts = this.sandbox.journal.since(mark).filter(({ label }) => label === "PUT /env-vars");
    return puts.map(({ names = [] }) => names.toSorted());
  }
}

/** Opens an engine for a suite, and closes it. */
export function useEngine(suite: Mocha.Suite, options: SandboxOptions = {}): Engine {
  suite.timeout(TEST_MS);
  const engine = new Engine();
  before(() => engine.open(options));
  after(() => engine.close());
  return engine;
}

/** Waits until something that cannot be listened to is so. @throws after five minutes. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited five minutes in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
