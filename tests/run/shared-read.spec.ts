import { expect } from "chai";
import { CancelledError } from "../../provider/src/client/errors";
import { SharedRead } from "../../provider/src/run/shared-read";
import { SharedVariables } from "../../provider/src/run/shared-variables";
import { fakeClock } from "../client/support/fake-clock";
import { failure } from "../client/support/samples";

const { signal } = new AbortController();

/** A read whose requests are counted, and end when the test says so. */
class Scripted {
  readonly clock = fakeClock(0);
  readonly shared = new SharedRead<string>(this.clock);
  /** Of each request: whether it was cancelled, and how it is answered. */
  readonly requests: { readonly signal: AbortSignal; answer(text: string): void; refuse(error: Error): void }[] = [];

  ask(by: AbortSignal = signal): Promise<string> {
    return this.shared.get((end) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      this.requests.push({ signal: end, answer: resolve, refuse: reject });
      end.addEventListener("abort", () =>
        reject(new CancelledError("cancelled", true, new CancelledError("503", true))),
      );
      return promise;
    }, by);
  }
}

describe("SharedRead", () => {
  it("is one request for all that ask at once, and until nobody asks for two seconds, a minute at most", async () => {
    const read = new Scripted();
    const both = [read.ask(), read.ask()];
    read.requests[0]?.answer("one");
    expect(await Promise.all(both)).to.deep.equal(["one", "one"]);
    for (; read.clock.nowMs <= 60_000; read.clock.nowMs += 2_000) expect(await read.ask()).to.equal("one");
    void read.ask();
    expect(read.requests).to.have.length(2);
    read.clock.nowMs += 2_001;
    void read.ask();
    expect(read.requests).to.have.length(3);
  });

  it("is made anew after a failure, which those get who wait for it, and when it was dropped", async () => {
    const read = new Scripted();
    const both = [failure(read.ask()), failure(read.ask())];
    const error = new Error("no");
    read.requests[0]?.refuse(error);
    expect(await Promise.all(both)).to.deep.equal([error, error]);
    void read.ask();
    read.shared.drop();
    void read.ask();
    expect(read.requests).to.have.length(3);
  });

  it("goes on when the caller that began it is cancelled, and the other one gets it", async () => {
    const read = new Scripted();
    const [first, last] = [new AbortController(), new AbortController()];
    const cancelled = failure(read.ask(first.signal));
    const other = read.ask(last.signal);
    first.abort();
    expect(await cancelled).to.be.instanceOf(CancelledError);
    expect(read.requests.map((request) => request.signal.aborted)).to.deep.equal([false]);
    read.requests[0]?.answer("one");
    expect(await other).to.equal("one");
    last.abort();
    expect(await read.ask()).to.equal("one");
  });

  it("is not begun by a caller that is cancelled already", async () => {
    const read = new Scripted();
    expect(await failure(read.ask(AbortSignal.abort()))).to.be.instanceOf(CancelledError);
    expect(read.requests).to.deep.equal([]);
  });

  it("is cancelled when nobody waits for it any more, says then what it was doing, and is made anew", async () => {
    const read = new Scripted();
    const [first, last] = [new AbortController(), new AbortController()];
    const both = [failure(read.ask(first.signal)), failure(read.ask(last.signal))];
    first.abort();
    last.abort();
    expect(await both[1]).to.have.nested.property("cause.message", "503");
    expect(read.requests.map((request) => request.signal.aborted)).to.deep.equal([true]);
    void read.ask();
    expect(read.requests).to.have.length(2);
  });
});

describe("SharedVariables", () => {
  const holding = (value: number) => ({ name: "A", value: String(value), hidden: false, services: [] });
  const ask = (shared: SharedVariables, ...names: readonly string[]) =>
    shared.get(async () => ({ variables: new Map(names.map((name) => [name, holding(1)])), inherited: [] }), signal);

  it("holds what was written and deleted since, also when that came while it was under way", async () => {
    const shared = new SharedVariables(fakeClock());
    const under = ask(shared, "A", "B");
    shared.merge("A", holding(2));
    shared.merge("B", undefined);
    expect(await under)
      .to.have.property("variables")
      .that.deep.equals(new Map([["A", holding(2)]]));
  });
});
