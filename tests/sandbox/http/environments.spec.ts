import { expect } from "chai";
import { type EnvironmentSeed, SEED } from "../../../provider/src/sandbox";
import { type Answer, type Fixture, start } from "../caller";

function numbered(count: number): EnvironmentSeed[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `env-${index + 1}`,
    projects: [{ repoName: "web", branch: "main" }],
  }));
}

function namesOf({ text }: Answer): string[] {
  return Array.from(text.matchAll(/"attributes":\{.*?"name":"([^"]*)"/g), (match) => match[1] ?? "");
}

// What the specification fixes is in tests/contract/service-queries.spec.ts.
describe("sandbox: GET /environment", () => {
  it("lists deleted environments among the others when that is chosen", async () => {
    await using fixture = await start({ choices: { listDeleted: "alsoDeleted" } });

    expect(namesOf(await fixture.call("GET", "?deleted=true"))).to.have.length(4);
  });

  it("filters exactly, by one project for all filters, or loosely when that is chosen", async () => {
    const loosely = { filterMatch: "contains", filterProjects: "anyProject" } as const;
    await using usual = await start();
    await using loose = await start({ choices: loosely });

    for (const [query, exact, contained] of [
      ["?name=pr-", [], ["shop-pr-42", "shop-pr-17"]],
      ["?pull_request_number=4", [], ["shop-pr-42"]],
      ["?repo_name=web&branch=main", ["shop-pr-42", "shop-main"], ["shop-pr-42", "shop-main", "shop-pr-17"]],
      ["?repo_name=api&pull_request_number=42", [], ["shop-pr-42"]],
    ] as const) {
      expect(namesOf(await usual.call("GET", query)), query).to.deep.equal(exact);
      expect(namesOf(await loose.call("GET", query)), query).to.deep.equal(contained);
    }
  });

  it("keeps the filters in the links when that is chosen", async () => {
    await using fixture = await start({ environments: numbered(3), choices: { linkQuery: "all" } });

    const answer = await fixture.call("GET", "?page_size=2&org_name=acme");

    expect(answer.json).to.have.nested.property("links.next", "/api/v1/environment?page_size=2&org_name=acme&page=2");
  });

  it("takes a page that is no positive integer for left out, and cuts page_size to the maximum", async () => {
    await using fixture = await start({ environments: numbered(5), choices: { maxPageSize: 2 } });

    expect(namesOf(await fixture.call("GET", "?page=0&page_size=50"))).to.deep.equal(["env-1", "env-2"]);
    expect(namesOf(await fixture.call("GET", "?page=x&page_size=-1"))).to.deep.equal(["env-1", "env-2"]);
  });
});

describe("sandbox: GET /environment/<id>", () => {
  it("answers the environment, a deleted one included, and finds it in any letter case", async () => {
    const id = "abcdefab-1111-4111-8111-abcdefabcdef";
    const seed = { id, name: "one", projects: [{ repoName: "web", branch: "main" }], deleted: true };
    await using fixture = await start({ environments: [seed] });

    const answer = await fixture.call("GET", `/${id.toUpperCase()}`);

    expect(answer.status).to.equal(200);
    expect(answer.json).to.have.nested.property("data.id", id);
    expect(answer.json).to.have.nested.property("data.attributes.deleted", true);
    expect(answer.json).to.have.nested.property("data.attributes.ready", false);
  });

  it("answers the bare object without the bypass token when that is chosen", async () => {
    await using fixture = await start({ choices: { singleEnvironmentBody: "bare", bypassTokenShown: "listOnly" } });

    const answer = await fixture.call("GET", `/${SEED.shopMain}`);

    expect(answer.json).to.have.property("id", SEED.shopMain);
    expect(answer.json).to.have.property("attributes").that.does.not.have.property("bypass_token");
    expect((await fixture.call("GET", "")).text).to.include("bypass_token");
  });
});

const ID = SEED.shopMain;
const PATH = `/${ID}/env-vars`;

function put(fixture: Fixture, ...env_vars: readonly unknown[]): Promise<Answer> {
  return fixture.call("PUT", PATH, { body: { env_vars } });
}

describe("sandbox: env-vars", () => {
  it("refuses an item that is wrong and stores the others, an empty value too unless it is to be refused", async () => {
    await using fixture = await start();

    const answer = await put(
      fixture,
      { name: "GOOD", value: "" },
      { name: "N", value: 7 },
      { name: "H", value: "1", hidden: "yes" },
      { name: "S", value: "1", services: [7] },
    );

    expect(answer.status).to.equal(207);
    expect(namesOf(answer)).to.deep.equal(["GOOD"]);
    expect(answer.json).to.have.deep.property("errors", [
      { name: "N", error: "value must be a string" },
      { name: "H", error: "hidden must be true or false" },
      { name: "S", error: "services must be an array of strings" },
    ]);
    expect(fixture.sandbox.world.variable(ID, "GOOD")?.value).to.equal("");
    expect(fixture.sandbox.world.variable(ID, "N")).to.equal(undefined);
    await using refusing = await start({ choices: { emptyValue: "refused" } });
    expect((await put(refusing, { name: "E", value: "" })).status).to.equal(207);
  });

  for (const [upsertAnswer, answered] of [
    ["sent", ["A", "B"]],
    ["all", ["NODE_ENV", "A", "B"]],
    ["shuffled", ["B", "A"]],
  ] as const)
    it(`answers an upsert of A and B with ${answered.join(", ")} when ${upsertAnswer} is chosen`, async () => {
      await using fixture = await start({ choices: { upsertAnswer } });
      const answer = await put(fixture, { name: "A", value: "1" }, { name: "B", value: "2" });
      expect(namesOf(answer)).to.deep.equal(answered);
    });

  for (const [moves, expected] of [
    [true, "2026-01-01T00:00:05"],
    [false, "2026-01-01T00:00:00"],
  ] as const) {
    it(`${moves ? "moves" : "does not move"} updated_at on an equal write when that is chosen`, async () => {
      await using fixture = await start({ choices: { updatedAtOnEqualWrite: moves } });
      await put(fixture, { name: "A", value: "1" });
      fixture.clock.advance(5000);

      await put(fixture, { name: "A", value: "1" });

      expect(fixture.sandbox.world.variable(ID, "A")?.updatedAt).to.equal(expected);
    });
  }
});
