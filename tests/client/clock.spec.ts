import { expect } from "chai";
import { systemClock } from "../../provider/src/client";
import { SharedVariables } from "../../provider/src/run/shared-variables";
import { fakeClock } from "./support/fake-clock";
import { clientOf, environmentItem, failure, ID } from "./support/samples";
import { type Reply, startScript } from "./support/scripted-server";

const HOUR_MS = 3_600_000;
const fine: Reply = { json: environmentItem() };

/** Runs with the machine's date moved. */
function withDateMoved<T>(ms: number, action: () => T): T {
  const now = Date.now;
  Date.now = () => now() + ms;
  try {
    return action();
  } finally {
    Date.now = now;
  }
}

/** A clock whose date jumps, to and fro, whenever somebody looks at it. */
function jumpingClock() {
  const clock = fakeClock();
  let looks = 0;
  return Object.assign(clock, { date: () => (++looks % 2 === 0 ? -1 : 1) * looks * HOUR_MS });
}

describe("client/clock: the date is moved", () => {
  for (const step of [-HOUR_MS, HOUR_MS])
    it(`by ${step} ms: what pauses and timeouts go by stays, what dates are compared with moves`, () => {
      const before = { now: systemClock.now(), date: systemClock.date() };
      const after = withDateMoved(step, () => ({ now: systemClock.now(), date: systemClock.date() }));
      expect(after.now - before.now).to.be.within(0, HOUR_MS - 1);
      expect(Math.abs(after.date - before.date - step)).to.be.lessThan(HOUR_MS);
    });

  it("a pause takes as long as the service asked for", async () => {
    const limited: Reply = { status: 429, headers: { "retry-after": "7" } };
    await using server = await startScript([limited, limited, fine]);
    const clock = jumpingClock();
    await using client = clientOf(server, { clock });
    await client.environments.get(ID);
    expect(clock.sleeps).to.deep.equal([7_000, 7_000]);
  });

  it("an outage is borne for 60 s", async () => {
    await using server = await startScript([{ status: 503 }]);
    const clock = jumpingClock();
    const startMs = clock.nowMs;
    await using client = clientOf(server, { clock });
    await failure(client.environments.get(ID));
    expect(clock.nowMs - startMs).to.be.within(60_000, 68_000);
  });

  it("a shared read stays valid for its two seconds", async () => {
    const clock = jumpingClock();
    const shared = new SharedVariables(clock);
    let reads = 0;
    const load = () => {
      reads += 1;
      return Promise.resolve(new Map());
    };
    await shared.get(load);
    clock.nowMs += 1_000;
    await shared.get(load);
    expect(reads).to.equal(1);
    clock.nowMs += 3_000;
    await shared.get(load);
    expect(reads).to.equal(2);
  });
});
