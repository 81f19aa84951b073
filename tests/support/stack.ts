import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { EngineModel } from "./engine-model";
import { imported, type Operation, type Program, type Run, type RunOptions, type Stored } from "./engine-steps";
import { type Phase, type Provider, ProviderFailure } from "./host";

export interface UpOptions extends Omit<RunOptions, "inTurn"> {
  /** All steps at once, as the engine does for resources that do not depend on each other. */
  readonly parallel?: boolean;
}

/** A run that showed errors: the message lists them. */
class FailedRun extends Error {
  readonly run: Run;

  constructor(run: Run) {
    super(run.errors.join("\n"));
    this.run = run;
  }
}

/** What a run did that has to show errors. @throws when it shows none */
export async function failing(running: Promise<Run>): Promise<Run> {
  const outcome = await running.catch((error: unknown) => error);
  if (outcome instanceof FailedRun) return outcome.run;
  throw outcome instanceof Error ? outcome : new Error("the run shows no error");
}

/** The errors of a run that has to show some, as one text. */
export async function errorsOf(running: Promise<Run>): Promise<string> {
  return (await failing(running)).errors.join("\n");
}

/** A run that has to change nothing: it finds each resource as it is declared, or, a refresh, as state has it. */
export async function quiet(running: Promise<Run>): Promise<void> {
  const { operations, paths } = await running;
  expect(operations).not.to.deep.equal({});
  const isChange = ([, operation]: readonly [string, Operation]): boolean => !["same", "refresh"].includes(operation);
  const changes = Object.fromEntries(Object.entries(operations).filter(isChange));
  expect([changes, Object.values(paths).flat()]).to.deep.equal([{}, []]);
}

/** The stack of a scenario: the engine model, and what else a program or its user asks of a provider. A run that shows an error throws. */
export class Stack extends EngineModel {
  readonly #start: (phase: Phase) => Promise<Provider>;
  #running: Provider | undefined;

  constructor(start: (phase: Phase) => Promise<Provider>) {
    super(async (phase) => (this.#running = await start(phase)));
    this.#start = start;
  }

  /** The state of a resource that must be there. */
  kept(name: string): Stored {
    const kept = this.state.get(name);
    if (kept === undefined) throw new Error(`state has no ${name}`);
    return kept;
  }

  /** `pulumi preview`: it shows the errors of all resources. */
  override preview(program: Program): Promise<Run> {
    return super.preview(program, { inTurn: true });
  }

  override up(program: Program, { parallel = false, ...options }: UpOptions = {}): Promise<Run> {
    return super.up(program, { ...options, inTurn: !parallel });
  }

  /** `pulumi import <type> <name> <id>`. The program that it prints has the inputs of state. */
  import(name: string, type: string, id: string): Promise<Run> {
    return this.run(async (provider, notes) => {
      const stored = await imported(provider, notes, { name, declared: { type }, id });
      if (stored === undefined) return;
      // What was found has to pass as a program's inputs.
      notes.errors.push(...(await provider.check(type, stored.inputs, stored.inputs, { name })).failures);
      this.state.set(name, stored);
    });
  }

  protected override async run(...step: Parameters<EngineModel["run"]>): Promise<Run> {
    const run = await super.run(...step);
    if (run.errors.length > 0) throw new FailedRun(run);
    return run;
  }

  /** Ctrl-C, once: the provider of the run is told. The run goes on until its steps are over. */
  async cancel(): Promise<void> {
    await this.#running?.cancel();
  }

  /** Calls a function of the provider, as a program does. @throws ProviderFailure */
  async invoke(token: string, args: Properties): Promise<Properties> {
    const provider = await this.#start({ preview: false });
    try {
      if (provider.invoke === undefined) throw new ProviderFailure("this host has no functions");
      return await provider.invoke(token, args);
    } finally {
      await provider.stop();
    }
  }

  /** Outputs of what a program only looks at, as the static method `get` of a class does. @throws ProviderFailure */
  async get(type: string, id: string, given: Properties = {}): Promise<Properties> {
    const provider = await this.#start({ preview: false });
    const found = await provider.lookUp(type, id, given, { name: "looked-up" });
    await provider.stop();
    return found?.outputs ?? Promise.reject(new ProviderFailure(`resource '${id}' does not exist`));
  }
}
