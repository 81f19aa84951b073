import { MS_PER_SECOND } from "../../provider/src/client/clock";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import {
  commands,
  type Contender,
  contenders,
  makeSecrets,
  onePerVariable,
  type Operation,
  operations,
} from "./contenders";
import type { Plan } from "./plan";
import { trafficOf } from "./requests";
import type { Sample, StateSize } from "./results";
import { Workspace } from "./workspace";

/** From this size on one resource a variable runs once and without latency: it takes minutes. */
const SLOW_SIZE = 1000;

interface Scenario {
  readonly latencyMs: number;
  readonly size: number;
  readonly round: number;
}

/** Runs the CLI, contender after contender for each operation, so that a noisy moment meets all of them. */
export class Runner implements AsyncDisposable {
  readonly samples: Sample[] = [];
  readonly states: StateSize[] = [];
  readonly #plan: Plan;
  readonly #sandbox: Sandbox;
  readonly #workspace: Workspace;
  readonly #environments: ReadonlyMap<Contender, string>;
  readonly #tell: (line: string) => void;

  private constructor(plan: Plan, sandbox: Sandbox, tell: (line: string) => void, signal: AbortSignal) {
    this.#plan = plan;
    this.#sandbox = sandbox;
    this.#workspace = new Workspace(sandbox, signal);
    this.#tell = tell;
    const add = (name: string) =>
      sandbox.world.environments.add({ name, projects: [{ repoName: "web", branch: "main" }] });
    this.#environments = new Map(contenders.map((contender) => [contender, add(contender).id]));
  }

  /** Starts a sandbox and makes the projects; `tell` gets lines of progress, `signal` ends what runs. */
  static async start(plan: Plan, tell: (line: string) => void, signal: AbortSignal): Promise<Runner> {
    const runner = new Runner(plan, await startSandbox(), tell, signal);
    try {
      for (const contender of new Set<Contender>(["floor", ...plan.contenders]))
        await runner.#workspace.makeStack(contender);
      return runner;
    } catch (error) {
      await runner[Symbol.asyncDispose]();
      throw error;
    }
  }

  async run(): Promise<void> {
    const { latenciesMs, sizes, pairs, contenders: chosen, isQuick } = this.#plan;
    const [firstMs] = latenciesMs;
    const emptyState = await this.#emptyState();
    for (const latencyMs of latenciesMs) {
      this.#sandbox.faults.clear();
      if (latencyMs > 0) this.#sandbox.faults.add({ delayMs: latencyMs, times: Infinity });
      for (const size of sizes) {
        for (let round = isQuick ? 1 : 0; round <= pairs; round++) {
          const isFirst = round === (isQuick ? 1 : 0) && latencyMs === firstMs;
          const running = chosen.filter((one) => !onePerVariable.has(one) || size < SLOW_SIZE || isFirst);
          // What runs first finds the machine as the last one left it.
          const ordered = round % 2 === 0 ? running : running.toReversed();
          if (running.length > 0)
            await this.#life({ latencyMs, size, round }, ordered, isFirst ? emptyState : undefined);
        }
      }
    }
  }

  /** Bytes of the floor's state without variables; taken off every other state. */
  async #emptyState(): Promise<{ readonly file: number; readonly exported: number }> {
    this.#declare("floor", {});
    await this.#workspace.run("floor", commands.create);
    const bytes = await this.#workspace.stateBytes("floor");
    await this.#workspace.run("floor", commands.destroy);
    return bytes;
  }

  /** A stack's life, from create to destroy. */
  async #life(
    scenario: Scenario,
    running: readonly Contender[],
    empty: { readonly file: number; readonly exported: number } | undefined,
  ): Promise<void> {
    const { size, latencyMs, round } = scenario;
    for (const operation of operations) {
      // A change of one variable shows what a quick look can show.
      if (this.#plan.isQuick && operation === "change all") continue;
      const cpu: string[] = [];
      for (const contender of running) {
        const sample = await this.#perform(contender, operation, scenario);
        this.samples.push(sample);
        cpu.push(`${contender} ${(sample.cost.cpuMs / MS_PER_SECOND).toFixed(2)} s`);
        if (operation !== "create" || empty === undefined) continue;
        const { file, exported } = await this.#workspace.stateBytes(contender);
        const [fileBytes, exportedBytes] = [(file - empty.file) / size, (exported - empty.exported) / size];
        this.states.push({ size, contender, fileBytes, exportedBytes });
      }
      this.#tell(`${latencyMs} ms, N = ${size}, round ${round}: ${operation}: ${cpu.join(", ")}`);
    }
  }

  async #perform(contender: Contender, operation: Operation, { size, latencyMs, round }: Scenario): Promise<Sample> {
    if (operation === "first preview") this.#declare(contender, makeSecrets(size, 0, 0));
    if (operation === "change 1") this.#declare(contender, makeSecrets(size, 1, 1));
    if (operation === "change all") this.#declare(contender, makeSecrets(size, size, 2));
    const { journal } = this.#sandbox;
    journal.clear();
    const cost = await this.#workspace.run(contender, commands[operation]);
    return { latencyMs, size, contender, operation, round, cost, traffic: trafficOf(journal) };
  }

  #declare(contender: Contender, secrets: Readonly<Record<string, string>>): void {
    this.#workspace.declare(contender, {
      environmentId: this.#environments.get(contender) ?? "",
      secrets,
      shape: this.#plan.shape,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#workspace[Symbol.dispose]();
    await this.#sandbox.close();
  }
}
