import { CancelledError } from "./errors";

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
