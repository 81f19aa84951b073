import * as z from "zod";
import type { EnvVar } from "../client/env-vars";
import { type Properties, isUnknown } from "./properties";

/** What has names that resources own. */
export type NameKind = "variables" | "branches";

/** The environments of one run. */
export interface Environments {
  /** What this run knows and does of an environment: one object for it, whatever the case of its UUID. */
  environment(id: string): EnvironmentSession;
  /** The engine has called Check or Diff: it may have more to show. */
  notePlanning(): void;
}

/** What the resources of one run know and do of one environment. */
export interface EnvironmentSession {
  /** Its id in the one spelling that all resources of the run share. */
  readonly key: string;
  readonly variables: OwnedNames;
  readonly branches: OwnedNames;
  readonly builds: BuildRequests;
  readonly reading: SharedVariables;
  /** The same for deletes of resources. They come last: what the resources of another Provider have written until then must count. */
  readonly deleting: SharedVariables;
  /**
   * Waits until no other resource of the run writes or deletes one of these variables, and keeps them from all others until the
   * result is disposed. @throws CancelledError as soon as `signal` aborts
   */
  holdVariables(names: Iterable<string>, signal: AbortSignal): Promise<Disposable>;
  /** The same for all branches of the environment. */
  holdBranches(signal: AbortSignal): Promise<Disposable>;
  /** The one `kind` of this environment, made when it is first asked for. */
  part<T>(kind: new (environment: EnvironmentSession) => T): T;
}

/**
 * Whose a name is in this run: who declares it, which state has it, and what became of it. An update or delete leaves alone
 * what another resource declares, so that a variable is handed over, not lost: when a Pulumi resource is renamed or replaced,
 * and when a name moves from one resource to another.
 */
export interface OwnedNames {
  /** The program declares the names, in these inputs: the engine checks exactly what the program has. */
  declare(inputs: Properties, names: readonly string[]): void;
  /** Other resources of the program declare the names, whether the engine has shown these resources or not. */
  declareByOthers(names: readonly string[]): void;
  /** Whether the program declares these inputs. A diff alone does not tell: the engine also asks for one in a refresh, of
   * resources that the program has dropped and that are about to be deleted. */
  isDeclaration(inputs: Properties): boolean;
  /** A state that the engine has shown in this run has the names. */
  show(names: readonly string[]): void;
  /** A resource goes on to own the names, as its diff says: for good, or until the state with this `ownerId` is released. */
  keep(inputs: Properties, names: readonly string[], ownerId: string | undefined): void;
  /** The state is about to be deleted, maybe to be replaced. The inputs that its diff compared are then not declared any more. */
  release(ownerId: string): void;
  /** An import has looked at the names. Whoever looks at a name does not own it yet. */
  look(names: readonly string[]): void;
  /** Whether an import of this run has looked at the name. */
  isLookedAt(name: string): boolean;
  /** Whether this run knows the name from an import alone. */
  isOnlyLookedAt(name: string): boolean;
  /** A resource has left the names to others that declare them: state says so until one of those has written them. */
  give(names: readonly string[]): void;
  /** Whether a resource has left the name to others, in this run or in an earlier one. */
  isGiven(name: string): boolean;
  /** A resource has written the names, or taken them over. */
  take(names: Iterable<string>): void;
  /** A resource that declares the names could not write them. */
  fail(names: Iterable<string>): void;
  /**
   * Whether the name must not be deleted. An update leaves what another resource has or declares. The delete of a resource leaves
   * only what another one has, or could not write: what is declared may be its own replacement.
   */
  isLeft(name: string, by: Deleter): boolean;
  /** Notes that a request is about to delete the name. False when it must not: see `isLeft`. */
  delete(name: string, by: Deleter): boolean;
  /** The service has deleted the name. */
  confirmDeleted(name: string): void;
  /** Whether the service has deleted the name in this run, and nobody has written it since. */
  isConfirmedDeleted(name: string): boolean;
  /** Whether a resource declares the name or has it. An update asks about names that its own inputs do not declare. */
  isWanted(name: string): boolean;
  /** Whether a resource has the name: written or taken over in this run, or kept. */
  isTaken(name: string): boolean;
  /** Whether a state of this stack has the name, as far as the engine has shown: a value that exists is the stack's own. */
  isShown(name: string): boolean;
  /** Whether this run may have deleted the name, and nobody has written it since. */
  isDeleted(name: string): boolean;
  /** Whether a resource that declares the name could not write it. */
  hasFailed(name: string): boolean;
  /**
   * Waits until states that the engine shows have the names, or it has probably shown all that the program declares. Never call it
   * within the lock.
   */
  untilShown(names: readonly string[], signal: AbortSignal): Promise<void>;
  /** Waits until the engine has probably shown all that the program declares. Never call it within the lock. */
  untilQuiet(signal: AbortSignal): Promise<void>;
}

/** Who deletes a name: an update of a resource that does not declare it any more, or the delete of a resource. */
export type Deleter = "update" | "resource";

