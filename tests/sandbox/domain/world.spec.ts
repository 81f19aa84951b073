import { expect } from "chai";
import { ManualClock, mask, type MaskOptions, SEED } from "../../../provider/src/sandbox";
import { start } from "../caller";

const ID = SEED.shopPullRequest;
const UNKNOWN = "99999999-9999-4999-8999-999999999999";

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

  it("is what the service answers from: a variable set by hand is drift", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;
    fixture.clock.advance(90_000);

    world.setVariable(ID, { name: "NODE_ENV", value: "changed", hidden: false });

    const answer = await fixture.call("GET", `/${ID}/env-vars`);
    expect(answer.json).to.have.nested.property("data[0].attributes.value", "changed");
    expect(answer.json).to.have.nested.property("data[0].attributes.updated_at", "2026-01-01T00:01:30");
    expect(world.deleteVariable(ID, "NODE_ENV")).to.equal(true);
    expect(world.deleteVariable(ID, "NODE_ENV")).to.equal(false);
    expect(world.variables(ID).map(({ name }) => name)).to.not.include("NODE_ENV");
  });

  it("switches a branch with a build, and without one when told so", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;

    world.switchBranch(ID, "web", "x");
    expect(world.environments.get(ID)).to.include({ processing: true });
    world.finishBuilds(ID);
    world.switchBranch(ID, "web", "y", { build: false });

    expect(world.environments.get(ID)).to.include({ processing: false });
    expect((await fixture.call("GET", `/${ID}`)).json).to.have.nested.property(
      "data.attributes.projects[0].branch",
      "y",
    );
    expect(() => world.switchBranch(ID, "none", "x")).to.throw("has no repository none, only web, api");
  });

  it("refuses to touch an environment that is not there", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;

    expect(() => world.setFlags(UNKNOWN, {})).to.throw(`the sandbox has no environment ${UNKNOWN}`);
    expect(() => world.variables(UNKNOWN)).to.throw(UNKNOWN);
    expect(world.environments.get(UNKNOWN)).to.equal(undefined);
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
