import { abortable } from "../client/concurrency";

/** Names that one action at a time may lock. The first who asks is the first. */
export class NameLock {
  /** By name: settles when the action that has locked it, and everyone who waits for it by now, has let it go. */
  readonly #free = new Map<string, Promise<unknown>>();

  /**
   * Waits until all of these names are free, then locks them until the result is disposed.
   * @throws CancelledError as soon as `signal` aborts
   */
  async lock(names: Iterable<string>, signal: AbortSignal): Promise<Disposable> {
    const all = [...names];
    const free = Promise.all(new Set(all.flatMap((name) => this.#free.get(name) ?? [])));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    // A caller that stops waiting has let go, but those behind it still wait for those before it.
    const next = free.then(() => released);
    for (const name of all) this.#free.set(name, next);
    try {
      await abortable(free, signal, "cancelled before anything was sent");
    } catch (error) {
      release();
      throw error;
    }
    return { [Symbol.dispose]: release };
  }
}
