import { expect } from "chai";
import { type Choices, defaultChoices } from "../../provider/src/sandbox";
import { startService } from "./support/service-stage";
import { walk, walkedEnvironments } from "./support/service-walk";

/** Longer than any test: builds end when a test says so. */
const BUILD_SECONDS = 1_000_000;

/** Other answers to what the specification leaves open, a list for each choice of the sandbox. */
const variants: Readonly<Record<keyof Choices, readonly Partial<Choices>[]>> = {
  branchMethods: [{ branchMethods: ["PATCH"] }, { branchMethods: ["POST"] }],
  wrongMethodStatus: [{ wrongMethodStatus: 404 }, { wrongMethodStatus: 404, branchMethods: ["POST"] }],
  singleEnvironmentBody: [{ singleEnvironmentBody: "bare" }],
  bypassTokenShown: [{ bypassTokenShown: "listOnly" }],
  branchChangeBody: [{ branchChangeBody: "empty" }, { branchChangeBody: "json" }],
  badRequestBody: [{ badRequestBody: "text" }, { badRequestBody: "empty" }],
  upsertAnswer: [{ upsertAnswer: "all" }, { upsertAnswer: "shuffled" }],
  mask: [
    { mask: { fullyMasked: true } },
    { mask: { visibleHead: 0 } },
    { mask: { visibleHead: 8, visibleTail: 8 } },
    { mask: { fixedStars: 1 } },
  ],
  emptyValue: [{ emptyValue: "refused" }],
  processingStarts: [{ processingStarts: "late" }],
  processingDelaySeconds: [{ processingStarts: "late", processingDelaySeconds: BUILD_SECONDS }],
  readyWhileBuilding: [{ readyWhileBuilding: true }],
  branchesShown: [{ branchesShown: "afterBuild" }],
  buildListed: [{ buildListed: "afterBuild" }, { buildListed: "whenProcessing", processingStarts: "late" }],
  historyOrder: [{ historyOrder: "oldestFirst" }, { historyOrder: "byTime" }],
  emptyHistoryPage: [{ emptyHistoryPage: "object" }],
  deletedEnvironmentVariables: [{ deletedEnvironmentVariables: "200" }],
  listDeleted: [{ listDeleted: "alsoDeleted" }],
  filterMatch: [{ filterMatch: "contains" }],
  filterProjects: [{ filterProjects: "anyProject" }],
  linkQuery: [{ linkQuery: "all" }],
  rebuildAllowed: [{ rebuildAllowed: "runningOnly" }],
  flagsAfterStop: [{ flagsAfterStop: { stopped: true, retired: true } }],
  flagsAfterRestart: [{ flagsAfterRestart: { retired: false, stopped: false, deleted: false } }],
  flagsAfterBranchChange: [{ flagsAfterBranchChange: { stopped: false, retired: false } }],
  flagsAfterRebuild: [{ flagsAfterRebuild: {} }],
  flagsAfterRevive: [{ flagsAfterRevive: { deleted: false } }],
  maxPageSize: [{ maxPageSize: 7 }, { maxPageSize: 1 }],
  maxBatch: [{ maxBatch: 2 }],
  rateLimitPerSecond: [{ rateLimitPerSecond: 3 }],
  updatedAtOnEqualWrite: [{ updatedAtOnEqualWrite: false }],
};

async function outcomeWith(choices: Partial<Choices>): Promise<object> {
  await using stage = await startService({
    environments: walkedEnvironments,
    choices,
    buildSeconds: BUILD_SECONDS,
  });
  return await walk(stage);
}

describe("service: the client gets the same out of every service the specification allows", () => {
  let usual: object;

  before(async () => {
    usual = await outcomeWith({});
  });

  it("a walk with the usual answers says what the specification says", () => {
    expect(usual).to.have.nested.property("lists.count", 45);
    expect(usual).to.have.nested.property("lists.noneDeleted", true);
    expect(usual).to.have.deep.nested.property("lists.deleted", ["gone"]);
    expect(usual).to.have.deep.nested.property("lists.filtered", ["shop"]);
    expect(usual).to.have.nested.property("lists.token", "string");
    expect(usual).to.have.deep.nested.property("histories.empty", []);
    expect(usual).to.have.nested.property("histories.distinct", 25);
    expect(usual).to.have.deep.nested.property("variables.plain", ["on", "off", "off"]);
    expect(usual).to.have.deep.nested.property("variables.failed", [[], [], [undefined]]);
    expect(usual).to.have.nested.property("branches.changed.projects[0].branch", "next");
    expect(usual).to.have.deep.nested.property("branches.missing", ["InvalidRequestError", 400]);
    expect(usual).to.have.deep.nested.property("states.loads", [[3, "22222222-2222-4222-8222-222222222222"]]);
    expect(usual).to.have.deep.property("refusals", {
      restart: ["InvalidRequestError", 400],
      revive: ["InvalidRequestError", 400],
      cancel: ["InvalidRequestError", 400],
      stop: ["InvalidRequestError", 400],
      rebuild: ["InvalidRequestError", 400],
      snapshot: ["InvalidRequestError", 400],
      history: ["NotFoundError", 404],
      variables: ["NotFoundError", 404],
      variable: ["NotFoundError", 404],
      token: ["AuthenticationError", 401],
    });
  });

  it("every choice of the sandbox has a variant that differs from its default", () => {
    expect(Object.keys(variants)).to.have.members(Object.keys(defaultChoices));
    for (const [name, list] of Object.entries(variants)) {
      for (const variant of list) expect(variant, name).not.to.deep.equal({});
      expect(
        list.some((variant) => name in variant),
        name,
      ).to.equal(true);
      for (const variant of list) expect({ ...defaultChoices, ...variant }, name).not.to.deep.equal(defaultChoices);
    }
  });

  for (const variant of Object.values(variants).flat()) {
    it(JSON.stringify(variant), async () => {
      expect(await outcomeWith(variant)).to.deep.equal(usual);
    });
  }

  for (const at of [0, -1]) {
    it(`all ${at === 0 ? "first" : "last"} variants at once`, async () => {
      const all = Object.values(variants).map((list) => list.at(at));
      const choices: Partial<Choices> = Object.assign({}, ...all);
      expect(await outcomeWith(choices)).to.deep.equal(usual);
    });
  }
});
