/** Requests that wait for each other: each round ends when as many are under way as there may be, however long that takes. */
export class Rounds {
  /** The most that were under way at once. */
  most = 0;
  readonly #size: number;
  #running = 0;
  #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves once a whole round has joined. */
  async join(): Promise<void> {
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      // A turn later: one more that is let through comes now.
      if (this.#waiting.length >= this.#size) setImmediate(() => this.#end());
    });
    this.#running -= 1;
  }

  #end(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
