import { expect } from "chai";
import { ManualClock, mask, type MaskOptions, SEED } from "../../../provider/src/sandbox";
import { start } from "../caller";

describe("sandbox: world", () => {
  it("starts with the seeded environments, in these states", async () => {
    await using fixture = await start();

    const states = fixture.sandbox.world.environments
      .list()
      .map(({ id, name, ready, stopped, deleted }) => ({ id, name, ready, stopped, deleted }));

    expect(states).to.deep.equal([
      { id: SEED.shopPullRequest, name: "shop-pr-42", ready: true, stopped: false, deleted: false },
      { id: SEED.shopMain, name: "shop-main", ready: true, stopped: false, deleted: false },
      { id: SEED.shopStopped, name: "shop-pr-17", ready: false, stopped: true, deleted: false },
      { id: SEED.shopDeleted, name: "shop-pr-9", ready: false, stopped: false, deleted: true },
    ]);
  });

  it("adds an environment that is still being built for the first time", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;

    const projects = [{ repoName: "web", branch: "main" }];
    const { id } = world.environments.add({ name: "late", projects, builds: 0, building: true });

    expect((await fixture.call("GET", "?name=late")).json).to.have.nested.property(
      "data[0].attributes.processing",
      true,
    );
    fixture.clock.advance(3000);
    expect(world.environments.get(id)).to.include({ processing: false, ready: true });
    expect(() => world.environments.add({ id, name: "twice", projects })).to.throw(id);
  });
});

describe("sandbox: manual clock", () => {
  it("stands still until it is moved, forward only", () => {
    const clock = new ManualClock(1000);

    clock.advance(500);

    expect(clock.now()).to.equal(1500);
    expect(() => clock.advance(-1)).to.throw(RangeError);
    expect(() => clock.advance(Number.NaN)).to.throw(RangeError);
  });
});

describe("sandbox: mask", () => {
  const rows: readonly (readonly [string, MaskOptions, string])[] = [
    ["", {}, ""],
    ["a", {}, "*"],
    ["1234567", {}, "*******"],
    ["12345678", {}, "12****78"],
    ["correct horse", {}, "co*********se"],
    ["********", {}, "********"],
    ["\u{1F600}234567\u{1F601}9", { visibleTail: 1 }, "\u{1F600}2******9"],
    ["12345678", { fullyMasked: true }, "********"],
    ["12345678", { fixedStars: 3 }, "12***78"],
    ["1", { fixedStars: 3 }, "***"],
    ["12345678", { visibleHead: 0, visibleTail: 0 }, "********"],
    ["12345678", { visibleHead: 4, visibleTail: 0, minHidden: 1 }, "1234****"],
    ["1234", { minHidden: 0 }, "****"],
    ["1\u{1F600}345678", { unit: "codeUnit" }, "1\uFFFD*****78"],
    ["1\u{1F600}345678", { unit: "byte", visibleHead: 3 }, "1\uFFFD******78"],
    ["123456\u{1F600}8", { unit: "codeUnit" }, "12*****\uFFFD8"],
  ];
  for (const [value, options, expected] of rows) {
    it(`shows ${JSON.stringify(expected)} for ${JSON.stringify(value)} with ${JSON.stringify(options)}`, () => {
      expect(mask(value, options)).to.equal(expected);
    });
  }
});
