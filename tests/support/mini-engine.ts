import type { Properties } from "../../provider/src/framework/properties";
import { differences, ignoring } from "./engine-inputs";
import { applied, deleted, imported, type Notes, type Planned, stepOf } from "./engine-steps";
import { type Provider, ProviderFailure } from "./host";

/** One resource of a program. */
export interface Declared {
  readonly type: string;
  readonly inputs: Properties;
  /** Top-level properties or paths such as `secrets.TOKEN`, as in the resource option. */
  readonly ignoreChanges?: readonly string[];
  /** The id of what exists: of the resource option, and of what the program only looks at. */
  readonly import?: string;
  readonly lookUp?: string;
  /** Inputs that the program makes Pulumi secrets, beside those that the SDK does: `variables.TOKEN`. */
  readonly secretPaths?: readonly string[];
  /** Resource option, in seconds. */
  readonly customTimeouts?: { readonly create?: number; readonly update?: number };
}

/** A Pulumi program: resources by name. */
export type Program = Readonly<Record<string, Declared>>;

/** What the stack's state holds of one resource. */
export interface Kept {
  readonly type: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly initErrors: readonly string[];
}

/** What happened to a resource in a run. */
export type Operation = "import" | "same" | "create" | "update" | "replace" | "delete" | "refresh" | "gone";

/** What one run of the engine did. */
export interface Run {
  /** Operations by resource, failed ones included. */
  readonly operations: Readonly<Record<string, Operation>>;
  /** Changed paths by resource, as a preview shows them; empty when the provider says "changed" without saying what. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** What the engine shows as errors: reasons of init failures, messages of others. */
  readonly errors: readonly string[];
  /** gRPC codes of the errors that are no init failures. */
  readonly codes: readonly number[];
  /** Outputs by resource as a preview shows them to the rest of the program; what is missing is unknown. */
  readonly foreseen: Readonly<Record<string, Properties>>;
}

/** Variations of `pulumi up`. */
export interface UpOptions {
  /** `--refresh`. */
  readonly refresh?: boolean;
  /** `--replace`: names of resources. */
  readonly replace?: readonly string[];
  /** All steps at once, as the engine does for resources that do not depend on each other. */
  readonly parallel?: boolean;
}

/** What the Pulumi engine does with a provider, as far as state goes (pkg/resource/deploy, pkg/engine). */
export class MiniEngine {
  readonly state = new Map<string, Kept>();
  /** What was replaced and is to be deleted, by this run or a later one. */
  readonly #doomed = new Set<{ readonly name: string; readonly kept: Kept }>();
  readonly #start: () => Promise<Provider>;
  #running: Provider | undefined;

  constructor(start: () => Promise<Provider>) {
    this.#start = start;
  }

  /** The state of a resource that must be there. */
  kept(name: string): Kept {
    const kept = this.state.get(name);
    if (kept === undefined) throw new Error(`state has no ${name}`);
    return kept;
  }

