import type { Exclusive, InputValue } from "./resource-facts";

// A program loads this file too: it imports nothing that runs.

/** A resource that declares something. */
export interface Declarer {
  /** For people, such as `EnvVarSet "vars"`. */
  readonly label: string;
  /**
   * What a URN says of it: the types of its parents and its own, and its name. Two declarations with one identity are the same
   * resource: the engine itself refuses a second one.
   */
  readonly identity: string;
}

/** A resource that starts or stops its environment, and the value that says so. */
interface Decider extends Declarer {
  readonly means: InputValue;
}

/** Calls `act` with the value of an input, now or when it is known; never when a preview does not know it. */
export type ReadInput = (input: string, act: (value: unknown, isSecret?: boolean) => void) => void;

/** Names of variables, and whether one of them comes from a secret. */
interface DeclaredNames {
  readonly names: readonly string[];
  readonly isSecret: boolean;
}

/** The first resource that declares a variable. */
interface DeclaredVariable {
  readonly declarer: Declarer;
  /** Whether its name comes from a secret. */
  readonly isSecret: boolean;
}

/** What the resources of one program declare, to refuse a second declaration of the same thing. */
export class DuplicateDeclarations {
  readonly #environments = new Map<string, EnvironmentDeclarations>();

  /** Notes what a resource declares. `onConflict` gets the text of each conflict with an earlier declaration. */
  add(declarer: Declarer, exclusive: Exclusive, read: ReadInput, onConflict: (text: string) => void): void {
    const report = (conflict: string | undefined): void => {
      if (conflict !== undefined) onConflict(conflict);
    };
    const readValue = (means: InputValue, act: (decider: Decider) => void): void =>
      read(means.input, (value) => {
        if (value === means.value) act({ ...declarer, means });
      });
    read("environmentId", (environmentId) => {
      if (typeof environmentId !== "string") return;
      const environment = this.#of(environmentId);
      if (exclusive.kind === "state") {
        report(environment.addState(declarer));
        readValue(exclusive.stops, (stopper) => report(environment.addStopper(stopper)));
        return;
      }
      if (exclusive.kind === "branches") {
        report(environment.addBranches(declarer));
        readValue(exclusive.starts, (starter) => report(environment.addStarter(starter)));
        return;
      }
      report(environment.addWriter(declarer));
      const { names, deletesOthers } = exclusive;
      if (deletesOthers !== undefined)
        read(deletesOthers, (flag) => {
          if (flag === true) report(environment.addOnlyWriter(declarer));
        });
      for (const input of names)
        read(input, (value, isSecret = false) => {
          for (const name of namesIn(value)) report(environment.addVariable(name, { declarer, isSecret }));
        });
    });
  }

  /** What other resources declare of an environment, sorted; `undefined` when none declares variables of it. */
  declaredByOthers(declarer: Declarer, environmentId: string): DeclaredNames | undefined {
    return this.#of(environmentId).declaredByOthers(declarer);
  }

  #of(environmentId: string): EnvironmentDeclarations {
    // A UUID is the same in capitals.
    const key = environmentId.toLowerCase();
    const found = this.#environments.get(key) ?? new EnvironmentDeclarations();
    this.#environments.set(key, found);
    return found;
  }
}

/** What is declared of one environment. Each method notes a declaration, and returns why it conflicts with an earlier one. */
class EnvironmentDeclarations {
  readonly #variables = new Map<string, DeclaredVariable>();
  readonly #writers: Declarer[] = [];
  #onlyWriter: Declarer | undefined;
  #branches: Declarer | undefined;
  #state: Declarer | undefined;
  #starter: Decider | undefined;
  #stopper: Decider | undefined;

  addVariable(name: string, variable: DeclaredVariable): string | undefined {
    const earlier = this.#variables.get(name) ?? variable;
    this.#variables.set(name, earlier);
    const [one, other] = [earlier.declarer, variable.declarer];
    return isSame(one, other) ? undefined : sameVariable(name, one, other);
  }

  declaredByOthers(declarer: Declarer): DeclaredNames | undefined {
    if (this.#writers.every((writer) => isSame(writer, declarer))) return undefined;
    const others = [...this.#variables].filter(([, variable]) => !isSame(variable.declarer, declarer));
    return {
      names: others.map(([name]) => name).toSorted(),
      isSecret: others.some(([, { isSecret }]) => isSecret),
    };
  }

  /** A resource that declares variables, whichever. */
  addWriter(declarer: Declarer): string | undefined {
    this.#writers.push(declarer);
    return isSame(this.#onlyWriter ?? declarer, declarer) ? undefined : pruned(this.#onlyWriter ?? declarer, declarer);
  }

  /** A resource that deletes the variables it does not declare. */
  addOnlyWriter(declarer: Declarer): string | undefined {
    this.#onlyWriter = declarer;
    const other = this.#writers.find((one) => !isSame(one, declarer));
    return other && pruned(declarer, other);
  }

  addBranches(declarer: Declarer): string | undefined {
    this.#branches ??= declarer;
    return isSame(this.#branches, declarer) ? undefined : sameBranches(this.#branches, declarer);
  }

  /** A resource that decides whether the environment runs. */
  addState(declarer: Declarer): string | undefined {
    this.#state ??= declarer;
    return isSame(this.#state, declarer) ? undefined : sameState(this.#state, declarer);
  }

  /** A resource that may start the environment. */
  addStarter(starter: Decider): string | undefined {
    this.#starter = starter;
    return this.#stopper && contradicting(starter, this.#stopper);
  }

  /** A resource that stops the environment. */
  addStopper(stopper: Decider): string | undefined {
    this.#stopper = stopper;
    return this.#starter && contradicting(this.#starter, stopper);
  }
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function isSame(one: Declarer, other: Declarer): boolean {
  return one.identity === other.identity;
}

/** How a text names two resources: with what tells them apart when their labels are equal. */
function namesOf(one: Declarer, other: Declarer): readonly [string, string] {
  if (one.label !== other.label) return [one.label, other.label];
  return [`${one.label} (${one.identity})`, `${other.label} (${other.identity})`];
}

function sameVariable(name: string, one: Declarer, other: Declarer): string {
  const [first, second] = namesOf(one, other);
  return (
    `${first} and ${second} both declare the variable ${JSON.stringify(name)} of the same environment: ` +
    "each would overwrite the other's value. Declare it in only one of them."
  );
}

function pruned(pruner: Declarer, other: Declarer): string {
  const [first, second] = namesOf(pruner, other);
  return (
    `${first} has \`prune: true\`, and ${second} declares variables of the same environment: they would ` +
    "be deleted. Declare all variables in one set, or leave `prune` out."
  );
}

function sameBranches(one: Declarer, other: Declarer): string {
  const [first, second] = namesOf(one, other);
  return (
    `${first} and ${second} both decide the branches of the same environment: each would undo the other and ` +
    "cause a build. Declare all branches in only one of them."
  );
}

function sameState(one: Declarer, other: Declarer): string {
  return (
    `${one.label} and ${other.label} both decide whether the same environment runs: one could stop what the other starts. ` +
    "Declare the state in only one of them."
  );
}

function contradicting(starter: Decider, stopper: Decider): string {
  const describe = ({ label, means }: Decider): string => `${label} has \`${means.input}: "${means.value}"\``;
  return (
    `${describe(starter)}, and ${describe(stopper)} for the same environment: one would start what the other stops. ` +
    `Change \`${starter.means.input}\`, or leave the other resource out.`
  );
}
