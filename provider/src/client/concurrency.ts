import { CancelledError } from "./errors";

/**
 * A signal that aborts as soon as one of some does, until it is disposed. Not `AbortSignal.any`: with Node 22 thousands of those of one
 * long-lived signal cost seconds of garbage collection.
 */
export function firstOf(
  ...signals: readonly (AbortSignal | undefined)[]
): Disposable & { readonly signal: AbortSignal } {
  const first = new AbortController();
  const watched = signals.filter((signal) => signal !== undefined);
  const abort = (): void => first.abort(watched.find(({ aborted }) => aborted)?.reason);
  for (const signal of watched) signal.addEventListener("abort", abort, { once: true });
  if (watched.some(({ aborted }) => aborted)) abort();
  const release = (): void => {
    for (const signal of watched) signal.removeEventListener("abort", abort);
  };
  return { signal: first.signal, [Symbol.dispose]: release };
}

/** Settles as `work` does, or rejects at once with CancelledError(`text`) when `signal` aborts, whatever `work` does then. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal, text: string): Promise<T> {
  // Removed by hand: to abort a signal of its own for that would make an exception for each call that succeeds.
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new CancelledError(text, false));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Does something with every item, `atOnce` at a time. The first failure is thrown once nothing of it is under way any more. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const open = items.values();
  const work = async (): Promise<void> => {
    for (const item of open) await act(item);
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, work));
  const failed = workers.find((worker) => worker.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
