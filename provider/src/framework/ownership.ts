import type { Environments } from "./context";
import type { EnvironmentSession, NameKind, OwnedNames } from "./environment-session";
import { isUnknown, type Properties } from "./properties";

/** What the resources of a type own in their environment: names that no other resource of the run may take away. */
export interface Ownership {
  readonly kind: NameKind;
  /** The names that a state owns. */
  readonly owned: (state: Properties) => readonly string[];
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

  checked(inputs: Properties, run: Environments | undefined): void {
    this.#with(inputs, run, (names, { declared }) => names.declare(inputs, declared(inputs)));
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
    this.#with(state, run, (names, { owned }) => names.show(owned(state)));
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
