import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import type { Run } from "../../support/engine-steps";
import type { Stage } from "../../support/stage";

/** At which request somebody presses Ctrl-C, and what becomes of that request. */
export interface Cancellation {
  /** "PUT /env-vars". */
  readonly label: string;
  /** Whether the service acts on it all the same. */
  readonly acts: boolean;
}

/**
 * Cancels a run while the service has a request and has not answered it. Nothing is asked after the cancellation. The
 * service acts on the request, or never does, once the run is over.
 */
export async function cancelledAt(stage: Stage, { label, acts }: Cancellation, act: () => Promise<Run>): Promise<Run> {
  const { engine, sandbox } = stage;
  const mark = sandbox.journal.mark();
  let release: () => void = () => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const match = (): boolean => {
    arrive();
    return true;
  };
  const fault = sandbox.faults.add({ label, match, hold, ...(!acts && { dropBefore: true }) });
  const running = act();
  await arrived;
  const from = sandbox.journal.mark();
  await engine.cancel();
  const run = await running;
  expect(sandbox.journal.since(from).map((entry) => entry.label)).to.deep.equal([]);
  release();
  const isWaiting = (): boolean => acts && sandbox.journal.since(mark).some(({ status }) => status === 0);
  while (isWaiting()) await setImmediate();
  fault.remove();
  return run;
}
