import type { Properties } from "../../provider/src/framework/properties";
import { type Provider, ProviderFailure, type Step as Told } from "../support/host";
import { differences, ignoring } from "../support/engine-inputs";
import type { Declared, Kept, Operation, Run } from "../support/mini-engine";
import { dependenciesOf } from "./dependencies";
import { Looks } from "./looks";
import { EngineCrash } from "./process";
import type { SimulatedProgram } from "./program/model";
import type { Witness } from "./witness";

/** What state holds of one resource, with what it depends on. */
export type Stored = Kept & { readonly dependencies: readonly string[] };

/** A run of the engine model, and how it ended. */
export interface SimulatedRun extends Pick<Run, "operations" | "paths" | "errors"> {
  readonly crashed: boolean;
}

/** Variations of a run. */
export interface RunOptions {
  /** `--target`: only these resources. */
  readonly targets?: readonly string[];
  /** `--replace`. */
  readonly replace?: readonly string[];
  /** `--refresh`. */
  readonly refresh?: boolean;
}

interface Notes {
  readonly operations: Record<string, Operation>;
  readonly paths: Record<string, readonly string[]>;
  readonly errors: string[];
}

/** Something replaced that is still to be deleted. */
interface Doomed {
  readonly name: string;
  readonly stored: Stored;
}

interface Step {
  readonly name: string;
  readonly declared: Declared;
  readonly news: Properties;
  readonly operation: Operation;
}

/**
 * What the Pulumi engine does with a provider, with everything at once that the engine does at once: checks and diffs one
 * after the other, steps side by side as far as dependencies allow, no new step after a failure, deletes last. Like
 * tests/support/mini-engine.ts, with dependencies, targets and crashes.
 */
export class SimulatedEngine {
  readonly state = new Map<string, Stored>();
  /** What was under way when the engine died, "creating s"; only creates outlast the next run. */
  readonly pending = new Set<string>();
  readonly doomed = new Set<Doomed>();
  readonly #start: () => Promise<Provider>;
  readonly #witness: Witness;
  readonly #looks = new Looks();

  constructor(start: () => Promise<Provider>, witness: Witness) {
    this.#start = start;
    this.#witness = witness;
  }

