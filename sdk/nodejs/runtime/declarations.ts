import { setImmediate, setTimeout } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { type Declarer, DuplicateDeclarations } from "../../../provider/src/framework/duplicate-declarations";
import type { Exclusive } from "../../../provider/src/framework/resource-facts";
import { failProgram } from "./failure";
import type { Given } from "./inputs";
import { isLater, isStackReference, knownValue, type Later, resourcesOf } from "./outputs";
import { perRun } from "./program-run";

/**
 * How long a set waits for an Output of the program's own code or of another stack, after the turn and after all calls of functions.
 * Such an Output may hide a resource that waits for this very set: only time tells. Nothing else on the way to a value is as slow.
 */
const PATIENCE_MS = 5_000;

/** Promises that have not ended yet. */
class UnderWay {
  readonly #promises = new Set<Promise<unknown>>();

  add<T>(promise: Promise<T>): Promise<T> {
    this.#promises.add(promise);
    const end = (): boolean => this.#promises.delete(promise);
    promise.then(end, end);
    return promise;
  }

  /** Resolves when all have ended, and all that were added meanwhile: the end of one may begin another. */
  async ended(): Promise<void> {
    while (this.#promises.size > 0) {
      await Promise.allSettled(this.#promises);
      await setImmediate();
    }
  }
}

/** What the resources of one run declare, and what its sets wait for before they register. */
class ProgramDeclarations {
  readonly duplicates = new DuplicateDeclarations();
  /** Calls of functions that wait for nothing but their answer: never for another resource of the program. */
  readonly calls = new UnderWay();
  /** Reads of inputs that say which variables the resources of the program declare. */
  readonly reads = new UnderWay();
  readonly #turns: { readonly environmentId: string; readonly begin: () => void }[] = [];
  #turn: Promise<void> | undefined;

  /**
   * Resolves when the current turn of the program is over, in which it declares what it can without awaiting anything, and
   * the inputs are known, or never will be. Never rejects.
   */
  afterTurn(): Promise<void> {
    // One for all resources of the turn: there may be a thousand.
    this.#turn ??= this.#endTurn();
    return this.#turn;
  }

  async #endTurn(): Promise<void> {
    await setImmediate();
    this.#turn = undefined;
    const giveUp = new AbortController();
    await Promise.race([this.reads.ended(), this.#patience(giveUp.signal)]);
    giveUp.abort();
  }

  async #patience(signal: AbortSignal): Promise<void> {
    // The timer keeps the process alive: when every registration waits, nothing else does.
    await setTimeout(PATIENCE_MS, undefined, { signal }).catch(() => undefined);
    await this.calls.ended();
  }

  /**
   * Resolves when it is the turn of a set of this environment: they register right after each other. While a resource is updated,
   * the engine looks at the next one: so it shows the state of the set that gives a name away while the set that takes it may still
   * wait for that. In any other order, the takers of 40 environments hold all of the engine's workers before a giver is shown. With
   * `--parallel 1` that is likely, not certain: a registration may overtake another one (docs/limits.md).
   */
  async turnOf(environmentId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turns.push({ environmentId, begin: resolve });
    if (this.#turns.length === 1) void this.#giveTurns();
    return promise;
  }

  async #giveTurns(): Promise<void> {
    // Until then, all sets that are ready have come.
    await setImmediate();
    const turns = this.#turns
      .splice(0)
      .toSorted((first, second) => first.environmentId.localeCompare(second.environmentId));
    for (const { begin } of turns) {
      begin();
      // The registration leaves before the next one.
      await setImmediate();
    }
  }
}

const program = perRun(() => new ProgramDeclarations());

/**
 * Notes what a resource declares, and refuses what another resource of the program declares already. Plain values are
 * compared at once. Outputs are compared when their values are known. What a preview does not know is not compared.
 * @throws pulumi.RunError when the conflict is seen at once. Later it ends the program
 */
export function declare(exclusive: Exclusive, declarer: Declarer, args: Given): void {
  const plain = Object.entries(args).filter(([, value]) => !isLater(value));
  const knownInputs: Record<string, unknown> = Object.fromEntries(plain);
  const secretInputs = new Set<string>();
  let isRefused = false;
  const compare = (): void => {
    const [conflict] = isRefused ? [] : program().duplicates.add(declarer, exclusive, knownInputs, secretInputs);
    if (conflict === undefined) return;
    isRefused = true;
    throw new pulumi.RunError(conflict);
  };
  compare();
  const compareWith = async (input: string, value: Later<unknown>): Promise<void> => {
    const later = await knownValue(value);
    if (later === undefined) return;
    knownInputs[input] = later.value;
    if (later.isSecret) secretInputs.add(input);
    compare();
  };
  for (const [input, value] of Object.entries(args)) {
    if (!isLater(value)) continue;
    const reading = compareWith(input, value);
    // A failed Output that nobody reads is several unhandled rejections: this way it is one error without a stack.
    reading.catch(failProgram);
    // The sets of the program wait for it. A resource that the value comes from may itself wait for the sets.
    if (exclusive.kind === "variables" && resourcesOf(value).every(isStackReference)) void program().reads.add(reading);
  }
}

/**
 * The names of variables that other resources of the program declare of the environment of this one, sorted: what it loses to
 * them it does not delete. A secret when one of them comes from a secret. Known when the turn of the program is over and all else
 * is known that the names come from, but for outputs of other resources. `undefined` when no other resource declares
 * variables there. Never rejects.
 */
export async function declaredByOthers(
  declarer: Declarer,
  environmentId: unknown,
): Promise<pulumi.Input<readonly string[]> | undefined> {
  // Of this run: another one may begin while it waits.
  const declarations = program();
  // The resource whose input it is reports that it failed.
  const id = isLater(environmentId) ? (await knownValue(environmentId).catch(() => undefined))?.value : environmentId;
  await declarations.afterTurn();
  if (typeof id !== "string") return undefined;
  const others = declarations.duplicates.declaredByOthers(declarer, id);
  if (others === undefined) return undefined;
  await declarations.turnOf(id.toLowerCase());
  return others.isSecret ? pulumi.secret(others.names) : others.names;
}

/** Notes a call of a function, for which sets may wait: their ids and names may come from its answer. */
export function noteCall<T>(answered: Promise<T>): Promise<T> {
  return program().calls.add(answered);
}
