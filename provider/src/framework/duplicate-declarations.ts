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
interface Turn extends Declarer {
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
    read("environmentId", (environmentId) => {
      if (typeof environmentId !== "string") return;
      const environment = this.#of(environmentId);
      if (exclusive.kind !== "variables") {
        const { kind } = exclusive;
        report(environment.addDecider(kind, declarer));
        const means = exclusive.kind === "state" ? exclusive.stops : exclusive.starts;
        read(means.input, (value) => {
          if (value === means.value) report(environment.addTurn(kind, { ...declarer, means }));
        });
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
    const environment = this.#environments.get(key) ?? new EnvironmentDeclarations();
    this.#environments.set(key, environment);
    return environment;
  }
}

/** What a resource decides of its environment: its branches, and whether it starts it; or its state, and whether it stops it. */
type Decided = "branches" | "state";

const DECIDED_TWICE: Readonly<Record<Decided, string>> = {
  branches:
    "both decide the branches of the same environment: each would undo the other and cause a build. Declare all branches " +
    "in only one of them.",
  state:
    "both decide whether the same environment runs: one could stop what the other starts. Declare the state in only one of them.",
};

/** What is declared of one environment. Each method notes a declaration, and returns why it conflicts with an earlier one. */
class EnvironmentDeclarations {
  readonly #variables = new Map<string, DeclaredVariable>();
  readonly #writers: Declarer[] = [];
  #onlyWriter: Declarer | undefined;
  readonly #deciders = new Map<Decided, Declarer>();
  readonly #turns = new Map<Decided, Turn>();

  addVariable(name: string, variable: DeclaredVariable): string | undefined {
    const earlier = this.#variables.get(name) ?? variable;
    this.#variables.set(name, earlier);
    if (isSame(earlier.declarer, variable.declarer)) return undefined;
    return (
      `${both(earlier.declarer, variable.declarer)} both declare the variable ${JSON.stringify(name)} of the same ` +
      "environment: each would overwrite the other's value. Declare it in only one of them."
    );
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
    return this.#onlyWriter && pruned(this.#onlyWriter, declarer);
  }

  /** A resource that deletes the variables it does not declare. */
  addOnlyWriter(declarer: Declarer): string | undefined {
    this.#onlyWriter = declarer;
    const other = this.#writers.find((writer) => !isSame(writer, declarer));
    return other && pruned(declarer, other);
  }

  addDecider(what: Decided, declarer: Declarer): string | undefined {
    const earlier = this.#deciders.get(what) ?? declarer;
    this.#deciders.set(what, earlier);
    return isSame(earlier, declarer) ? undefined : `${both(earlier, declarer)} ${DECIDED_TWICE[what]}`;
  }

  /** A resource that starts the environment (`branches`), or stops it (`state`). */
  addTurn(what: Decided, turn: Turn): string | undefined {
    this.#turns.set(what, turn);
    const [starter, stopper] = [this.#turns.get("branches"), this.#turns.get("state")];
    if (starter === undefined || stopper === undefined) return undefined;
    const describe = ({ label, means }: Turn): string => `${label} has \`${means.input}: "${means.value}"\``;
    return (
      `${describe(starter)}, and ${describe(stopper)} for the same environment: one would start what the other stops. ` +
      `Change \`${starter.means.input}\`, or leave the other resource out.`
    );
  }
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function isSame(first: Declarer, second: Declarer): boolean {
  return first.identity === second.identity;
}

/** Two resources in a text: with what tells them apart when their labels are equal. */
function both(first: Declarer, second: Declarer, between: string = " and "): string {
  const isClear = first.label !== second.label;
  const name = ({ label, identity }: Declarer): string => (isClear ? label : `${label} (${identity})`);
  return `${name(first)}${between}${name(second)}`;
}

function pruned(pruner: Declarer, other: Declarer): string | undefined {
  if (isSame(pruner, other)) return undefined;
  return (
    `${both(pruner, other, " has `prune: true`, and ")} declares variables of the same environment: they would ` +
    "be deleted. Declare all variables in one set, or leave `prune` out."
  );
}
