import type { Properties } from "../../provider/src/framework/properties";
import { EngineModel, type Phase } from "./engine-model";
import { type Declared, imported, type Program, type Run, type RunOptions, type Stored } from "./engine-steps";
import { type Provider, ProviderFailure } from "./host";

/** Variations of an `up` of a scenario. */
export interface UpOptions extends Omit<RunOptions, "inTurn"> {
  /** All steps at once, as the engine does for resources that do not depend on each other. */
  readonly parallel?: boolean;
  /** A program in another language than TypeScript: no set is told what other resources declare. */
  readonly otherLanguage?: boolean;
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
    return super.preview(withDeclaredByOthers(program), { inTurn: true });
  }

  /** `pulumi up`. */
  override up(program: Program, { parallel = false, otherLanguage = false, ...options }: UpOptions = {}): Promise<Run> {
    return super.up(otherLanguage ? program : withDeclaredByOthers(program), { ...options, inTurn: !parallel });
  }

  /** `pulumi import <type> <name> <id>`. The program that it prints has the inputs of state. */
  import(name: string, type: string, id: string): Promise<Run> {
    return this.run(async (provider, notes) => {
      const stored = await imported(provider, notes, { name, type, id });
      if (stored !== undefined) this.state.set(name, stored);
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

  /** Settings that the state of the provider has as secrets, although the program gave them in clear. */
  async secretSettings(): Promise<readonly string[]> {
    const provider = await this.#start({ preview: false });
    await provider.stop();
    return provider.secretSettings ?? [];
  }
}

/**
 * A program as the TypeScript SDK registers it: each set is told which names other resources of the program declare for its
 * environment. Programs in other languages do not do that.
 */
export function withDeclaredByOthers(program: Program): Program {
  return Object.fromEntries(Object.entries(program).map(([name, one]) => [name, told(program, name, one)]));
}

function told(program: Program, name: string, one: Declared): Declared {
  if (one.type !== "EnvVarSet" || one.lookUp !== undefined) return one;
  const others = Object.entries(program).filter(
    ([other, { inputs, lookUp }]) =>
      other !== name && lookUp === undefined && environmentOf(inputs) === environmentOf(one.inputs),
  );
  const declarers = others.filter(([, { type }]) => type === "EnvVarSet" || type === "EnvVar");
  if (declarers.length === 0) return one;
  const names = declarers.flatMap(([, other]) => namesIn(other)).toSorted();
  return { ...one, inputs: { ...one.inputs, __declaredByOthers: names } };
}

function environmentOf({ environmentId }: Properties): string {
  return String(environmentId).toLowerCase();
}

function namesIn({ type, inputs }: Declared): readonly string[] {
  const { name, variables, secrets } = inputs;
  if (type === "EnvVar") return typeof name === "string" ? [name] : [];
  return [variables, secrets].flatMap((map) => (typeof map === "object" && map !== null ? Object.keys(map) : []));
}
