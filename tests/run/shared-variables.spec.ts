import { expect } from "chai";
import { type Clock, type EnvVar, systemClock } from "../../provider/src/client";
import { SharedVariables } from "../../provider/src/run/shared-variables";

function startClock(): Clock & { at: number } {
  const clock = {
    ...systemClock,
    at: 0,
    now: () => clock.at,
    date: () => 0,
    random: () => 0,
    sleep: () => Promise.resolve(),
  };
  return clock;
}

/** A variable as the service lists it. */
function holding(value: number): EnvVar {
  return { name: "A", value: String(value), hidden: false, services: [] };
}

describe("SharedVariables", () => {
  const load = (reads: string[]) => () => {
    reads.push("read");
    return Promise.resolve(new Map([["A", holding(reads.length)]]));
  };

  it("is given out again while somebody asks every two seconds, a minute at most", async () => {
    const clock = startClock();
    const shared = new SharedVariables(clock);
    const reads: string[] = [];
    for (; clock.at <= 60_000; clock.at += 2_000) await shared.get(load(reads));
    expect(reads).to.have.length(1);
    await shared.get(load(reads));
    expect(reads).to.have.length(2);
    clock.at += 2_001;
    await shared.get(load(reads));
    expect(reads).to.have.length(3);
  });

  it("is one for all that ask at once", async () => {
    const shared = new SharedVariables(startClock());
    const reads: string[] = [];
    await Promise.all([1, 2].map(() => shared.get(load(reads))));
    expect(reads).to.have.length(1);
  });

  it("holds what was written and deleted since, also when that came while it was under way", async () => {
    const shared = new SharedVariables(startClock());
    const under = shared.get(() =>
      Promise.resolve(
        new Map([
          ["A", holding(1)],
          ["B", holding(1)],
        ]),
      ),
    );
    shared.merge("A", holding(2));
    shared.merge("B", undefined);
    expect(await under).to.deep.equal(new Map([["A", holding(2)]]));
  });

  it("takes in a write once, not once for each who asks, and later writes too", async () => {
    const shared = new SharedVariables(startClock());
    const ask = () => shared.get(() => Promise.resolve(new Map([["A", holding(1)]])));
    await ask();
    shared.merge("B", holding(2));
    const first = await ask();
    expect(await ask()).to.equal(first);
    shared.merge("A", undefined);
    expect(await ask()).to.deep.equal(new Map([["B", holding(2)]]));
    shared.merge("A", holding(3));
    expect(await ask()).to.have.property("size", 2);
  });

  it("is made anew after an ambiguous write, and after a failure", async () => {
    const shared = new SharedVariables(startClock());
    const reads: string[] = [];
    await shared.get(load(reads));
    shared.drop();
    await shared.get(load(reads));
    expect(reads).to.have.length(2);
    shared.drop();
    const failed = await shared.get(() => Promise.reject(new Error("no"))).catch((error: Error) => error.message);
    expect(failed).to.equal("no");
    await shared.get(load(reads));
    expect(reads).to.have.length(3);
  });
});
