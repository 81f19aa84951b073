import { environmentKey } from "../client/text-rules";
import { EXISTING } from "./existing-text";
import type { Properties } from "./properties";
import { type Exclusive, type InputValue, namesIn } from "./resource-facts";

// A program loads this file too: it imports nothing that is heavy.

/** A resource that declares something. */
export interface Declarer {
  /** For people, such as `EnvVarSet "vars"`. */
  readonly label: string;
  /**
   * The part of a URN that tells it: the types of its parents and its own, and its name. Two declarations with one identity are the same
   * resource: the engine itself refuses a second one.
   */
  readonly identity: string;
}

/** A resource that decides the branches of its environment, or whether it runs. */
interface Decider extends Declarer {
  /** The value with which it starts or stops the environment. */
  readonly means: InputValue;
  readonly hasThatValue: boolean;
}

/** The declarations about one environment, each by the first resource that does. */
class EnvironmentDeclarations {
  /** By name. */
  readonly variables = new Map<string, Declarer>();
  /** The resources that declare variables, whichever, by their identity. */
  readonly writers = new Map<string, Declarer>();
  /** The resource that deletes the variables it does not declare. */
  pruner: Declarer | undefined;
  /** The resources that decide the branches, and whether the environment runs. */
  branches: Decider | undefined;
  state: Decider | undefined;
}

/** The declarations of all resources of one program, to refuse a second declaration of the same thing. */
export class DuplicateDeclarations {
  readonly #environments = new Map<string, EnvironmentDeclarations>();

  /**
   * Notes what a resource declares by those of its inputs that are known, and returns the text of its first conflict with other
   * declarations. A caller that comes to know more of the inputs calls it again.
   */
  add(declarer: Declarer, exclusive: Exclusive, inputs: Properties): string | undefined {
    const { environmentId } = inputs;
    if (typeof environmentId !== "string") return undefined;
    const environment = this.#of(environmentId);
    if (exclusive.kind === "variables") return addVariables(environment, declarer, exclusive, inputs);
    const means = exclusive.kind === "state" ? exclusive.stops : exclusive.starts;
    return addDecider(environment, declarer, exclusive.kind, inputs, means);
  }

  #of(environmentId: string): EnvironmentDeclarations {
    const key = environmentKey(environmentId);
    const environment = this.#environments.get(key) ?? new EnvironmentDeclarations();
    this.#environments.set(key, environment);
    return environment;
  }
}

function addVariables(
  environment: EnvironmentDeclarations,
  declarer: Declarer,
  { nameInputs, deletesOthers, value }: Extract<Exclusive, { kind: "variables" }>,
  inputs: Properties,
): string | undefined {
  const { writers, variables } = environment;
  writers.set(declarer.identity, declarer);
  if (deletesOthers !== undefined && inputs[deletesOthers] === true) environment.pruner = declarer;
  let conflict: string | undefined;
  const { pruner } = environment;
  if (pruner !== undefined) {
    const others = isSame(pruner, declarer) ? [...writers.values()] : [declarer];
    const other = others.find((writer) => !isSame(writer, pruner));
    if (other !== undefined) conflict = prunedText(...labelsOf(pruner, other));
  }
  // With `existing()` a resource overwrites nothing, so others may declare the name, too.
  const isLeft = value !== undefined && inputs[value] === EXISTING;
  for (const input of isLeft ? [] : nameInputs)
    for (const name of namesIn(inputs[input], EXISTING)) {
      const first = variables.get(name) ?? declarer;
      variables.set(name, first);
      if (!isSame(first, declarer)) conflict ??= sameVariableText(name, ...labelsOf(first, declarer));
    }
  return conflict;
}

/** A resource that decides the branches of its environment, or whether it runs. `means` is what others must not contradict. */
function addDecider(
  environment: EnvironmentDeclarations,
  declarer: Declarer,
  kind: "branches" | "state",
  inputs: Properties,
  means: InputValue,
): string | undefined {
  const first = environment[kind] ?? declarer;
  if (!isSame(first, declarer)) return sameDecisionText(kind, ...labelsOf(first, declarer));
  environment[kind] = { ...declarer, means, hasThatValue: inputs[means.input] === means.value };
  const { branches, state } = environment;
  return branches?.hasThatValue && state?.hasThatValue ? contradictionText(branches, state) : undefined;
}

function isSame(declarer: Declarer, other: Declarer): boolean {
  return declarer.identity === other.identity;
}

/** How a text names two resources: with what tells them apart when their labels are equal. */
function labelsOf(declarer: Declarer, other: Declarer): readonly [string, string] {
  if (declarer.label !== other.label) return [declarer.label, other.label];
  return [`${declarer.label} (${declarer.identity})`, `${other.label} (${other.identity})`];
}

function sameVariableText(name: string, first: string, second: string): string {
  return (
    `${first} and ${second} both declare the variable ${JSON.stringify(name)} of the same environment: ` +
    "each would overwrite the other's value. Declare it in only one of them. With `ignoreChanges`, a resource goes on to declare what " +
    "it declared before."
  );
}

function prunedText(pruner: string, other: string): string {
  return (
    `${pruner} has \`prune: true\`, and ${other} declares variables of the same environment: they would ` +
    "be deleted. Declare all variables in one set, or leave `prune` out."
  );
}

function sameDecisionText(kind: "branches" | "state", first: string, second: string): string {
  return kind === "branches"
    ? `${first} and ${second} both decide the branches of the same environment: each would undo the other and ` +
        "cause a build. Declare all branches in only one of them."
    : `${first} and ${second} both decide whether the same environment runs: one could stop what the other starts. ` +
        "Declare the state in only one of them.";
}

function contradictionText(starter: Decider, stopper: Decider): string {
  const describe = ({ label, means }: Decider): string => `${label} has \`${means.input}: "${means.value}"\``;
  return (
    `${describe(starter)}, and ${describe(stopper)} for the same environment: one would start what the other stops. ` +
    `Change \`${starter.means.input}\`, or leave the other resource out.`
  );
}
