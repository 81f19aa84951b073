import type { EngineActivity } from "./engine-activity";

/** What deletes a name: a write of a resource that does not declare it any more, or the delete of a resource. */
export type Deleter = "update" | "delete";

/**
 * What the last write or delete of this run came to. `deleted`: a request has begun to delete the name, whatever became of it, and nobody
 * has written it since.
 */
export type NameResult = "taken" | "failed" | "deleted";

/**
 * Which resource declares or owns each name in this run, and what became of it. The names are variables, or repositories with their
 * branch. An update or delete leaves alone what another resource declares, so that a variable is handed over, not lost: when a Pulumi
 * resource is renamed or replaced, and when a name moves from one resource to another.
 */
export class OwnedNames {
  readonly #engine: EngineActivity;
  readonly #declarations = new Set<string>();
  /** How many declarations have a name. */
  readonly #declared = new Map<string, number>();
  readonly #declaredByOthers = new Set<string>();
  readonly #ofThisStack = new Set<string>();
  readonly #imported = new Set<string>();
  readonly #handedOver = new Set<string>();
  /** By the `stateId` of a state: the names that it goes on to own, and all that its inputs declare. */
  readonly #kept = new Map<string, { readonly names: ReadonlySet<string>; readonly declared: readonly string[] }>();
  readonly #results = new Map<string, NameResult>();

  constructor(engine: EngineActivity) {
    this.#engine = engine;
  }

  /**
   * The program declares the names, in inputs with this fingerprint: the engine checks exactly what the program has. Other resources of
   * the program declare `others`, whether the engine has shown these resources or not.
   */
  declare(declaration: string, names: readonly string[], others: readonly string[]): void {
    this.#declarations.add(declaration);
    this.#count(names, 1);
    for (const name of others) this.#declaredByOthers.add(name);
  }

  /** A state that the engine has shown in this run has the names, and has left `handedOver` to other resources. */
  noteState(names: readonly string[], handedOver: readonly string[]): void {
    // Who has only looked at a name does not have it.
    for (const name of [...names, ...handedOver]) if (!this.isOnlyImported(name)) this.#ofThisStack.add(name);
    this.handOver(handedOver);
  }

  /** Whether a state of this stack has the name, as far as the engine has shown. A variable with this name on the service is then the stack's own. */
  isOfThisStack(name: string): boolean {
    return this.#ofThisStack.has(name);
  }

  /**
   * A diff says that a resource goes on to own those of its names that the compared inputs declare: for good, or until the state with
   * this `stateId` is released. Only when the program has these inputs: in a refresh, the engine also asks for a diff of resources that
   * the program has dropped and that are about to be deleted.
   */
  keep(declaration: string, owned: readonly string[], declared: readonly string[], stateId: string | undefined): void {
    if (!this.#declarations.has(declaration)) return;
    const still = new Set(declared);
    const names = owned.filter((name) => still.has(name) && this.resultOf(name) !== "deleted");
    if (stateId === undefined) this.take(names);
    else if (!this.#kept.has(stateId)) this.#kept.set(stateId, { names: new Set(names), declared });
  }

  /** The state is about to be deleted, maybe to be replaced. The inputs that its diff compared are then not declared any more. */
  release(stateId: string | undefined): void {
    if (stateId === undefined) return;
    this.#count(this.#kept.get(stateId)?.declared ?? [], -1);
    this.#kept.delete(stateId);
  }

  /** An import has looked at the names. Whoever looks at a name does not own it yet. */
  noteImport(names: readonly string[]): void {
    for (const name of names) this.#imported.add(name);
  }

  /** Whether an import of this run has looked at the name. */
  isImported(name: string): boolean {
    return this.#imported.has(name);
  }

  /** Whether this run knows the name from an import alone. */
  isOnlyImported(name: string): boolean {
    return this.isImported(name) && this.resultOf(name) !== "taken";
  }

  /** A resource has left the names to others that declare them: state says so until one of those has written them. */
  handOver(names: readonly string[]): void {
    for (const name of names) this.#handedOver.add(name);
  }

  /** Whether a resource has left the name to others, in this run or in an earlier one. */
  isHandedOver(name: string): boolean {
    return this.#handedOver.has(name);
  }

  /** A resource has written the names, or taken them over. */
  take(names: Iterable<string>): void {
    for (const name of names) this.#results.set(name, "taken");
  }

  /** A resource that declares the names could not write them. */
  fail(names: Iterable<string>): void {
    for (const name of names) if (this.resultOf(name) !== "taken") this.#results.set(name, "failed");
  }

  /** What this run has made of the name. What a diff keeps is taken, too. */
  resultOf(name: string): NameResult | undefined {
    const isKept = [...this.#kept.values()].some(({ names }) => names.has(name));
    return isKept ? "taken" : this.#results.get(name);
  }

  /** Whether a resource declares the name or has it. An update asks about names that its own inputs do not declare. */
  isDeclaredOrOwned(name: string): boolean {
    const isDeclared = (this.#declared.get(name) ?? 0) > 0 || this.#declaredByOthers.has(name);
    return isDeclared || this.resultOf(name) === "taken";
  }

  /**
   * Whether the name must not be deleted. An update leaves what another resource has or declares. The delete of a resource leaves
   * only what another one has, or could not write: what is declared may be its own replacement.
   */
  mustStay(name: string, by: Deleter): boolean {
    if (by !== "delete") return this.isDeclaredOrOwned(name);
    const result = this.resultOf(name);
    return result === "taken" || result === "failed";
  }

  /** Notes that a request is about to delete the name. False when it must not: see `mustStay`. */
  claimDelete(name: string, by: Deleter): boolean {
    if (this.mustStay(name, by)) return false;
    this.#results.set(name, "deleted");
    return true;
  }

  /**
   * Waits until the engine has probably shown all that the program declares: it has been quiet for a moment, and has shown who declares the
   * names that `declare` says of others. Never call it within the lock.
   */
  async untilEngineIsQuiet(signal: AbortSignal): Promise<void> {
    let goesOn = true;
    while (goesOn) {
      const isExpecting = [...this.#declaredByOthers].some((name) => (this.#declared.get(name) ?? 0) === 0);
      goesOn = await this.#engine.pause(isExpecting, signal);
    }
  }

  #count(names: readonly string[], change: number): void {
    for (const name of names) this.#declared.set(name, (this.#declared.get(name) ?? 0) + change);
  }
}
