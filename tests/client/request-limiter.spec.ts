import { expect } from "chai";
import { RequestLimiter, SUCCESSES_TO_RAISE_LIMIT } from "../../provider/src/client/request-limiter";
import { fakeClock } from "./support/fake-clock";
import { failure } from "./support/samples";

const never = new AbortController().signal;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("client/request-limiter", () => {
  it("lets as many through as its limit, and the others in the order they came", async () => {
    const limiter = new RequestLimiter(2, fakeClock());
    const order: number[] = [];
    const enter = async (number: number) => {
      await limiter.acquire(never);
      order.push(number);
    };
    const all = [1, 2, 3, 4].map(enter);
    await settled();
    expect(order).to.deep.equal([1, 2]);
    limiter.release();
    await settled();
    expect(order).to.deep.equal([1, 2, 3]);
    limiter.release();
    await Promise.all(all);
    expect(order).to.deep.equal([1, 2, 3, 4]);
  });

  it("sleeps through a pause, and through its extension, before it lets anyone through", async () => {
    const clock = fakeClock();
    const limiter = new RequestLimiter(4, clock);
    const permit = await limiter.acquire(never);
    limiter.rateLimited(permit, 3_000);
    limiter.rateLimited(permit, 5_000);
    limiter.release();
    await limiter.acquire(never);
    expect(clock.sleeps).to.deep.equal([5_000]);
  });

  it("halves the limit once for requests that were in flight together, and never below one", async () => {
    const limiter = new RequestLimiter(8, fakeClock());
    const together = await Promise.all([limiter.acquire(never), limiter.acquire(never), limiter.acquire(never)]);
    for (const permit of together) limiter.rateLimited(permit, 1);
    expect(limiter.limit).to.equal(4);
    for (const _ of together) limiter.release();
    for (let time = 0; time < 5; time++) {
      limiter.rateLimited(await limiter.acquire(never), 1);
      limiter.release();
    }
    expect(limiter.limit).to.equal(1);
  });

  it("recovers by one after a run of successes, up to where it began", async () => {
    const limiter = new RequestLimiter(2, fakeClock());
    limiter.rateLimited(await limiter.acquire(never), 1);
    for (let success = 1; success < SUCCESSES_TO_RAISE_LIMIT; success++) limiter.succeed();
    expect(limiter.limit).to.equal(1);
    limiter.succeed();
    expect(limiter.limit).to.equal(2);
    for (let success = 0; success < 3 * SUCCESSES_TO_RAISE_LIMIT; success++) limiter.succeed();
    expect(limiter.limit).to.equal(2);
  });

  it("forgets a waiting request that is aborted, and lets the next one through", async () => {
    const limiter = new RequestLimiter(1, fakeClock());
    await limiter.acquire(never);
    const impatient = new AbortController();
    const gone = failure(limiter.acquire(impatient.signal));
    const next = limiter.acquire(never);
    impatient.abort();
    expect(await gone).to.equal(impatient.signal.reason);
    limiter.release();
    expect(await next).to.deep.equal({ epoch: 0 });
  });

  it("gives its place back when it is aborted during a pause", async () => {
    const clock = fakeClock();
    const limiter = new RequestLimiter(1, { ...clock, sleep: (_, signal) => Promise.reject(signal?.reason) });
    limiter.rateLimited({ epoch: 0 }, 1_000);
    await failure(limiter.acquire(never));
    clock.nowMs += 1_000;
    expect(await limiter.acquire(never)).to.deep.equal({ epoch: 1 });
  });
});
