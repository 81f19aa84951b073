import {
  type Declared,
  type Doomed,
  EngineCrash,
  failed,
  foreseen,
  imported,
  isOver,
  isTarget,
  NOBODY,
  noted,
  type Notes,
  type Operation,
  type Planned,
  type Program,
  replaceRefusal,
  type Run,
  type RunOptions,
  stepOf,
  type Stored,
  type Witness,
} from "./engine-steps";
import { deleteAll, deleteOne, refreshed } from "./engine-refresh";
import { dependenciesOf, differences, ignoring, lookedUp, resolved } from "./engine-inputs";
import { startProviders } from "./engine-providers";
import type { Phase, Provider } from "./host";

const UP: Phase = { preview: false };
const WITHOUT_PROGRAM: Phase = { preview: false, hasProgram: false };

/**
 * What the Pulumi engine does with a provider, as far as state goes (pkg/resource/deploy, pkg/engine), with everything at once that the engine
 * does at once: checks and diffs one after the other, steps side by side as far as dependencies allow, no new step after a failure, deletes
 * last. tests/engine/simulated-engine.outside.spec.ts holds it against the real one.
 */
export class EngineModel {
  readonly state = new Map<string, Stored>();
  /** What was under way when the engine died, "creating s". Only creates outlast the next run. */
  readonly pending = new Set<string>();
  /** What was replaced and is to be deleted, by this run or a later one. */
  readonly doomed = new Set<Doomed>();
  readonly #start: (phase: Phase) => Promise<Provider>;
  readonly witness: Witness;

  constructor(start: (phase: Phase) => Promise<Provider>, witness: Witness = NOBODY) {
    this.#start = start;
    this.witness = witness;
  }

