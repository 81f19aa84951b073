import { EngineCrash } from "./engine-crash";
import { type Doomed, isTarget, type Notes, type RunOptions, type Stored } from "./engine-steps";
import type { Witness } from "./engine-witness";
import { type Provider, ProviderFailure } from "./host";

/** What the engine knows of a stack. */
interface Stack {
  readonly state: Map<string, Stored>;
  readonly doomed: Set<Doomed>;
  readonly pending: Set<string>;
  readonly witness: Witness;
}

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
  const refused = names.filter((name) => state.get(name)?.isProtected === true);
  notes.errors.push(...refused.map((name) => `resource ${name} cannot be deleted: it is protected`));
  if (refused.length > 0) return;
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

/** Deletes one resource; false when that failed. */
export async function deleteOne(
  { witness: looking, pending }: Stack,
  provider: Provider,
  notes: Notes,
  { name, stored, gone }: Leaving,
): Promise<boolean> {
  const witness = looking.begins(name, "delete", stored);
  try {
    await provider.delete(stored.type, stored.id, stored.outputs, { name, oldInputs: stored.inputs });
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
