/*
 * What two resources of one program cannot both have. This file stands alone, because a program loads it too.
 */

/** A resource as an error names it. */
export interface Holder {
  /** Such as `EnvVarSet "vars"`. */
  readonly label: string;
  /** Two declarations with one identity are one resource to the engine, which refuses that itself. */
  readonly identity: string;
}

/** What a resource wants of its environment. */
export type Claim =
  /** Some variables, whichever. */
  | { readonly kind: "variables" }
  | { readonly kind: "variable"; readonly name: string }
  /** Every variable: what is not declared goes. */
  | { readonly kind: "prune" }
  | { readonly kind: "branches" };

/** How the resources of a type take part: which inputs say what they claim of their environment. */
export interface Part {
  /** What every resource of the type claims. */
  readonly always: readonly Claim[];
  /** A property that is the name of a variable. */
  readonly single?: string;
  /** Maps whose keys are names of variables. */
  readonly maps?: readonly string[];
  /** A flag that claims all other variables too. */
  readonly prune?: string;
}

/** The types that claim something, each with its part. */
export const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ["EnvVarSet", { always: [{ kind: "variables" }], maps: ["variables", "secrets"], prune: "prune" }],
  ["EnvVar", { always: [{ kind: "variables" }], single: "name" }],
  ["EnvironmentBranches", { always: [{ kind: "branches" }] }],
]);

/** What the resources of one run claim, environment by environment. */
export class DuplicateDeclarations {
  readonly #environments = new Map<string, EnvironmentClaims>();

  /** The claims of one environment, whatever the case of its UUID. */
  of(environmentId: string): EnvironmentClaims {
    const key = environmentId.toLowerCase();
    const claims = this.#environments.get(key) ?? new EnvironmentClaims();
    this.#environments.set(key, claims);
    return claims;
  }
}

/** What the resources of one run claim of one environment. */
class EnvironmentClaims {
  readonly #variables = new Map<string, Holder>();
  readonly #sets: Holder[] = [];
  #pruner: Holder | undefined;
  #branches: Holder | undefined;

  /** Notes a claim. Returns why it cannot stand beside an earlier one. */
  add(claim: Claim, holder: Holder): string | undefined {
    if (claim.kind === "variable") return this.#addVariable(claim.name, holder);
    if (claim.kind === "branches") {
      this.#branches ??= holder;
      return isSame(this.#branches, holder) ? undefined : branchesTwice(this.#branches, holder);
    }
    if (claim.kind === "variables") {
      this.#sets.push(holder);
      return this.#refusePruning(this.#pruner, holder);
    }
    this.#pruner = holder;
    return this.#sets.map((other) => this.#refusePruning(holder, other)).find((text) => text !== undefined);
  }

  #addVariable(name: string, holder: Holder): string | undefined {
    const earlier = this.#variables.get(name) ?? holder;
    this.#variables.set(name, earlier);
    return isSame(earlier, holder) ? undefined : declaredTwice(name, earlier, holder);
  }

  #refusePruning(pruner: Holder | undefined, other: Holder): string | undefined {
    return pruner === undefined || isSame(pruner, other) ? undefined : prunedBeside(pruner, other);
  }
}

function isSame(one: Holder, other: Holder): boolean {
  return one.identity === other.identity;
}

function declaredTwice(name: string, one: Holder, other: Holder): string {
  return (
    `${one.label} and ${other.label} both declare the variable ${JSON.stringify(name)} of the same environment: ` +
    "each would overwrite the other's value. Leave it in one of them."
  );
}

function prunedBeside(pruner: Holder, other: Holder): string {
  return (
    `${pruner.label} has \`prune: true\`, and ${other.label} declares variables of the same environment: they would ` +
    "be deleted. Declare all variables in one set, or leave `prune` out."
  );
}

function branchesTwice(one: Holder, other: Holder): string {
  return (
    `${one.label} and ${other.label} both decide the branches of the same environment: each would undo the other and ` +
    "cause a build. Declare all branches in one of them."
  );
}