  /** `pulumi preview`: operations and paths, nothing done. */
  preview(program: Program, options: RunOptions = {}): Promise<Run> {
    return this.run(
      async (provider, notes) => {
        const steps: Promise<void>[] = [];
        const known = new Map(this.state);
        for (const [name, declared] of Object.entries(program)) {
          if (declared.lookUp !== undefined) {
            const found = await lookedUp(provider, notes.errors, name, declared);
            if (found !== undefined) known.set(name, found);
            continue;
          }
          const plan = this.#plan(provider, notes, { name, declared: resolved(declared, known) }, options);
          const planned = await plan.catch((error: unknown) => noted(notes, error));
          if (planned !== undefined) steps.push(foreseen(provider, notes, planned, this.state.get(planned.name)));
        }
        await Promise.all(steps);
        for (const name of this.#surplus(program)) notes.operations[name] = "delete";
      },
      { preview: true },
      program,
    );
  }

  up(program: Program, options: RunOptions = {}): Promise<Run> {
    return this.run(
      async (provider, notes) => {
        if (options.refresh === true) await refreshed(this, provider, { ...notes, operations: {}, paths: {} }, options);
        if (notes.errors.length > 0) return;
        if (options.changesConfig !== true) return this.#program(provider, notes, program, options);
        const second = await startProviders(this.#start, { preview: false, isSecond: true }, program);
        await this.#program(second, notes, program, options);
        await second.stop();
      },
      UP,
      program,
    );
  }

  refresh(): Promise<Run> {
    return this.run((provider, notes) => refreshed(this, provider, notes, {}), WITHOUT_PROGRAM);
  }

  /** `pulumi destroy`. Of one with targets, what depends on them goes, too (`--target-dependents`). */
  destroy(options: RunOptions = {}): Promise<Run> {
    return this.run(async (provider, notes) => {
      if (options.refresh === true) await refreshed(this, provider, { ...notes, operations: {}, paths: {} }, options);
      if (notes.errors.length > 0) return;
      const { targets, ...others } = options;
      const chosen = { ...others, ...(targets && { targets: [...targets, ...this.dependents(targets)] }) };
      const names = [...this.state.keys()].filter((name) => isTarget(name, chosen));
      for (const name of names) notes.operations[name] = "delete";
      await deleteAll(this, provider, notes, names, chosen);
    }, WITHOUT_PROGRAM);
  }

  /** One run of the engine, with provider processes of its own. */
  protected async run(
    action: (provider: Provider, notes: Notes) => Promise<void>,
    phase: Phase = UP,
    program: Program = {},
  ): Promise<Run> {
    const notes: Notes = { operations: {}, paths: {}, errors: [], codes: [], foreseen: {} };
    for (const one of this.pending) if (!one.startsWith("creating ")) this.pending.delete(one);
    const starting = startProviders(this.#start, phase, program);
    const provider = await starting.catch((error: unknown) => noted(notes, error));
    if (provider === undefined) return { ...notes, crashed: false };
    try {
      await action(provider, notes);
    } catch (error) {
      if (error instanceof EngineCrash) return { ...notes, crashed: true };
      await provider.stop();
      throw error;
    }
    await provider.stop();
    return { ...notes, crashed: false };
  }

  dependents(targets: readonly string[]): readonly string[] {
    return [...this.state].flatMap(([name, { dependencies }]) =>
      dependencies.some((other) => targets.includes(other)) ? [name] : [],
    );
  }

  #surplus(program: Program): readonly string[] {
    return [...this.state.keys()].filter((name) => !Object.hasOwn(program, name)).toReversed();
  }

  async #program(provider: Provider, notes: Notes, program: Program, options: RunOptions): Promise<void> {
    await this.#steps(provider, notes, program, options);
    if (notes.errors.length > 0 && options.continueOnError !== true) return;
    const surplus = this.#surplus(program).filter((name) => isTarget(name, options));
    if (options.failsAt === undefined) for (const name of surplus) notes.operations[name] = "delete";
    if (options.failsAt === undefined) await deleteAll(this, provider, notes, surplus, options);
  }

  async #steps(provider: Provider, notes: Notes, program: Program, options: RunOptions): Promise<void> {
    const steps = new Map<string, Promise<boolean>>();
    let planning: Promise<unknown> = Promise.resolve();
    const step = async (name: string, declared: Declared): Promise<boolean> => {
      const ready = await Promise.all(
        dependenciesOf(declared).map((other) => steps.get(other) ?? Promise.resolve(true)),
      );
      if (ready.includes(false)) return false;
      if (declared.lookUp !== undefined) {
        const found = await lookedUp(provider, notes.errors, name, declared);
        if (found !== undefined) this.state.set(name, found);
        return found !== undefined;
      }
      if (!isTarget(name, options)) return this.state.has(name);
      if (declared.import !== undefined && !this.state.has(name)) {
        const stored = await imported(provider, notes, { name, declared, id: declared.import });
        if (stored === undefined || notes.errors.length > 0) return false;
        const witness = this.witness.begins(name, "import", undefined);
        this.state.set(name, stored);
        witness.ended(stored, stored.inputs);
      }
      // The engine's step generator takes one resource at a time.
      const plan = planning.then(() =>
        this.#plan(provider, notes, { name, declared: resolved(declared, this.state) }, options),
      );
      planning = plan.catch(() => undefined);
      const planned = await plan.catch((error: unknown) => noted(notes, error));
      return planned !== undefined && (await this.#apply(provider, notes, planned, options));
    };
    for (const [name, declared] of Object.entries(program)) {
      if (name === options.failsAt) break;
      const taken = step(name, declared);
      steps.set(name, taken);
      if (options.inTurn === true) await taken;
    }
    await Promise.all(steps.values());
    // Late enough that whatever was registered is done: an earlier end does less.
    if (options.failsAt !== undefined) notes.errors.push(`the program failed before ${options.failsAt}`);
  }

  async #plan(
    provider: Provider,
    notes: Notes,
    { name, declared }: { readonly name: string; readonly declared: Declared },
    options: RunOptions,
  ): Promise<Planned | undefined> {
    if (isOver(notes, options)) return undefined;
    const { replace = [], targetReplace = [] } = options;
    const kept = this.state.get(name);
    const told = stepOf(name, declared);
    const anew = async (): Promise<Planned | undefined> => {
      const refusal = kept && replaceRefusal(declared, kept);
      if (refusal !== undefined) {
        notes.errors.push(`unable to replace resource ${name}: ${refusal}`);
        return undefined;
      }
      notes.operations[name] = "replace";
      // A replacement is made from what the program says: ignored changes count, and there are no old inputs.
      const { inputs } = await provider.check(declared.type, {}, declared.inputs, told);
      return { name, declared, news: inputs, operation: "replace" };
    };
    if (kept !== undefined && targetReplace.includes(name)) return anew();
    const wanted = kept === undefined ? declared.inputs : ignoring(declared, kept.inputs);
    const { inputs: news, failures } = await provider.check(declared.type, kept?.inputs ?? {}, wanted, told);
    if (failures.length > 0) {
      notes.errors.push(...failures);
      return undefined;
    }
    this.witness.checked(name);
    const decided = kept === undefined ? "create" : await this.#decide(provider, notes, { name, declared, news }, kept);
    const operation = kept !== undefined && replace.includes(name) ? "replace" : decided;
    if (operation === "replace") return anew();
    // A replacement holds no name until it is made: the Check that begins it ends what its Diff has said.
    if (kept !== undefined) this.witness.decided(name);
    notes.operations[name] = operation;
    return { name, declared, news, operation };
  }

