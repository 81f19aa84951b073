/** Runs actions with the same key one after the other, in the order they came. */
export class Mutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(action);
    // The next one in line must run whatever this one's outcome; the caller sees the failure through `result`.
    const tail = result.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
