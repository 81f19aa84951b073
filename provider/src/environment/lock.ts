/** Runs actions one after the other, in the order they came. */
export class Lock {
  #tail: Promise<unknown> = Promise.resolve();

  async run<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(action);
    // The next one in line must run whatever this one's outcome; the caller sees the failure through `result`.
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
