import type { EngineModel } from "./engine-model";
import { type Doomed, EngineCrash, isTarget, noted, type Notes, type RunOptions } from "./engine-steps";
import { type Provider, ProviderFailure } from "./host";
import { differences } from "./engine-inputs";

type Stack = Pick<EngineModel, "state" | "doomed" | "pending" | "witness">;

/** A resource that is to be deleted, and what takes it out of state. */
interface Leaving extends Doomed {
  readonly gone: () => void;
}

/** Deletes what was replaced, and these resources: dependents go first, all others side by side. */
export async function deleteAll(
  stack: Stack,
  provider: Provider,
  notes: Notes,
  names: readonly string[],
  options: RunOptions,
): Promise<void> {
  const { state, doomed } = stack;
  const all: readonly Leaving[] = [
    ...[...doomed]
      .filter(({ name }) => isTarget(name, options))
      .map((one) => ({ ...one, gone: () => void doomed.delete(one) })),
    ...names.flatMap((name) => {
      const stored = state.get(name);
      return stored === undefined ? [] : [{ name, stored, gone: () => void state.delete(name) }];
    }),
  ];
  for (const dependents of [true, false]) {
    const wave = all.filter(({ stored }) => stored.dependencies.length > 0 === dependents);
    if (notes.errors.length > 0 && options.continueOnError !== true) return;
    await Promise.all(wave.map((one) => deleteOne(stack, provider, notes, one)));
  }
}

/** Deletes one resource. False when that failed. */
export async function deleteOne(
  { witness: looking, pending }: Stack,
  provider: Provider,
  notes: Notes,
  { name, stored, gone }: Leaving,
): Promise<boolean> {
  // What a program only looks at is not the engine's to delete.
  if (stored.isExternal === true) {
    gone();
    return true;
  }
  const witness = looking.begins(name, "delete", stored);
  try {
    await provider.delete(stored.type, stored.id, stored.outputs, {
      name,
      provider: stored.provider,
      oldInputs: stored.inputs,
    });
    gone();
    witness.ended(undefined, {});
    return true;
  } catch (error) {
    if (error instanceof EngineCrash) pending.add(`deleting ${name}`);
    if (!(error instanceof ProviderFailure)) throw error;
    notes.errors.push(`${name}: ${error.message}`);
    return false;
  }
}

/** Reads all that a stack has, side by side, and takes what is there into its state. */
export async function refreshed(stack: Stack, provider: Provider, notes: Notes, options: RunOptions): Promise<void> {
  const names = [...stack.state].filter(([name]) => isTarget(name, options));
  const doomed = [...stack.doomed].filter(({ name }) => isTarget(name, options));
  await Promise.all([
    ...names.map(([name, stored]) => read(stack, provider, notes, { name, stored })),
    ...doomed.map((one) => readDoomed(stack, provider, notes, one)),
  ]);
}

async function read(stack: Stack, provider: Provider, notes: Notes, { name, stored }: Doomed): Promise<void> {
  const witness = stack.witness.begins(name, "refresh", stored);
  try {
    const found = await provider.read(stored.type, stored.id, stored.outputs, stored.inputs, {
      name,
      provider: stored.provider,
    });
    notes.operations[name] = found === undefined ? "gone" : "refresh";
    notes.paths[name] = found === undefined ? [] : differences(stored.inputs, found.inputs);
    if (found === undefined) {
      stack.state.delete(name);
      return witness.ended(undefined, {});
    }
    const { outputs, inputs, reasons = [] } = found;
    const after = { ...stored, outputs, inputs, initErrors: reasons };
    stack.state.set(name, after);
    witness.ended(after, stored.inputs);
    // As an `up` of the same program would see it: the engine shows this diff the other way round.
    if (stored.isExternal !== true)
      await provider.diff(stored.type, stored.id, outputs, stored.inputs, {
        name,
        provider: stored.provider,
        oldInputs: inputs,
      });
  } catch (error) {
    noted(notes, error);
  }
}

/** What was replaced is read too: the engine is about to delete it. */
async function readDoomed({ doomed }: Stack, provider: Provider, notes: Notes, one: Doomed): Promise<void> {
  const { type, id, outputs, inputs, provider: chosen } = one.stored;
  try {
    const found = await provider.read(type, id, outputs, inputs, { name: one.name, provider: chosen });
    doomed.delete(one);
    if (found === undefined) return;
    doomed.add({ ...one, stored: { ...one.stored, outputs: found.outputs, inputs: found.inputs } });
    await provider.diff(type, id, found.outputs, inputs, { name: one.name, provider: chosen, oldInputs: found.inputs });
  } catch (error) {
    noted(notes, error);
  }
}
