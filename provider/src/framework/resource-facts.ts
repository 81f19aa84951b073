import type { Properties } from "./properties";

/**
 * Facts of a resource type that the classes of a program need too: `generate` writes them into the generated class, so that a
 * program loads no declaration. Plain data only.
 */
export interface ResourceFacts {
  /** Inputs that are always secret. The entries of a map one by one. */
  readonly secrets: readonly string[];
  /** An input that takes the secrecy away when it is literally `false`. */
  readonly secretUnlessFalse?: string | undefined;
  /** Inputs whose texts messages and other outputs repeat. A Pulumi secret among them is taken out of those. */
  readonly shownInMessages: readonly string[];
  /** Outputs that are bookkeeping: left out of diffs and of the reference. */
  readonly internals: readonly string[];
  /** The things that no second resource of the program may declare of the same environment. */
  readonly exclusive?: Exclusive | undefined;
  /** An input that the service's dashboard shows as plain text: a Pulumi secret there is worth a warning. */
  readonly visibleInput?: VisibleInput | undefined;
}

/** Facts of outputs that only the provider needs. */
export interface OutputFacts {
  /** Outputs that are secrets when there is one in an input, each with the name of that input. */
  readonly secretLikes: readonly (readonly [output: string, input: string])[];
  /** Outputs whose texts messages of a delete repeat. */
  readonly shownByDelete: readonly string[];
}

/** The things that a resource declares of its environment, the input `environmentId`, and no second resource may declare, or contradict. */
export type Exclusive =
  | {
      readonly kind: "variables";
      /** Inputs with names of variables: a text is a name, a map has names as keys. */
      readonly nameInputs: readonly string[];
      /** A flag that makes the resource the only one with variables: it deletes all others. */
      readonly deletesOthers?: string;
      /** The input with the value of the variable, where there is one variable only. */
      readonly value?: string;
    }
  | {
      readonly kind: "branches";
      /** Inputs with names of repositories. */
      readonly nameInputs: readonly string[];
      /** With this value it starts the environment. */
      readonly starts: InputValue;
    }
  | {
      readonly kind: "state";
      /** With this value it stops the environment, which no resource may start then. */
      readonly stops: InputValue;
    };

/** A value of an input that means something to other resources. */
export interface InputValue {
  readonly input: string;
  readonly value: string;
}

/** An input that the service shows. When `secrets` names it, it is shown only while `secretUnlessFalse` is `false`. */
export interface VisibleInput {
  readonly name: string;
  /** Advice what to do with a secret instead, for people: "use `secrets`". */
  readonly advice: string;
}

/** The inputs that are secrets by the declaration, in these inputs or in state. */
export function secretInputsOf({ secrets, secretUnlessFalse = "" }: ResourceFacts, bag: Properties): readonly string[] {
  return bag[secretUnlessFalse] === false ? [] : secrets;
}

/**
 * The outputs that are secrets as a whole.
 * @param names the inputs that have secrets, or had some in state before, and the outputs that were secrets there
 */
export function secretOutputsOf({ secretLikes }: OutputFacts, names: ReadonlySet<string>): readonly string[] {
  return secretLikes.filter((pair) => pair.some((name) => names.has(name))).map(([output]) => output);
}

/** The names in an input: a text is one, a map has them as keys. Without those entries that have the value `except`. */
export function namesIn(value: unknown, except?: string): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => (entry === except ? [] : [name]));
}
