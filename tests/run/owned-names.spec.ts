import { expect } from "chai";
import { OwnedNames } from "../../provider/src/run/owned-names";
import { EngineActivity } from "../../provider/src/run/engine-activity";

/** Time that moves only when a test says so. Sleepers wake when it has come. */
class SteppedClock {
  #nowMs = 0;
  readonly #sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  date(): number {
    return this.#nowMs;
  }

  random(): number {
    return 0;
  }

  later(): () => void {
    return () => undefined;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#sleepers.push({ atMs: this.#nowMs + ms, wake: resolve });
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  }

  async pass(ms: number): Promise<void> {
    this.#nowMs += ms;
    for (const { atMs, wake } of this.#sleepers) if (atMs <= this.#nowMs) wake();
    await new Promise(setImmediate);
  }
}

const never = new AbortController().signal;

function start() {
  const clock = new SteppedClock();
  const waits = new EngineActivity(clock);
  return { clock, waits, names: new OwnedNames(waits) };
}

/** Whether something is over by now. */
async function isOver(work: Promise<unknown>): Promise<boolean> {
  let over = false;
  void work.then(() => (over = true));
  await new Promise(setImmediate);
  return over;
}

describe("owned names", () => {
  it("are told apart from what every object has", () => {
    const { names } = start();
    names.take(["A", "constructor"]);
    expect(["A", "constructor", "toString"].map((name) => names.isDeclaredOrOwned(name))).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it("are not deleted while somebody declares them, and are deleted until somebody has written them", () => {
    const { names } = start();
    names.declare("of A", ["A"], ["C"]);
    expect(["A", "B", "C"].map((name) => names.claimDelete(name, "update"))).to.deep.equal([false, true, false]);
    expect(["A", "B"].map((name) => names.resultOf(name))).to.deep.equal([undefined, "deleted"]);
    names.take(["B"]);
    expect(names.resultOf("B")).to.equal("taken");
  });

  it("of a state that is replaced by other names are free again, those of its replacement are not", () => {
    const { names } = start();
    names.declare("before", ["A", "B"], []);
    names.keep("before", ["A", "B"], ["A", "B"], "revision");
    names.declare("after", ["B"], []);
    names.release("revision");
    expect(["A", "B"].map((name) => names.isDeclaredOrOwned(name))).to.deep.equal([false, true]);
  });

  it("a resource that is deleted leaves what another has or could not write, and nothing that is only declared", () => {
    const { names } = start();
    names.declare("of A", ["A"], []);
    names.take(["B"]);
    names.fail(["C"]);
    expect(["A", "B", "C"].map((name) => names.claimDelete(name, "delete"))).to.deep.equal([true, false, false]);
  });

  it("that an import has only looked at are nobody's until a resource has them", () => {
    const { names } = start();
    names.noteImport(["A", "B"]);
    names.take(["B"]);
    expect(["A", "B", "C"].map((name) => names.isOnlyImported(name))).to.deep.equal([true, false, false]);
  });

  it("that a name was refused is forgotten when somebody has it after all", () => {
    const { names } = start();
    names.fail(["A", "B"]);
    names.take(["A"]);
    expect([names.resultOf("A"), names.resultOf("B")]).to.deep.equal(["taken", "failed"]);
    names.fail(["A"]);
    expect(names.resultOf("A")).to.equal("taken");
  });
});

describe("waits for other resources", () => {
  it("end when Check and Diff were quiet for 250 ms, at once when they already are", async () => {
    const { clock, waits, names } = start();
    await names.untilEngineIsQuiet(never);
    waits.noteCall();
    const quiet = names.untilEngineIsQuiet(never);
    await clock.pass(200);
    waits.noteCall();
    await clock.pass(200);
    expect(await isOver(quiet)).to.equal(false);
    await clock.pass(50);
    expect(await isOver(quiet)).to.equal(true);
  });

  it("go on for as long as the engine plans, however slowly, while it is going to show more", async () => {
    const { clock, waits, names } = start();
    names.declare("taker", ["B"], ["A"]);
    waits.noteCall();
    const quiet = names.untilEngineIsQuiet(never);
    for (let planned = 0; planned < 10; planned += 1) {
      await clock.pass(1_500);
      waits.noteCall();
    }
    expect(await isOver(quiet)).to.equal(false);
    names.declare("giver", ["A"], ["B"]);
    await clock.pass(50);
    await clock.pass(200);
    expect(await isOver(quiet)).to.equal(true);
  });

  it("end when the engine shows nothing for 2 s, although it is going to: all its workers may wait", async () => {
    const { clock, waits, names } = start();
    names.declare("taker", ["B"], ["A"]);
    waits.noteCall();
    const quiet = names.untilEngineIsQuiet(never);
    await clock.pass(1_900);
    expect(await isOver(quiet)).to.equal(false);
    await clock.pass(100);
    expect(await isOver(quiet)).to.equal(true);
  });

  it("end with a cancellation", async () => {
    const { waits, names } = start();
    const ending = new AbortController();
    waits.noteCall();
    const quiet = names.untilEngineIsQuiet(ending.signal);
    ending.abort();
    expect(await isOver(quiet)).to.equal(true);
  });
});