  /** `pulumi preview`. */
  preview(program: SimulatedProgram): Promise<SimulatedRun> {
    return this.#run(async (provider, notes) => {
      for (const [name, declared] of Object.entries(program))
        if (declared.lookUp !== undefined) await this.#looks.take(provider, notes.errors, name, declared);
        else await this.#plan(provider, notes, { name, declared }, {}).catch((error: unknown) => noted(notes, error));
      for (const name of this.#surplus(program)) notes.operations[name] = "delete";
    });
  }

  /** `pulumi up`. */
  up(program: SimulatedProgram, options: RunOptions = {}): Promise<SimulatedRun> {
    return this.#run(async (provider, notes) => {
      if (options.refresh === true) await this.#refresh(provider, { ...notes, operations: {}, paths: {} }, options);
      if (notes.errors.length > 0) return;
      await this.#steps(provider, notes, program, options);
      if (notes.errors.length > 0) return;
      const surplus = this.#surplus(program).filter((name) => isTarget(name, options));
      for (const name of surplus) notes.operations[name] = "delete";
      await this.#deletes(provider, notes, surplus, options);
    });
  }

  /** `pulumi refresh`. */
  refresh(): Promise<SimulatedRun> {
    return this.#run((provider, notes) => this.#refresh(provider, notes, {}));
  }

  /** `pulumi destroy`. */
  destroy(): Promise<SimulatedRun> {
    return this.#run(async (provider, notes) => {
      const names = [...this.state.keys()];
      for (const name of names) notes.operations[name] = "delete";
      await this.#deletes(provider, notes, names, {});
    });
  }

  async #run(action: (provider: Provider, notes: Notes) => Promise<void>): Promise<SimulatedRun> {
    const notes: Notes = { operations: {}, paths: {}, errors: [] };
    for (const one of this.pending) if (!one.startsWith("creating ")) this.pending.delete(one);
    const provider = await this.#start();
    try {
      await action(provider, notes);
    } catch (error) {
      if (!(error instanceof EngineCrash)) throw error;
      return { ...notes, crashed: true };
    }
    await provider.stop();
    return { ...notes, crashed: false };
  }

  #surplus(program: SimulatedProgram): readonly string[] {
    return [...this.state.keys()].filter((name) => !Object.hasOwn(program, name)).toReversed();
  }

  async #steps(provider: Provider, notes: Notes, program: SimulatedProgram, options: RunOptions): Promise<void> {
    const steps = new Map<string, Promise<boolean>>();
    let planning: Promise<unknown> = Promise.resolve();
    const step = async (name: string, declared: Declared): Promise<boolean> => {
      const ready = await Promise.all(
        dependenciesOf(declared).map((other) => steps.get(other) ?? Promise.resolve(true)),
      );
      if (ready.includes(false)) return false;
      if (declared.lookUp !== undefined) return this.#looks.take(provider, notes.errors, name, declared);
      if (!isTarget(name, options)) return this.state.has(name);
      // The engine's step generator takes one resource at a time.
      const plan = planning.then(() => this.#plan(provider, notes, { name, declared }, options));
      planning = plan.catch(() => undefined);
      const planned = await plan.catch((error: unknown) => noted(notes, error));
      return planned !== undefined && this.#apply(provider, notes, planned);
    };
    for (const [name, declared] of Object.entries(program)) steps.set(name, step(name, declared));
    await Promise.all(steps.values());
  }

  async #plan(
    provider: Provider,
    notes: Notes,
    { name, declared: given }: { readonly name: string; readonly declared: Declared },
    { replace = [] }: RunOptions,
  ): Promise<Step | undefined> {
    if (notes.errors.length > 0) return undefined;
    const declared = this.#looks.resolved(given, this.state);
    const kept = this.state.get(name);
    const wanted = kept === undefined ? declared.inputs : ignoring(declared, kept.inputs);
    const told = toldOf(name, declared);
    const { inputs: news, failures } = await provider.check(declared.type, kept?.inputs ?? {}, wanted, told);
    if (failures.length > 0) {
      notes.errors.push(...failures);
      return undefined;
    }
    const decided = kept === undefined ? "create" : await this.#decide(provider, notes, { kept, news, told });
    const operation = kept !== undefined && replace.includes(name) ? "replace" : decided;
    notes.operations[name] = operation;
    if (operation !== "replace") return { name, declared, news, operation };
    // A replacement is made from what the program says: ignored changes count, and there are no old inputs.
    const { inputs } = await provider.check(declared.type, {}, declared.inputs, told);
    return { name, declared, news: inputs, operation };
  }

  async #decide(
    provider: Provider,
    notes: Notes,
    { kept, news, told }: { readonly kept: Stored; readonly news: Properties; readonly told: Told },
  ): Promise<Operation> {
    const { name } = told;
    const step = { ...told, oldInputs: kept.inputs };
    const { changes, replaces, paths } = await provider.diff(kept.type, kept.id, kept.outputs, news, step);
    const inputPaths = differences(kept.inputs, news);
    const changed = changes === "some" || (changes === "unknown" && inputPaths.length > 0);
    this.#witness.decided(name);
    notes.paths[name] = changed ? (paths ?? (changes === "unknown" ? inputPaths : [])).toSorted() : [];
    if (changed && replaces.length > 0) return "replace";
    return changed || kept.initErrors.length > 0 ? "update" : "same";
  }

  /** Does a step; false when it failed, so that what depends on it is left out. */
  async #apply(provider: Provider, notes: Notes, step: Step): Promise<boolean> {
    if (notes.errors.length > 0) return false;
    const { name, declared, news, operation } = step;
    const { type } = declared;
    const told = toldOf(name, declared);
    const before = this.state.get(name);
    const dependencies = dependenciesOf(declared);
    const witness = this.#witness.begins(name, operation, before);
    const store = (stored: Stored): void => {
      this.state.set(name, stored);
      if (operation === "replace" && before !== undefined) this.doomed.add({ name, stored: before });
      witness.ended(stored, news);
    };
    try {
      if (operation === "create" || operation === "replace") {
        const { id, outputs } = await provider.create(type, news, told);
        store({ type, id, inputs: news, outputs, initErrors: [], dependencies });
      } else if (before !== undefined && operation === "update") {
        const outputs = await provider.update(type, before.id, before.outputs, news, {
          ...told,
          oldInputs: before.inputs,
        });
        store({ ...before, inputs: news, outputs, initErrors: [], dependencies });
      } else if (before !== undefined) store({ ...before, inputs: news, dependencies });
      return true;
    } catch (error) {
      if (error instanceof EngineCrash) this.pending.add(`${operation === "update" ? "updating" : "creating"} ${name}`);
      if (!(error instanceof ProviderFailure)) throw error;
      notes.errors.push(...(error.partial?.reasons ?? [error.message]));
      if (error.partial === undefined) {
        witness.failed();
        return false;
      }
      const { id, outputs, reasons } = error.partial;
      const inputs = operation === "update" && before !== undefined ? before.inputs : news;
      store({ type, id, inputs, outputs, initErrors: reasons, dependencies });
      return false;
    }
  }

  async #refresh(provider: Provider, notes: Notes, options: RunOptions): Promise<void> {
    const read = async (name: string, stored: Stored): Promise<void> => {
      const witness = this.#witness.begins(name, "refresh", stored);
      try {
        const found = await provider.read(stored.type, stored.id, stored.outputs, stored.inputs, { name });
        notes.operations[name] = found === undefined ? "gone" : "refresh";
        notes.paths[name] = found === undefined ? [] : differences(stored.inputs, found.inputs);
        if (found === undefined) {
          this.state.delete(name);
          return witness.ended(undefined, {});
        }
        const { outputs, inputs, reasons = [] } = found;
        const after = { ...stored, outputs, inputs, initErrors: reasons };
        this.state.set(name, after);
        witness.ended(after, stored.inputs);
        // As an `up` of the same program would see it: the engine shows this diff the other way round.
        await provider.diff(stored.type, stored.id, outputs, stored.inputs, { name, oldInputs: inputs });
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        notes.errors.push(error.message);
      }
    };
    const names = [...this.state].filter(([name]) => isTarget(name, options));
    await Promise.all(names.map(([name, stored]) => read(name, stored)));
  }

  /** Dependents go first, all others side by side. */
  async #deletes(provider: Provider, notes: Notes, names: readonly string[], options: RunOptions): Promise<void> {
    const all = [
      ...[...this.doomed]
        .filter(({ name }) => isTarget(name, options))
        .map((one) => ({ ...one, gone: () => this.doomed.delete(one) })),
      ...names.flatMap((name) => {
        const stored = this.state.get(name);
        return stored === undefined ? [] : [{ name, stored, gone: () => this.state.delete(name) }];
      }),
    ];
    for (const dependents of [true, false]) {
      const wave = all.filter(({ stored }) => stored.dependencies.length > 0 === dependents);
      if (notes.errors.length > 0) return;
      await Promise.all(wave.map((one) => this.#delete(provider, notes, one)));
    }
  }

  async #delete(
    provider: Provider,
    notes: Notes,
    { name, stored, gone }: Doomed & { gone: () => void },
  ): Promise<void> {
    const witness = this.#witness.begins(name, "delete", stored);
    try {
      await provider.delete(stored.type, stored.id, stored.outputs, { name, oldInputs: stored.inputs });
      gone();
      witness.ended(undefined, {});
    } catch (error) {
      if (error instanceof EngineCrash) this.pending.add(`deleting ${name}`);
      if (!(error instanceof ProviderFailure)) throw error;
      notes.errors.push(`${name}: ${error.message}`);
    }
  }
}

/** What the engine tells a provider of a step beside properties. */
function toldOf(name: string, { ignoreChanges = [] }: Declared): Told {
  return { name, ignoreChanges };
}

/** What a provider refuses ends the run; anything else is not for the engine. */
function noted(notes: Notes, error: unknown): undefined {
  if (!(error instanceof ProviderFailure)) throw error;
  notes.errors.push(error.message);
}

function isTarget(name: string, { targets }: RunOptions): boolean {
  return targets === undefined || targets.includes(name);
}
