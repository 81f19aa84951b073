import type { Properties } from "../../provider/src/framework/properties";
import { type Provider, ProviderFailure, type Step } from "./host";

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
  /** Resource option `deleteBeforeReplace`: of a replacement the old resource goes first. */
  readonly deletesFirst?: boolean;
  readonly dependsOn?: readonly string[];
  /** Resource option, in seconds. */
  readonly customTimeouts?: { readonly create?: number; readonly update?: number };
  /** Resource option `provider`: the name of a Provider. Without it the default one serves it. */
  readonly provider?: string | undefined;
}

export type Program = Readonly<Record<string, Declared>>;

export interface Stored {
  readonly type: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly initErrors: readonly string[];
  /** Names of the resources whose outputs its inputs named. */
  readonly dependencies: readonly string[];
  /** A program only looks at it: a refresh asks for no diff. */
  readonly isExternal?: true;
  /** The Provider that the last program had for it. */
  readonly provider?: string | undefined;
}

/** Something replaced that is still to be deleted. */
export interface Doomed {
  readonly name: string;
  readonly stored: Stored;
}

export type Operation = "import" | "same" | "create" | "update" | "replace" | "delete" | "refresh" | "gone";

export interface Run {
  /** Operations by resource, failed ones included. */
  readonly operations: Readonly<Record<string, Operation>>;
  /** Changed paths by resource, as a preview shows them. Empty when the provider says "changed" without saying what. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** What the engine shows as errors: reasons of init failures, messages of other packages. */
  readonly errors: readonly string[];
  /** gRPC codes of the errors that are no init failures. */
  readonly codes: readonly number[];
  /** Outputs by resource as a preview shows them to the rest of the program. What is missing is unknown. */
  readonly foreseen: Readonly<Record<string, Properties>>;
  readonly crashed: boolean;
}

export interface RunOptions {
  readonly targets?: readonly string[];
  readonly excludes?: readonly string[];
  /** The program fails where it would register this resource: what comes after is not registered, and nothing is deleted. */
  readonly failsAt?: string;
  readonly replace?: readonly string[];
  /** `--target-replace`: names of resources. The provider is not shown their state before the delete. */
  readonly targetReplace?: readonly string[];
  readonly refresh?: boolean;
  /** Stack config has changed: a refresh asks a provider with the old one, and the program another process with the new one. */
  readonly changesConfig?: boolean;
  /**
   * `--continue-on-error`, with a program that goes on too: steps and deletes follow after a failure. (A program in YAML ends with the
   * failure, unless the resource that failed is a component's, and then the engine deletes nothing.)
   */
  readonly continueOnError?: boolean;
  /** Each step is over before the next resource is checked. Those after one that failed are done all the same, as if they had been under way. */
  readonly inTurn?: boolean;
}

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

/** What the engine tells a provider of a step, beside properties. */
export function stepOf(name: string, declared: Declared, kept?: Stored): Step {
  const { ignoreChanges = [], secretPaths = [], customTimeouts = {} } = declared;
  const timeoutSeconds = kept === undefined ? customTimeouts.create : customTimeouts.update;
  const { provider } = declared;
  const told = { name, provider, oldInputs: kept?.inputs ?? {}, ignoreChanges, secretPaths };
  return { ...told, timeoutSeconds: timeoutSeconds ?? 0 };
}

/** What a provider refuses is an error of the run. Anything else is not for the engine. */
export function noted(notes: Notes, error: unknown): undefined {
  if (!(error instanceof ProviderFailure)) throw error;
  notes.errors.push(error.message);
}

/**
 * What state holds after a step that failed. `undefined` when it is as it was. A create keeps the new inputs, an update the old ones. Both keep
 * the outputs that came with the failure.
 */
export function failed(
  notes: Notes,
  { declared, news, operation }: Planned,
  before: Stored | undefined,
  error: unknown,
): Omit<Stored, "dependencies"> | undefined {
  if (!(error instanceof ProviderFailure)) throw error;
  notes.errors.push(...(error.partial?.reasons ?? [error.message]));
  if (error.partial === undefined && error.code !== undefined) notes.codes.push(error.code);
  if (error.partial === undefined) return undefined;
  const { id, outputs, reasons } = error.partial;
  const inputs = operation === "update" && before !== undefined ? before.inputs : news;
  return { type: declared.type, id, inputs, outputs, initErrors: reasons };
}

/** Notes the outputs that a preview shows. A provider that is not asked leaves the inputs, and the outputs of what does not change. */
export async function foreseen(
  provider: Provider,
  notes: Notes,
  { name, declared, news, operation }: Planned,
  kept: Stored | undefined,
): Promise<void> {
  const olds = operation === "update" ? kept?.outputs : undefined;
  const asked =
    operation === "same" ? undefined : provider.foresee?.(declared.type, news, olds, stepOf(name, declared, kept));
  try {
    notes.foreseen[name] = (await asked) ?? (operation === "same" && kept !== undefined ? kept.outputs : news);
  } catch (error) {
    noted(notes, error);
  }
}

/** What an import puts into state. The engine checks the program's inputs afterwards, and never those that were found. `undefined` when it failed. */
export async function imported(
  provider: Provider,
  notes: Notes,
  {
    name,
    declared,
    id,
  }: { readonly name: string; readonly declared: Pick<Declared, "type" | "provider">; readonly id: string },
): Promise<Stored | undefined> {
  const { type, provider: chosen } = declared;
  try {
    const found = await provider.import?.(type, id, { name, provider: chosen });
    if (found === undefined) throw new ProviderFailure(`resource '${id}' does not exist`);
    const { inputs, outputs, reasons = [] } = found;
    notes.operations[name] = "import";
    return { type, id: found.id, inputs, outputs, initErrors: reasons, dependencies: [], provider: chosen };
  } catch (error) {
    return noted(notes, error);
  }
}

export function isTarget(name: string, { targets, excludes = [] }: RunOptions): boolean {
  return (targets === undefined || targets.includes(name)) && !excludes.includes(name);
}

/** Why the engine does not replace a resource. Undefined when it does. */
export function replaceRefusal(declared: Declared, { id }: Stored): string | undefined {
  return declared.import === id ? "the program still has the option `import` for it" : undefined;
}

/** Whether an error ends the steps of a run. */
export function isOver({ errors }: Notes, { inTurn = false, continueOnError = false }: RunOptions): boolean {
  return errors.length > 0 && !inTurn && !continueOnError;
}

export interface Witness {
  /** The provider has been shown what the program declares of a resource. */
  checked(name: string): void;
  /** The provider has said what is to be done with a resource. */
  decided(name: string): void;
  begins(name: string, operation: Operation, before: Stored | undefined): OperationWitness;
}

export interface OperationWitness {
  /** It ended, and this is stored. The engine encrypts an output when the input of the same place in `marked` is secret. */
  ended(after: Stored | undefined, marked: Properties): void;
  /** It failed, and state stays as it was. */
  failed(): void;
}

export const NOBODY: Witness = {
  checked: () => undefined,
  decided: () => undefined,
  begins: () => ({ ended: () => undefined, failed: () => undefined }),
};

/** The engine dies, and with it everything it has started. */
export class EngineCrash extends Error {}
