import { expect } from "chai";
import { RequestLimiter } from "../../provider/src/client/request-limiter";
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
    await limiter.acquire(never);
    limiter.rateLimited(3_000);
    limiter.rateLimited(5_000);
    limiter.release();
    await limiter.acquire(never);
    expect(clock.sleeps).to.deep.equal([5_000]);
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
    await next;
  });

  it("gives its place back when it is aborted during a pause", async () => {
    const clock = fakeClock();
    const limiter = new RequestLimiter(1, { ...clock, sleep: (_, signal) => Promise.reject(signal?.reason) });
    limiter.rateLimited(1_000);
    await failure(limiter.acquire(never));
    clock.nowMs += 1_000;
    await limiter.acquire(never);
  });
});
