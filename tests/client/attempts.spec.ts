import { expect } from "chai";
import {
  type Clock,
  ConnectionError,
  type Connections,
  PreviewenvClient,
  ServerError,
} from "../../provider/src/client";
import { CLIENT, failure, ID } from "./support/samples";

const MAX_TURNS = 5;

/** Time in which sleeps overlap: it moves to the next sleeper whenever nothing else is going on. */
class SharedTime implements Clock {
  nowMs = 0;
  readonly #sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>();

  now(): number {
    return this.nowMs;
  }

  date(): number {
    return this.nowMs;
  }

  random(): number {
    return 1;
  }

  /** No request here takes as long as it may. */
  later(): () => void {
    return () => undefined;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { untilMs: this.nowMs + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Lets time pass until the work is over. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = (): void => void (isOver = true);
    work.then(end, end);
    for (;;) {
      for (let turn = 0; turn < MAX_TURNS; turn++) await new Promise(setImmediate);
      if (isOver) return work;
      const [first] = [...this.#sleepers].toSorted((one, other) => one.untilMs - other.untilMs);
      if (first === undefined) throw new Error("the work waits for nothing");
      this.#sleepers.delete(first);
      this.nowMs = Math.max(this.nowMs, first.untilMs);
      first.wake();
    }
  }
}

/** A service that answers every request with 503. */
function setUp(maxRetries?: number) {
  const clock = new SharedTime();
  const sent: string[] = [];
  let takesMs = 0;
  const connections: Connections = {
    async exchange({ path }, { onSent }) {
      sent.push(path.split("/").at(-1) ?? "");
      onSent();
      if (takesMs > 0) await clock.sleep(takesMs);
      return { status: 503, headers: {}, cutOffBy: undefined, body: "" };
    },
    close: () => Promise.resolve(),
  };
  const client = new PreviewenvClient({
    ...CLIENT,
    maxConcurrency: 4,
    maxRetries,
    clock,
    connections,
  });
  const remove = (name: string, ms: number = 0): Promise<unknown> => {
    takesMs = ms;
    return failure(client.envVars.delete(ID, name));
  };
  return { clock, sent, remove };
}

const thousand = Array.from({ length: 1_000 }, (_, index) => `NAME_${index}`);

describe("client/attempts: an outage", () => {
  it("is not longer for a thousand requests than for one", async () => {
    const { clock, remove } = setUp();
    const errors = await clock.until(Promise.all(thousand.map((name) => remove(name))));
    expect(errors.every((error) => error instanceof ServerError)).to.equal(true);
    expect(clock.nowMs).to.be.within(60_000, 68_000);
  });

  it("fails at its end those who wait for their turn, and does not send them", async () => {
    const { clock, remove, sent } = setUp();
    const errors = await clock.until(Promise.all(thousand.map((name) => remove(name, 30_000))));
    // Without that, a thousand requests of half a minute, four at a time, take two hours.
    expect(clock.nowMs).to.be.within(60_000, 130_000);
    const unsent = errors.filter((error) => error instanceof ConnectionError && !error.sent);
    expect(unsent).to.have.length(1_000 - new Set(sent).size);
    expect(unsent[0])
      .to.have.property("message")
      .that.matches(
        /^Could not delete variable NAME_\d+ of environment \S+: the service has answered no request for \d+ s\./u,
      );
  });

  it("wakes those who sleep", async () => {
    const { clock, remove, sent } = setUp();
    await clock.until(Promise.all(["A", "B", "C"].map((name) => remove(name))));
    const counts = ["A", "B", "C"].map((name) => sent.filter((one) => one === name).length);
    // One of them finds that it is over; the others need not find it too.
    expect(Math.max(...counts) - Math.min(...counts)).to.equal(1);
  });

  it("lasts for each request by itself as long as maxRetries says, when that is set", async () => {
    const { clock, remove, sent } = setUp(1);
    await clock.until(Promise.all(["A", "B"].map((name) => remove(name))));
    expect(sent.toSorted()).to.deep.equal(["A", "A", "B", "B"]);
  });
});
