import type { Clock } from "../client/clock";
import { abortable } from "../client/concurrency";
import { CancelledError } from "../client/errors";

/** A read is given out again while somebody asks for it at least this often ... */
const IDLE_MS = 2_000;
/** ... and never longer than this after it was asked for. */
const MAX_MS = 60_000;

interface Read<T> {
  readonly value: Promise<T>;
  readonly madeAt: number;
  /** Aborted when nobody waits for the read any more. */
  readonly end: AbortController;
  askedAt: number;
  waiting: number;
  isDone: boolean;
}

/** A read of the service that several callers share for a short time, so that N of them cost one request. */
export class SharedRead<T> {
  readonly #clock: Clock;
  #read: Read<T> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The answer of `load`, of a moment ago or of now: the same object for all who ask. A failed read is shared by those who wait for it, and by nobody
   * after them. A caller whose signal aborts waits no longer, and the read goes on for the others.
   * @throws CancelledError when the signal aborts, with the cause that the read gives when this was the last caller
   */
  async get(load: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    // The caller's signal does not end the request, so it must not begin one either.
    if (signal.aborted) throw new CancelledError("cancelled before anything was sent", false);
    const read = this.#valid() ?? this.#begin(load);
    read.askedAt = this.#clock.now();
    read.waiting += 1;
    try {
      return await abortable(read.value, signal, "cancelled while waiting for a request that several resources share");
    } catch (error) {
      if (!signal.aborted || read.isDone || read.waiting > 1) throw error;
      this.#forget(read);
      read.end.abort();
      return await read.value;
    } finally {
      read.waiting -= 1;
    }
  }

  /** Changes what was read, or is being read. */
  update(change: (value: T) => void): void {
    this.#read?.value.then(change).catch(() => undefined);
  }

  /** The answer of the last read is not certain any more. */
  drop(): void {
    this.#read = undefined;
  }

  #valid(): Read<T> | undefined {
    const read = this.#read;
    const now = this.#clock.now();
    if (read === undefined || now - read.askedAt > IDLE_MS || now - read.madeAt > MAX_MS) return undefined;
    return read;
  }

  #begin(load: (signal: AbortSignal) => Promise<T>): Read<T> {
    const now = this.#clock.now();
    const end = new AbortController();
    const read: Read<T> = { value: load(end.signal), madeAt: now, end, askedAt: now, waiting: 0, isDone: false };
    this.#read = read;
    void this.#whenDone(read);
    return read;
  }

  async #whenDone(read: Read<T>): Promise<void> {
    try {
      await read.value;
    } catch {
      this.#forget(read);
    }
    read.isDone = true;
  }

  #forget(read: Read<T>): void {
    if (this.#read === read) this.#read = undefined;
  }
}