  async #decide(
    provider: Provider,
    notes: Notes,
    { name, declared, news }: Omit<Planned, "operation">,
    kept: Stored,
  ): Promise<Operation> {
    const step = stepOf(name, declared, kept);
    const { changes, replaces, paths } = await provider.diff(kept.type, kept.id, kept.outputs, news, step);
    const inputPaths = differences(kept.inputs, news);
    const changed = changes === "some" || (changes === "unknown" && inputPaths.length > 0);
    notes.paths[name] = changed ? (paths ?? (changes === "unknown" ? inputPaths : [])).toSorted() : [];
    if (changed && replaces.length > 0) return "replace";
    return changed || kept.initErrors.length > 0 ? "update" : "same";
  }

  /** Deletes what is about to be replaced. False when that failed. */
  async #vacated(provider: Provider, notes: Notes, name: string): Promise<boolean> {
    const stored = this.state.get(name);
    if (stored === undefined) return true;
    return deleteOne(this, provider, notes, { name, stored, gone: () => this.state.delete(name) });
  }

  /** Does a step. False when it failed, so that what depends on it is left out. */
  async #apply(provider: Provider, notes: Notes, step: Planned, options: RunOptions): Promise<boolean> {
    if (isOver(notes, options)) return false;
    const { name, declared, news, operation } = step;
    const { type } = declared;
    if (operation === "replace" && declared.deletesFirst === true && !(await this.#vacated(provider, notes, name)))
      return false;
    const before = this.state.get(name);
    const dependencies = dependenciesOf(declared);
    const { provider: chosen } = declared;
    const witness = this.witness.begins(name, operation, before);
    const store = (one: Stored): void => {
      const stored = { ...one, provider: chosen };
      this.state.set(name, stored);
      if (operation === "replace" && before !== undefined) this.doomed.add({ name, stored: before });
      witness.ended(stored, news);
    };
    try {
      if (operation === "create" || operation === "replace") {
        const { id, outputs } = await provider.create(type, news, stepOf(name, declared));
        store({ type, id, inputs: news, outputs, initErrors: [], dependencies });
      } else if (before !== undefined && operation === "update") {
        const told = stepOf(name, declared, before);
        const outputs = await provider.update(type, before.id, before.outputs, news, told);
        store({ ...before, inputs: news, outputs, initErrors: [], dependencies });
      } else if (before !== undefined) store({ ...before, inputs: news, dependencies });
      return true;
    } catch (error) {
      if (error instanceof EngineCrash) this.pending.add(`${operation === "update" ? "updating" : "creating"} ${name}`);
      const part = failed(notes, step, before, error);
      if (part === undefined) witness.failed();
      else store({ ...part, dependencies });
      return false;
    }
  }
}
