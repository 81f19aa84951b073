interface Turn<T, R> {
  readonly item: T;
  readonly settle: (result: R) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Lets items that are asked for while an action is under way share the next one. A single item is never delayed: it goes
 * out at once.
 */
export class Combiner<T, R> {
  readonly #act: (items: readonly T[]) => Promise<ReadonlyMap<T, R>>;
  #waiting: Turn<T, R>[] = [];
  #isActing = false;

  /** `act` gives a result for every item it gets, or throws for all of them. */
  constructor(act: (items: readonly T[]) => Promise<ReadonlyMap<T, R>>) {
    this.#act = act;
  }

  run(item: T): Promise<R> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ item, settle, fail });
      if (!this.#isActing) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isActing = true;
    while (this.#waiting.length > 0) {
      const turns = this.#waiting;
      this.#waiting = [];
      await this.#turn(turns);
    }
    this.#isActing = false;
  }

  async #turn(turns: readonly Turn<T, R>[]): Promise<void> {
    try {
      const results = await this.#act(turns.map(({ item }) => item));
      for (const { item, settle, fail } of turns) {
        const result = results.get(item);
        if (result === undefined) fail(new Error("a combined action gave no result for one of its items"));
        else settle(result);
      }
    } catch (error) {
      for (const { fail } of turns) fail(error);
    }
  }
}
