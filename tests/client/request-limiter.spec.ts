import { expect } from "chai";
import { RequestLimiter } from "../../provider/src/client/request-limiter";
import { fakeClock } from "./support/fake-clock";
import { failure } from "./support/samples";

const never = new AbortController().signal;

describe("client/request-limiter", () => {
  it("forgets a waiting request that is aborted, and lets the next one through", async () => {
    const limiter = new RequestLimiter(1, fakeClock());
    const place = await limiter.acquire(never);
    const impatient = new AbortController();
    const gone = failure(limiter.acquire(impatient.signal));
    const next = limiter.acquire(never);
    impatient.abort();
    expect(await gone).to.equal(impatient.signal.reason);
    place[Symbol.dispose]();
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
