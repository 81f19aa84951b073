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
  readonly #act: (key: string, items: readonly T[]) => Promise<ReadonlyMap<T, R>>;
  readonly #waiting = new Map<string, Turn<T, R>[]>();

  /** `act` gives a result for every item it gets, or throws for all of them. */
  constructor(act: (key: string, items: readonly T[]) => Promise<ReadonlyMap<T, R>>) {
    this.#act = act;
  }

  run(key: string, item: T): Promise<R> {
    return new Promise((settle, fail) => {
      const turn = { item, settle, fail };
      const waiting = this.#waiting.get(key);
      if (waiting !== undefined) {
        waiting.push(turn);
        return;
      }
      this.#waiting.set(key, [turn]);
      void this.#drain(key);
    });
  }

  async #drain(key: string): Promise<void> {
    for (;;) {
      const turns = this.#waiting.get(key) ?? [];
      if (turns.length === 0) break;
      this.#waiting.set(key, []);
      await this.#turn(key, turns);
    }
    this.#waiting.delete(key);
  }

  async #turn(key: string, turns: readonly Turn<T, R>[]): Promise<void> {
    try {
      const results = await this.#act(
        key,
        turns.map(({ item }) => item),
      );
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