  /** `pulumi preview`: operations and paths, nothing done. */
  preview(program: Program): Promise<Run> {
    return this.#run(async (provider, notes) => {
      for (const [name, declared] of Object.entries(program)) {
        const planned = await this.#plan(provider, notes, { name, declared });
        if (planned !== undefined) notes.foreseen[name] = await this.#foresee(provider, planned);
      }
      for (const name of this.#surplus(program)) notes.operations[name] = "delete";
    });
  }

  /** Ctrl-C, once: the provider of the run is told; the run goes on until its steps are over. */
  async cancel(): Promise<void> {
    await this.#running?.cancel();
  }

  /** Calls a function of the provider, as a program does. @throws ProviderFailure */
  async invoke(token: string, args: Properties): Promise<Properties> {
    const provider = await this.#start();
    try {
      if (provider.invoke === undefined) throw new ProviderFailure("this host has no functions");
      return await provider.invoke(token, args);
    } finally {
      await provider.stop();
    }
  }

  /** Outputs of what a program only looks at, as the static method `get` of a class does. @throws ProviderFailure */
  async get(type: string, id: string, given: Properties = {}): Promise<Properties> {
    const provider = await this.#start();
    const found = await provider.lookUp(type, id, given, { name: "looked-up" });
    await provider.stop();
    return found?.outputs ?? Promise.reject(new ProviderFailure(`resource '${id}' does not exist`));
  }

  /** Settings that the state of the provider has as secrets, although the program gave them in clear. */
  async secretSettings(): Promise<readonly string[]> {
    const provider = await this.#start();
    await provider.stop();
    return provider.secretSettings ?? [];
  }

  /** `pulumi up`. */
  up(program: Program, options: UpOptions = {}): Promise<Run> {
    return this.#run(async (provider, notes) => {
      if (options.refresh === true) await this.#refresh(provider, { ...notes, operations: {}, paths: {} });
      if (notes.errors.length > 0) return;
      const step = async (name: string, declared: Declared): Promise<void> => {
        if (declared.import !== undefined && !this.state.has(name))
          this.#keep(name, await imported(provider, notes, { name, type: declared.type, id: declared.import }));
        if (notes.errors.length > 0 && declared.import !== undefined) return;
        const planned = await this.#plan(provider, notes, { name, declared, replace: options.replace ?? [] });
        const before = this.state.get(name);
        const now = planned === undefined ? undefined : await applied(provider, notes, planned, before);
        this.#keep(name, now);
        if (planned?.operation === "replace" && before !== undefined && now !== undefined)
          this.#doomed.add({ name, kept: before });
      };
      const steps = Object.entries(program);
      if (options.parallel === true) await Promise.all(steps.map(([name, declared]) => step(name, declared)));
      // Resources that do not depend on each other are under way already when one of them fails.
      else for (const [name, declared] of steps) await step(name, declared);
      if (notes.errors.length > 0) return;
      await this.#deleteDoomed(provider, notes);
      for (const name of this.#surplus(program)) {
        notes.operations[name] = "delete";
        if (await deleted(provider, notes, name, this.kept(name))) this.state.delete(name);
      }
    });
  }

  /** `pulumi refresh`. */
  refresh(): Promise<Run> {
    return this.#run((provider, notes) => this.#refresh(provider, notes));
  }

  /** `pulumi destroy`. */
  destroy(): Promise<Run> {
    return this.#run(async (provider, notes) => {
      for (const [name, kept] of [...this.state].toReversed()) {
        notes.operations[name] = "delete";
        if (await deleted(provider, notes, name, kept)) this.state.delete(name);
      }
      await this.#deleteDoomed(provider, notes);
    });
  }

  /** `pulumi import <type> <name> <id>`; the program that it prints has the inputs of state. */
  import(name: string, type: string, id: string): Promise<Run> {
    return this.#run(async (provider, notes) => this.#keep(name, await imported(provider, notes, { name, type, id })));
  }

  #keep(name: string, now: Kept | undefined): void {
    if (now !== undefined) this.state.set(name, now);
  }

  async #deleteDoomed(provider: Provider, notes: Notes): Promise<void> {
    for (const one of this.#doomed) if (await deleted(provider, notes, one.name, one.kept)) this.#doomed.delete(one);
  }

  async #run(action: (provider: Provider, notes: Notes) => Promise<void>): Promise<Run> {
    const notes: Notes = { operations: {}, paths: {}, errors: [], codes: [], foreseen: {} };
    let provider: Provider;
    try {
      provider = await this.#start();
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      return { ...notes, errors: [error.message] };
    }
    this.#running = provider;
    try {
      await action(provider, notes);
    } finally {
      this.#running = undefined;
      await provider.stop();
    }
    return notes;
  }

  #surplus(program: Program): readonly string[] {
    return [...this.state.keys()].filter((name) => !Object.hasOwn(program, name)).toReversed();
  }

  async #plan(
    provider: Provider,
    notes: Notes,
    step: { readonly name: string; readonly declared: Declared; readonly replace?: readonly string[] },
  ): Promise<Planned | undefined> {
    const { name, declared, replace = [] } = step;
    const kept = this.state.get(name);
    const wanted = kept === undefined ? declared.inputs : ignoring(declared, kept.inputs);
    const { inputs: news, failures } = await provider.check(declared.type, kept?.inputs ?? {}, wanted, {
      name,
      secretPaths: declared.secretPaths ?? [],
    });
    if (failures.length > 0) {
      notes.errors.push(...failures);
      return undefined;
    }
    const fail = (error: unknown): undefined => {
      if (!(error instanceof ProviderFailure)) throw error;
      notes.errors.push(error.message);
    };
    const operation =
      kept === undefined ? "create" : await this.#decide(provider, notes, { declared, name, kept, news }).catch(fail);
    if (operation === undefined) return undefined;
    notes.operations[name] = replace.includes(name) && kept !== undefined ? "replace" : operation;
    return { name, declared, news, operation: notes.operations[name] };
  }

  async #decide(
    provider: Provider,
    notes: Notes,
    { declared, name, kept, news }: Omit<Planned, "operation"> & { readonly kept: Kept },
  ): Promise<Operation> {
    const step = stepOf(name, declared, kept);
    const { changes, replaces, paths } = await provider.diff(kept.type, kept.id, kept.outputs, news, step);
    const inputPaths = differences(kept.inputs, news);
    const changed = changes === "some" || (changes === "unknown" && inputPaths.length > 0);
    notes.paths[name] = changed ? (paths ?? (changes === "unknown" ? inputPaths : [])).toSorted() : [];
    if (changed && replaces.length > 0) return "replace";
    return changed || kept.initErrors.length > 0 ? "update" : "same";
  }

  /** A provider that is not asked in a preview leaves the inputs, and the outputs of what does not change. */
  async #foresee(provider: Provider, { name, declared, news, operation }: Planned): Promise<Properties> {
    const kept = this.state.get(name);
    if (kept !== undefined && operation === "same") return kept.outputs;
    const olds = operation === "update" ? kept?.outputs : undefined;
    return (await provider.foresee?.(declared.type, news, olds, stepOf(name, declared, kept))) ?? news;
  }

  async #refresh(provider: Provider, notes: Notes): Promise<void> {
    for (const [name, kept] of this.state) {
      try {
        const found = await provider.read(kept.type, kept.id, kept.outputs, kept.inputs, { name });
        notes.operations[name] = found === undefined ? "gone" : "refresh";
        notes.paths[name] = found === undefined ? [] : differences(kept.inputs, found.inputs);
        if (found === undefined) this.state.delete(name);
        else {
          const { inputs, outputs, reasons = [] } = found;
          this.state.set(name, { ...kept, inputs, outputs, initErrors: reasons });
          // As an `up` of the same program would see it: the engine shows this diff the other way round.
          await provider.diff(kept.type, kept.id, outputs, kept.inputs, { name, oldInputs: inputs });
        }
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        notes.errors.push(error.message);
      }
    }
  }
}
