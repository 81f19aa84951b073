import * as z from "zod";
import type { Environments, EnvironmentSession } from "../run/environment-session";
import type { OwnedNames } from "../run/owned-names";
import { fingerprint, isUnknown, type Properties } from "./properties";

export type { Environments, EnvironmentSession } from "../run/environment-session";
export type { Deleter, OwnedNames } from "../run/owned-names";
export type { SharedVariables, VariablesByName } from "../run/shared-variables";

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
  readonly kind: "variables" | "branches";
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
      names.declare(fingerprint(inputs), declared(inputs), others);
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
      if (isReplaced || !names.isDeclaration(fingerprint(inputs))) return;
      const still = new Set(declared(inputs));
      const kept = owned(state).filter((name) => still.has(name));
      names.keep(kept, [...still], ownerId?.(state));
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
