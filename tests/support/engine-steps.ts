import type { Properties } from "../../provider/src/framework/properties";
import { type Provider, ProviderFailure, type Step } from "./host";
import type { Declared, Kept, Operation } from "./mini-engine";

/** What a run writes down while its steps are done; in the end it is what the run did. */
export interface Notes {
  readonly operations: Record<string, Operation>;
  readonly paths: Record<string, readonly string[]>;
  readonly errors: string[];
  readonly codes: number[];
  readonly foreseen: Record<string, Properties>;
}

/** A step that is decided, and not done yet. */
export interface Planned {
  readonly name: string;
  readonly declared: Declared;
  readonly news: Properties;
  readonly operation: Operation;
}

interface Existing {
  readonly name: string;
  readonly type: string;
  readonly id: string;
}

/** What an import puts into state; `undefined` when it failed. */
export async function imported(provider: Provider, notes: Notes, existing: Existing): Promise<Kept | undefined> {
  const { name, type } = existing;
  try {
    const kept = await findExisting(provider, existing);
    // Only a warning: the import succeeds all the same.
    notes.errors.push(...(await provider.check(type, kept.inputs, kept.inputs, { name })).failures);
    notes.operations[name] = "import";
    return kept;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    notes.errors.push(error.message);
    return undefined;
  }
}

async function findExisting(provider: Provider, { name, type, id }: Existing): Promise<Kept> {
  const found = await provider.import?.(type, id, { name });
  if (found === undefined) throw new ProviderFailure(`resource '${id}' does not exist`);
  return { type, id: found.id, inputs: found.inputs, outputs: found.outputs, initErrors: found.reasons ?? [] };
}

/** What state holds of a resource after its step; `undefined` when the step left state as it was. */
export async function applied(
  provider: Provider,
  notes: Notes,
  planned: Planned,
  before: Kept | undefined,
): Promise<Kept | undefined> {
  const { name, declared, news, operation } = planned;
  const { type } = declared;
  try {
    if (operation === "create" || operation === "replace") {
      const { id, outputs } = await provider.create(type, news, stepOf(name, declared));
      return { type, id, inputs: news, outputs, initErrors: [] };
    }
    if (before === undefined) return undefined;
    if (operation !== "update") return { ...before, inputs: news };
    const outputs = await provider.update(type, before.id, before.outputs, news, stepOf(name, declared, before));
    return { ...before, inputs: news, outputs, initErrors: [] };
  } catch (error) {
    return partOf(notes, planned, before, error);
  }
}

/** A create keeps the new inputs, an update the old ones; both keep the outputs that came with the failure. */
function partOf(
  notes: Notes,
  { declared, news, operation }: Planned,
  before: Kept | undefined,
  error: unknown,
): Kept | undefined {
  if (!(error instanceof ProviderFailure)) throw error;
  notes.errors.push(...(error.partial?.reasons ?? [error.message]));
  if (error.partial === undefined && error.code !== undefined) notes.codes.push(error.code);
  if (error.partial === undefined) return undefined;
  const { id, outputs, reasons } = error.partial;
  const inputs = operation === "update" && before !== undefined ? before.inputs : news;
  return { type: declared.type, id, inputs, outputs, initErrors: reasons };
}

/** Whether a delete succeeded, so that the resource may leave state. */
export async function deleted(provider: Provider, notes: Notes, name: string, kept: Kept): Promise<boolean> {
  try {
    await provider.delete(kept.type, kept.id, kept.outputs, { name, oldInputs: kept.inputs });
    return true;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    notes.errors.push(`${name}: ${error.message}`);
    return false;
  }
}

/** What the engine tells a provider of a step, beside properties. */
export function stepOf(name: string, { ignoreChanges = [], customTimeouts = {} }: Declared, kept?: Kept): Step {
  const timeoutSeconds = kept === undefined ? customTimeouts.create : customTimeouts.update;
  return { name, oldInputs: kept?.inputs ?? {}, ignoreChanges, timeoutSeconds: timeoutSeconds ?? 0 };
}
