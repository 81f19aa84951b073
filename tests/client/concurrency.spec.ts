import { expect } from "chai";
import { getEventListeners } from "node:events";
import { CancelledError } from "../../provider/src/client/errors";
import { abortable, forEachConcurrently } from "../../provider/src/client/concurrency";
import { RequestLimiter } from "../../provider/src/client/request-limiter";
import { fakeClock } from "./support/fake-clock";
import { failure } from "./support/samples";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("forEachConcurrently", () => {
  it("does something with every item in order, so many at a time and no more", async () => {
    const begun: number[] = [];
    let [running, most] = [0, 0];
    await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      begun.push(item);
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
    });
    expect(begun).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    expect(most).to.equal(3);
  });

  it("ends with the first failure, once nothing is under way any more", async () => {
    const ended: number[] = [];
    const error = await forEachConcurrently([1, 2, 3, 4], 2, async (item) => {
      await turn();
      if (item === 1) throw new Error("no");
      ended.push(item);
    }).catch((reason: Error) => reason.message);
    expect(error).to.equal("no");
    expect(ended).to.deep.equal([2, 3, 4]);
  });
});

describe("work that ends with a signal", () => {
  it("leaves no listener behind, so that thousands of requests of one signal cost no more each", async () => {
    const { signal } = new AbortController();
    await Promise.all([1, 2, 3].map((one) => abortable(Promise.resolve(one), signal, "enough")));
    await abortable(Promise.reject(new Error("no")), signal, "enough").catch(() => undefined);
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
  });

  it("rejects at once when the signal aborts, or already has", async () => {
    const controller = new AbortController();
    const work = abortable(new Promise(() => undefined), controller.signal, "enough");
    controller.abort();
    for (const one of [work, abortable(new Promise(() => undefined), controller.signal, "enough")])
      expect(await one.catch((reason: unknown) => reason))
        .to.be.instanceOf(CancelledError)
        .with.property("message", "enough");
  });
});

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

  it("lets no waiting request through that the same signal aborts a moment later than the one before it", async () => {
    const limiter = new RequestLimiter(1, fakeClock());
    const run = new AbortController();
    const place = await limiter.acquire(run.signal);
    run.signal.addEventListener("abort", () => place[Symbol.dispose]());
    const waiting = failure(limiter.acquire(run.signal));
    const next = limiter.acquire(never);
    run.abort();
    expect(await waiting).to.equal(run.signal.reason);
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
