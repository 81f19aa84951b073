import { expect } from "chai";
import { Gate, RECOVERY_RUN } from "../../provider/src/client/gate";
import { fakeClock } from "./support/fake-clock";
import { failure } from "./support/samples";

const never = new AbortController().signal;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("client/gate", () => {
  it("lets as many through as its limit, and the others in the order they came", async () => {
    const gate = new Gate(2, fakeClock());
    const order: number[] = [];
    const enter = async (number: number) => {
      await gate.enter(never);
      order.push(number);
    };
    const all = [1, 2, 3, 4].map(enter);
    await settled();
    expect(order).to.deep.equal([1, 2]);
    gate.leave();
    await settled();
    expect(order).to.deep.equal([1, 2, 3]);
    gate.leave();
    await Promise.all(all);
    expect(order).to.deep.equal([1, 2, 3, 4]);
  });

  it("sleeps through a pause, and through its extension, before it lets anyone through", async () => {
    const clock = fakeClock();
    const gate = new Gate(4, clock);
    const pass = await gate.enter(never);
    gate.slowDown(pass, 3_000);
    gate.slowDown(pass, 5_000);
    gate.leave();
    await gate.enter(never);
    expect(clock.sleeps).to.deep.equal([5_000]);
  });

  it("halves the limit once for requests that were in flight together, and never below one", async () => {
    const gate = new Gate(8, fakeClock());
    const together = await Promise.all([gate.enter(never), gate.enter(never), gate.enter(never)]);
    for (const pass of together) gate.slowDown(pass, 1);
    expect(gate.limit).to.equal(4);
    for (const _ of together) gate.leave();
    for (let time = 0; time < 5; time++) {
      gate.slowDown(await gate.enter(never), 1);
      gate.leave();
    }
    expect(gate.limit).to.equal(1);
  });

  it("recovers by one after a run of successes, up to where it began", async () => {
    const gate = new Gate(2, fakeClock());
    gate.slowDown(await gate.enter(never), 1);
    for (let success = 1; success < RECOVERY_RUN; success++) gate.succeed();
    expect(gate.limit).to.equal(1);
    gate.succeed();
    expect(gate.limit).to.equal(2);
    for (let success = 0; success < 3 * RECOVERY_RUN; success++) gate.succeed();
    expect(gate.limit).to.equal(2);
  });

  it("forgets a waiting request that is aborted, and lets the next one through", async () => {
    const gate = new Gate(1, fakeClock());
    await gate.enter(never);
    const impatient = new AbortController();
    const gone = failure(gate.enter(impatient.signal));
    const next = gate.enter(never);
    impatient.abort();
    expect(await gone).to.equal(impatient.signal.reason);
    gate.leave();
    expect(await next).to.deep.equal({ epoch: 0 });
  });

  it("gives its place back when it is aborted during a pause", async () => {
    const clock = fakeClock();
    const gate = new Gate(1, { ...clock, sleep: (_, signal) => Promise.reject(signal?.reason) });
    gate.slowDown({ epoch: 0 }, 1_000);
    await failure(gate.enter(never));
    clock.nowMs += 1_000;
    expect(await gate.enter(never)).to.deep.equal({ epoch: 1 });
  });
});
