/** The steps that an engine does at once: `--parallel`. */
export class Workers {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number = Infinity) {
    this.#free = count;
  }

  /** Is over when a worker has taken what is planned. */
  async taken(planned: Promise<unknown>): Promise<void> {
    await planned;
    this.#free -= 1;
    if (this.#free >= 0) return;
    await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  /** A worker has done its step. */
  free(): void {
    this.#free += 1;
    this.#waiting.shift()?.();
  }
}
