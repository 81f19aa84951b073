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
