import type { Clock } from "../client/clock";

/** A shared read is given out again while somebody asks for it at least this often ... */
const IDLE_MS = 2_000;
/** ... and never longer than this after it was made. */
const MAX_MS = 60_000;

type Items<V> = ReadonlyMap<string, V>;

interface Entry<V> {
  readonly madeAt: number;
  askedAt: number;
  /** Writes of this process that nobody has asked for yet; `undefined` for what was deleted. */
  readonly later: Map<string, V | undefined>;
  /** What was read, with earlier writes in it; `undefined` as long as there were none. */
  merged: Map<string, V> | undefined;
  readonly items: Promise<Items<V> | undefined>;
}

/**
 * A read that several callers share for a short time. Never kept across a write: an answered one is merged in, an ambiguous
 * one drops the read.
 */
export class SharedRead<V> {
  readonly #clock: Clock;
  #entry: Entry<V> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `load` gave, a moment ago or now, with what was written since; `undefined` when there is nothing to read. */
  async get(load: () => Promise<Items<V> | undefined>): Promise<Items<V> | undefined> {
    const entry = this.#valid() ?? this.#load(load);
    entry.askedAt = this.#clock.now();
    const items = await entry.items;
    if (items === undefined) return undefined;
    if (entry.later.size === 0) return entry.merged ?? items;
    // One copy for all who ask: with a copy each, N resources would cost N times N.
    entry.merged ??= new Map(items);
    for (const [name, value] of entry.later) {
      if (value === undefined) entry.merged.delete(name);
      else entry.merged.set(name, value);
    }
    entry.later.clear();
    return entry.merged;
  }

  /** A write of this process was answered; `undefined` for what was deleted. */
  merge(name: string, value: V | undefined): void {
    this.#entry?.later.set(name, value);
  }

  /** What was read is not certain any more. */
  drop(): void {
    this.#entry = undefined;
  }

  #valid(): Entry<V> | undefined {
    const entry = this.#entry;
    const now = this.#clock.now();
    if (entry === undefined || now - entry.askedAt > IDLE_MS || now - entry.madeAt > MAX_MS) return undefined;
    return entry;
  }

  #load(load: () => Promise<Items<V> | undefined>): Entry<V> {
    const now = this.#clock.now();
    const items = load();
    const entry: Entry<V> = { madeAt: now, askedAt: now, later: new Map(), merged: undefined, items };
    this.#entry = entry;
    // A failed read is shared by those who wait for it, and by nobody after them.
    items.catch(() => {
      if (this.#entry === entry) this.#entry = undefined;
    });
    return entry;
  }
}
