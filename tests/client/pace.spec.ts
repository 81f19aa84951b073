import { expect } from "chai";
import { Attempts } from "../../provider/src/client/attempts";
import { MAX_POLLS_PER_SECOND, Pace } from "../../provider/src/client/pace";
import { RETRY_LIMITS } from "../../provider/src/client/retry";
import { fakeClock } from "./support/fake-clock";
import { failure } from "./support/samples";

const never = new AbortController().signal;
const SECOND_MS = 1_000;

describe("client/pace", () => {
  it("lets requests through at once, in their order, as long as they are few in a second", async () => {
    const clock = fakeClock();
    const pace = new Pace(clock);
    const numbers = Array.from({ length: MAX_POLLS_PER_SECOND }, (_, index) => index);
    const order: number[] = [];
    await Promise.all(numbers.map((number) => pace.take(never, async () => order.push(number))));
    expect(order).to.deep.equal(numbers);
    expect(clock.sleeps).to.deep.equal([]);
  });

  it("lets the next one through when a second has passed since the one that many before", async () => {
    const clock = fakeClock(0);
    const pace = new Pace(clock);
    const times: number[] = [];
    for (let index = 0; index < 3 * MAX_POLLS_PER_SECOND; index += 1) {
      clock.nowMs += 10;
      await pace.take(never, async () => times.push(clock.nowMs));
    }
    const apart = times.slice(MAX_POLLS_PER_SECOND).map((at, index) => at - (times[index] ?? 0));
    expect(Math.min(...apart)).to.equal(SECOND_MS);
  });

  it("counts a request when it goes, not when its turn begins", async () => {
    const clock = fakeClock(0);
    const pace = new Pace(clock);
    // The service has asked for a pause.
    await pace.take(never, () => clock.sleep(60 * SECOND_MS));
    const times: number[] = [];
    for (let index = 0; index < MAX_POLLS_PER_SECOND; index += 1)
      await pace.take(never, async () => times.push(clock.nowMs));
    expect([times[0], times.at(-1)]).to.deep.equal([60 * SECOND_MS, 61 * SECOND_MS]);
  });

  it("goes on with the next one after one that failed, and after one that was cancelled in the line", async () => {
    const pace = new Pace(fakeClock());
    let release: () => void = () => undefined;
    const first = pace.take(never, () => new Promise<void>((resolve) => (release = resolve)));
    const impatient = new AbortController();
    const cancelled = failure(pace.take(impatient.signal, () => Promise.reject(new Error("it was started"))));
    const failed = failure(pace.take(never, () => Promise.reject(new Error("failed"))));
    const order: string[] = [];
    const last = pace.take(never, async () => order.push("last"));
    impatient.abort();
    expect(await cancelled).to.equal(impatient.signal.reason);
    // Its place in the line is not the turn of the next one.
    expect(order).to.deep.equal([]);
    release();
    await first;
    expect(await failed).to.have.property("message", "failed");
    await last;
    expect(order).to.deep.equal(["last"]);
  });

  it("leaves the way free for requests that are no polls", async () => {
    const clock = fakeClock();
    const attempts = new Attempts({ maxConcurrency: 2, clock, retry: { ...RETRY_LIMITS, maxRetries: 0 } });
    const sent: string[] = [];
    const held: (() => void)[] = [];
    const send = (name: string, paced: boolean): Promise<void> =>
      attempts.run(
        { description: name, method: "GET", path: "/", repeatable: true, ...(paced && { paced }) },
        async () => {
          sent.push(name);
          await new Promise<void>((resolve) => held.push(resolve));
        },
      );
    const polls = Array.from({ length: 10 }, (_, index) => send(`poll ${index}`, true));
    const write = send("write", false);
    for (let done = 0; done < polls.length + 1; done += 1) {
      while (held.length === 0) await new Promise(setImmediate);
      held.shift()?.();
    }
    await Promise.all([...polls, write]);
    // Both permits were taken, and one poll was waiting for the next.
    expect(sent.indexOf("write")).to.be.at.most(3);
  });
});
