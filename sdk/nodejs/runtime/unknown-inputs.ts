import { setImmediate, setTimeout } from "node:timers/promises";
import { callsAnswered } from "./calls-under-way";

/**
 * How long a set waits for an Output of the program's own code, after the turn and after all calls of functions. Such an Output
 * may hide a resource that waits for this very set: only time tells. Nothing on the way to a value is as slow as this.
 */
const OWN_CODE_MS = 5_000;
/** The same for outputs of other stacks: the engine reads them, which may be slow, and they may hide a resource, too. */
const STACK_REFERENCE_MS = 60_000;

/** Inputs that say which variables the resources of a program declare, while their values are not known. */
export class UnknownInputs {
  /** What reads each of them, and whether it is an output of another stack. */
  readonly #reads = new Map<Promise<void>, boolean>();
  #turn: Promise<void> | undefined;

  /** Adds an input until `read`, which never rejects, is done. */
  add(read: Promise<void>, fromStack: boolean): void {
    this.#reads.set(read, fromStack);
    void read.then(() => this.#reads.delete(read));
  }

  /**
   * Resolves when the current turn of the program is over, in which it declares what it can without awaiting anything, and
   * these inputs are known, or never will be. Never rejects.
   */
  afterTurn(): Promise<void> {
    // One for all resources of the turn: there may be a thousand.
    this.#turn ??= this.#endTurn();
    return this.#turn;
  }

  async #endTurn(): Promise<void> {
    await setImmediate();
    this.#turn = undefined;
    if (this.#reads.size === 0) return;
    const giveUp = new AbortController();
    await Promise.race([this.#known(), this.#patience(giveUp.signal)]);
    giveUp.abort();
  }

  async #known(): Promise<void> {
    // A read may begin others: the names follow the environment.
    while (this.#reads.size > 0) await Promise.all(this.#reads.keys());
  }

  async #patience(signal: AbortSignal): Promise<void> {
    // The timers keep the process alive: when every registration waits, nothing else does.
    await setTimeout(OWN_CODE_MS, undefined, { signal }).catch(ignore);
    await callsAnswered();
    const ofStacks = [...this.#reads].flatMap(([read, fromStack]) => (fromStack ? [read] : []));
    if (ofStacks.length === 0) return;
    const rest = setTimeout(STACK_REFERENCE_MS - OWN_CODE_MS, undefined, { signal }).catch(ignore);
    await Promise.race([Promise.all(ofStacks), rest]);
  }
}

const ignore = (): undefined => undefined;