/** The requests of this run that concern the environment's builds. */
export interface BuildRequests {
  /** A request that may begin a build is about to leave. */
  note(): void;
  /** Whether one such request at most has left so far. The effect of one without an answer may be a build that begins
   * after it. Such a build shows that only when no other request of this run can have begun it. */
  readonly isSingle: boolean;
  /** A request that changes variables is about to leave. */
  noteVariableChange(): void;
  /** Whether such a request has left. A build that was there before may be without the change, and the service does not
   * always show that: its times have whole seconds, and of a deleted variable nothing is left. */
  readonly haveVariablesChanged: boolean;
}

/**
 * The environment's variables, in a read that several resources share for a short time, so that refreshing N of them costs
 * one request. Never kept across a write: an answered one is merged in, an ambiguous one drops the read.
 */
export interface SharedVariables {
  /** What `load` gave, a moment ago or now, with what was written since; `undefined` when the environment is gone. */
  get(load: () => Promise<VariablesByName | undefined>): Promise<VariablesByName | undefined>;
  /** The service answered a write of this run; `undefined` for what was deleted. */
  merge(name: string, variable: EnvVar | undefined): void;
  /** What the service holds is not certain any more. */
  drop(): void;
}

/** Variables as the service gave them. */
export type VariablesByName = ReadonlyMap<string, EnvVar>;

/** The environment that a resource or function is about. The specification: identifiers are UUID strings, of any version. */
export const environmentIdField = z.guid().describe("The environment, by its UUID.");

/** One key for one environment, however its id is spelled: a UUID is the same in capitals. */
export function environmentKey(environmentId: string): string {
  return environmentId.toLowerCase();
}

/** Inputs with the environment's id as state has it, when it is the same one: a UUID is the same in capitals. */
export function withStoredEnvironmentId({ environmentId: known }: Properties, news: Properties): Properties {
  const { environmentId } = news;
  const isSame =
    typeof known === "string" &&
    typeof environmentId === "string" &&
    environmentKey(known) === environmentKey(environmentId);
  return isSame ? { ...news, environmentId: known } : news;
}

/** What the resources of a type own in their environment: names that no other resource of the run may take away. */
export interface Ownership {
  readonly kind: NameKind;
  /** The names that a state owns. */
  readonly owned: (state: Properties) => readonly string[];
  /** The names that a state has left to other resources. */
  readonly given?: (state: Properties) => readonly string[];
  /** The names that inputs declare. */
  readonly declared: (inputs: Properties) => readonly string[];
  /** Identity of a state (`revision`), if it has one; its ownership ends when it is deleted. */
  readonly ownerId?: (state: Properties) => string | undefined;
}

/** Tells the environment what becomes of the names of one resource type, call by call. */
export class OwnershipNotes {
  readonly #ownership: Ownership | undefined;

  constructor(ownership: Ownership | undefined) {
    this.#ownership = ownership;
  }

  /** A check; `others` are names that other resources of the program declare, as far as the program says so. */
  checked(inputs: Properties, others: readonly string[], run: Environments | undefined): void {
    this.#with(inputs, run, (names, { declared }) => {
      names.declare(inputs, declared(inputs));
      names.declareByOthers(others);
    });
  }

  /** An import has found a state. */
  imported(state: Properties, run: Environments): void {
    this.#with(state, run, (names, { owned }) => names.look(owned(state)));
  }

  /** A diff, of which `isReplaced` says that it asks for another resource: what the old one has goes then. */
  compared(state: Properties, inputs: Properties, isReplaced: boolean, run: Environments | undefined): void {
    this.shown(state, run);
    this.#with(inputs, run, (names, { owned, declared, ownerId }) => {
      // The engine also asks for a diff in a refresh, of resources that the program has dropped.
      if (isReplaced || !names.isDeclaration(inputs)) return;
      const still = new Set(declared(inputs));
      names.keep(
        inputs,
        owned(state).filter((name) => still.has(name)),
        ownerId?.(state),
      );
    });
  }

  /** A call was given a state. */
  shown(state: Properties, run: Environments | undefined): void {
    this.#with(state, run, (names, { owned, given }) => {
      const left = given?.(state) ?? [];
      names.show([...owned(state), ...left]);
      names.give(left);
    });
  }

  /** A create or update has ended; `state` is what it left, if anything. */
  ended(inputs: Properties, state: Properties | undefined, run: Environments): void {
    this.#with(inputs, run, (names, { owned, declared }) => {
      const now = new Set(state === undefined ? [] : owned(state));
      const wanted = declared(inputs);
      names.take(wanted.filter((name) => now.has(name)));
      names.fail(wanted.filter((name) => !now.has(name)));
    });
  }

  /** A state is about to be deleted. */
  deleting(state: Properties, run: Environments): void {
    this.shown(state, run);
    this.#with(state, run, (names, { ownerId }) => {
      const id = ownerId?.(state);
      if (id !== undefined) names.release(id);
    });
  }

  #with(bag: Properties, run: Environments | undefined, act: (names: OwnedNames, ownership: Ownership) => void): void {
    const ownership = this.#ownership;
    const environment = environmentOf(bag, run);
    if (ownership !== undefined && environment !== undefined) act(environment[ownership.kind], ownership);
  }
}

/** The environment that a bag is about; a preview may not know it yet. */
export function environmentOf(
  { environmentId }: Properties,
  run: Environments | undefined,
): EnvironmentSession | undefined {
  return typeof environmentId === "string" && !isUnknown(environmentId) ? run?.environment(environmentId) : undefined;
}
