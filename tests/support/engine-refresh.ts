import { differences } from "./engine-inputs";
import { type Doomed, isTarget, type Notes, noted, type RunOptions, type Stored } from "./engine-steps";
import type { Witness } from "./engine-witness";
import type { Provider } from "./host";

/** What the engine knows of a stack. */
interface Stack {
  readonly state: Map<string, Stored>;
  readonly doomed: Set<Doomed>;
  readonly witness: Witness;
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
    const found = await provider.read(stored.type, stored.id, stored.outputs, stored.inputs, { name });
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
      await provider.diff(stored.type, stored.id, outputs, stored.inputs, { name, oldInputs: inputs });
  } catch (error) {
    noted(notes, error);
  }
}

/** What was replaced is read too: the engine is about to delete it. */
async function readDoomed({ doomed }: Stack, provider: Provider, notes: Notes, one: Doomed): Promise<void> {
  const { type, id, outputs, inputs } = one.stored;
  try {
    const found = await provider.read(type, id, outputs, inputs, { name: one.name });
    doomed.delete(one);
    if (found === undefined) return;
    doomed.add({ ...one, stored: { ...one.stored, outputs: found.outputs, inputs: found.inputs } });
    await provider.diff(type, id, found.outputs, inputs, { name: one.name, oldInputs: found.inputs });
  } catch (error) {
    noted(notes, error);
  }
}
