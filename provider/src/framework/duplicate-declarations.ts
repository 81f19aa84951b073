import { type Exclusive, type InputValue, namesIn } from "./resource-facts";

// A program loads this file too: it imports nothing that is heavy.

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

/** Calls `act` with the value of an input, now or when it is known. Never when a preview does not know it. */
export type ReadInput = (input: string, act: (value: unknown, isSecret?: boolean) => void) => void;

/** Names of variables, and whether one of them comes from a secret. */
interface DeclaredNames {
  readonly names: readonly string[];
  readonly isSecret: boolean;
}

/** What is declared of one environment, each by the first resource that does. */
class EnvironmentDeclarations {
  /** By name. With whether the name comes from a secret. */
  readonly variables = new Map<string, { readonly declarer: Declarer; readonly isSecret: boolean }>();
  /** The resources that declare variables, whichever. */
  readonly writers: Declarer[] = [];
  /** The resource that deletes the variables it does not declare. */
  pruner: Declarer | undefined;
  /** The resources that decide the branches, and whether the environment runs. */
  branches: Declarer | undefined;
  state: Declarer | undefined;
  starter: Decider | undefined;
  stopper: Decider | undefined;
}

/** What the resources of one program declare, to refuse a second declaration of the same thing. */
export class DuplicateDeclarations {
  readonly #environments = new Map<string, EnvironmentDeclarations>();

  /** Notes what a resource declares. `onConflict` gets the text of each conflict with an earlier declaration. */
  add(declarer: Declarer, exclusive: Exclusive, read: ReadInput, onConflict: (text: string) => void): void {
    const refuse = (other: Declarer | undefined, text: (other: string, own: string) => string): void => {
      if (other !== undefined && !isSame(other, declarer)) onConflict(text(...namesOf(other, declarer)));
    };
    read("environmentId", (environmentId) => {
      if (typeof environmentId !== "string") return;
      const environment = this.#of(environmentId);
      if (exclusive.kind !== "variables") {
        environment[exclusive.kind] ??= declarer;
        refuse(environment[exclusive.kind], exclusive.kind === "state" ? sameState : sameBranches);
        const means = exclusive.kind === "state" ? exclusive.stops : exclusive.starts;
        read(means.input, (value) => {
          if (value !== means.value) return;
          environment[exclusive.kind === "state" ? "stopper" : "starter"] = { ...declarer, means };
          const { starter, stopper } = environment;
          if (starter && stopper) onConflict(contradicting(starter, stopper));
        });
        return;
      }
      environment.writers.push(declarer);
      refuse(environment.pruner, pruned);
      const { names, deletesOthers } = exclusive;
      if (deletesOthers !== undefined)
        read(deletesOthers, (flag) => {
          if (flag !== true) return;
          environment.pruner = declarer;
          const other = environment.writers.find((writer) => !isSame(writer, declarer));
          refuse(other, (writer, pruner) => pruned(pruner, writer));
        });
      for (const input of names)
        read(input, (value, isSecret = false) => {
          for (const name of namesIn(value)) {
            const first = environment.variables.get(name) ?? { declarer, isSecret };
            environment.variables.set(name, first);
            refuse(first.declarer, (other, own) => sameVariable(name, other, own));
          }
        });
    });
  }

  /** What other resources declare of an environment, sorted. `undefined` when none declares variables of it. */
  declaredByOthers(declarer: Declarer, environmentId: string): DeclaredNames | undefined {
    const { writers, variables } = this.#of(environmentId);
    if (writers.every((writer) => isSame(writer, declarer))) return undefined;
    const others = [...variables].filter(([, variable]) => !isSame(variable.declarer, declarer));
    return {
      names: others.map(([name]) => name).toSorted(),
      isSecret: others.some(([, { isSecret }]) => isSecret),
    };
  }

  #of(environmentId: string): EnvironmentDeclarations {
    // A UUID is the same in capitals.
    const key = environmentId.toLowerCase();
    const environment = this.#environments.get(key) ?? new EnvironmentDeclarations();
    this.#environments.set(key, environment);
    return environment;
  }
}

function isSame(one: Declarer, other: Declarer): boolean {
  return one.identity === other.identity;
}

/** How a text names two resources: with what tells them apart when their labels are equal. */
function namesOf(one: Declarer, other: Declarer): readonly [string, string] {
  if (one.label !== other.label) return [one.label, other.label];
  return [`${one.label} (${one.identity})`, `${other.label} (${other.identity})`];
}

function sameVariable(name: string, one: string, other: string): string {
  return (
    `${one} and ${other} both declare the variable ${JSON.stringify(name)} of the same environment: ` +
    "each would overwrite the other's value. Declare it in only one of them."
  );
}

function pruned(pruner: string, other: string): string {
  return (
    `${pruner} has \`prune: true\`, and ${other} declares variables of the same environment: they would ` +
    "be deleted. Declare all variables in one set, or leave `prune` out."
  );
}

function sameBranches(one: string, other: string): string {
  return (
    `${one} and ${other} both decide the branches of the same environment: each would undo the other and ` +
    "cause a build. Declare all branches in only one of them."
  );
}

function sameState(one: string, other: string): string {
  return (
    `${one} and ${other} both decide whether the same environment runs: one could stop what the other starts. ` +
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
