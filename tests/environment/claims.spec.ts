import { expect } from "chai";
import { Claims } from "../../provider/src/environment/claims";
import { BatchSize } from "../../provider/src/framework/context";
import { Mutex } from "../../provider/src/environment/mutex";

describe("Claims", () => {
  it("are kept by environment and name", () => {
    const claims = new Claims();
    claims.add("one", ["A", "constructor"]);
    expect(claims.has("one", "A")).to.equal(true);
    expect(claims.has("one", "constructor")).to.equal(true);
    expect(claims.has("one", "toString")).to.equal(false);
    expect(claims.has("two", "A")).to.equal(false);
  });
});

describe("Claims of the program", () => {
  it("know inputs again in whatever order their keys come", () => {
    const claims = new Claims();
    claims.declare({ a: "1", map: { x: "1", y: ["2", "1"] } });
    expect(claims.isDeclared({ map: { y: ["2", "1"], x: "1" }, a: "1" })).to.equal(true);
    expect(claims.isDeclared({ map: { y: ["1", "2"], x: "1" }, a: "1" })).to.equal(false);
  });
});

describe("BatchSize", () => {
  it("halves what was tried, never grows, and says when nothing is left to halve", () => {
    const batch = new BatchSize(100);
    expect(batch.halve(10)).to.equal(true);
    expect(batch.size).to.equal(5);
    expect(batch.halve(100)).to.equal(true);
    expect(batch.size).to.equal(5);
    expect(batch.halve(1)).to.equal(false);
    expect(batch.size).to.equal(5);
  });
});

describe("Mutex", () => {
  it("runs actions of one key one after the other, in the order they came", async () => {
    const mutex = new Mutex();
    const events: string[] = [];
    const action = (name: string) => async (): Promise<void> => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
    };
    await Promise.all([mutex.run("k", action("a")), mutex.run("k", action("b")), mutex.run("k", action("c"))]);
    expect(events).to.deep.equal(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("does not let one key wait for another", async () => {
    const mutex = new Mutex();
    let release: () => void = () => undefined;
    const held = mutex.run("a", () => new Promise<void>((resolve) => (release = resolve)));
    expect(await mutex.run("b", () => Promise.resolve("free"))).to.equal("free");
    release();
    await held;
  });

  it("goes on after a failure, which only its caller sees", async () => {
    const mutex = new Mutex();
    const failed = mutex.run("k", () => Promise.reject(new Error("no")));
    const next = mutex.run("k", () => Promise.resolve("yes"));
    expect(await failed.catch((error: unknown) => error)).to.have.property("message", "no");
    expect(await next).to.equal("yes");
  });
});
