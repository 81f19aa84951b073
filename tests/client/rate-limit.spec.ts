import { expect } from "chai";
import { PreviewenvClient } from "../../provider/src/client";
import type { Connections } from "../../provider/src/client/connections";
import { forEachConcurrently } from "../../provider/src/client/concurrency";
import { Chance } from "../simulation/chance";
import { SimulatedProcess } from "../simulation/processes";
import { Timeline } from "../simulation/timeline";
import { CLIENT, ID } from "./support/samples";

const STACKS = Array.from({ length: 50 }, (_, index) => index);
/** A create of one set: the read for conflicts, and the write. */
const REQUESTS = 2;
const REQUEST_MS = 50;
/** What the CLI, the engine and the program take before the provider's first request, and after its last one. */
const START_MS = 2_500;
const END_MS = 500;
const MS_PER_SECOND = 1_000;
/** How far a round may be from the formula of docs/guides/scale.md. */
const TOLERANCE = 0.25;

/** Runs stacks, `parallel` at a time, each with a provider process of its own. Gives the seconds, and the share of requests that get 429. */
async function round(stacks: readonly number[], rate: number, parallel: number) {
  const timeline = new Timeline();
  const backoff = new Chance(1);
  const startMs = timeline.now();
  const bySecond = new Map<number, number>();
  let refused = 0;
  const connections: Connections = {
    async exchange(_request, { onSent }) {
      onSent();
      await timeline.sleep(REQUEST_MS);
      const second = Math.floor(timeline.now() / MS_PER_SECOND);
      const count = (bySecond.get(second) ?? 0) + 1;
      bySecond.set(second, count);
      if (count <= rate) return { status: 200, headers: {}, body: JSON.stringify({ data: [] }) };
      refused += 1;
      return { status: 429, headers: { "retry-after": "1" }, body: "" };
    },
    close: () => Promise.resolve(),
  };
  const up = async (stack: number): Promise<void> => {
    await timeline.sleep(START_MS);
    const { clock } = new SimulatedProcess(stack, timeline, backoff);
    const client = new PreviewenvClient({ ...CLIENT, clock, connections });
    for (let request = 0; request < REQUESTS; request++) await client.envVars.list(ID);
    await timeline.sleep(END_MS);
  };
  await timeline.run(forEachConcurrently(stacks, parallel, up));
  const sent = [...bySecond.values()].reduce((sum, count) => sum + count, 0);
  return { seconds: (timeline.now() - startMs) / MS_PER_SECOND, refused: refused / sent };
}

/** Virtual time: what 50 CLIs would do on one machine is measured by their CPU, and not by the limit. */
describe("client: one rate limit for 50 stacks, each with a process of its own", () => {
  for (const [rate, factor] of [
    [5, 0.5],
    [10, 1],
    [20, 2],
  ] as const)
    it(`${rate} requests a second, ${factor} times the parallelism of the formula: all are answered, in the time of the formula`, async () => {
      const { seconds: alone } = await round([0], Infinity, 1);
      const parallel = Math.max(1, Math.floor(Math.round((rate * alone) / REQUESTS) * factor));
      const { seconds, refused } = await round(STACKS, rate, parallel);
      const expected = Math.max((STACKS.length * REQUESTS) / rate, (STACKS.length * alone) / parallel) + alone;
      expect(seconds / expected).to.be.within(1 - TOLERANCE, 1 + TOLERANCE);
      if (factor < 1) expect(refused, "requests in vain").to.be.below(0.1);
    });
});
