import { expect } from "chai";
import { type EnvironmentSeed, SEED } from "../../../provider/src/sandbox";
import { type Answer, errorBody, start } from "../caller";

const UNKNOWN = "99999999-9999-4999-8999-999999999999";

function numbered(count: number): EnvironmentSeed[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `env-${index + 1}`,
    projects: [{ repoName: "web", branch: "main" }],
  }));
}

function namesOf({ text }: Answer): string[] {
  return Array.from(text.matchAll(/"attributes":\{.*?"name":"([^"]*)"/g), (match) => match[1] ?? "");
}

describe("sandbox: GET /environment", () => {
  it("lists active environments with every documented field", async () => {
    await using fixture = await start();

    const answer = await fixture.call("GET", "?name=shop-pr-42");

    expect(answer.status).to.equal(200);
    expect(answer.headers.get("content-type")).to.equal("application/json");
    const [project] = fixture.sandbox.world.environments.get(SEED.shopPullRequest)?.projects ?? [];
    expect(answer.json).to.have.nested.property("data.length", 1);
    expect(answer.json).to.have.nested.property("data[0].id", SEED.shopPullRequest);
    expect(answer.json).to.have.nested.property("data[0].type", "application");
    expect(answer.json).to.have.nested.property("data[0].links.self", `/api/v1/application/${SEED.shopPullRequest}`);
    expect(answer.json)
      .to.have.nested.property("data[0].attributes")
      .that.has.all.keys([
        "bypass_token",
        "name",
        "processing",
        "projects",
        "ready",
        "retired",
        "deleted",
        "stopped",
        "url",
      ]);
    expect(answer.json).to.have.deep.nested.property("data[0].attributes.projects[0]", {
      branch: "main",
      commit_hash: project?.commitHash,
      org_name: "acme",
      pull_request_number: 42,
      repo_name: "web",
    });
    expect(answer.json).to.have.nested.property("data[0].attributes.projects[1].pull_request_number", null);
  });

  it("leaves deleted environments out, and lists stopped ones", async () => {
    await using fixture = await start();

    expect(namesOf(await fixture.call("GET", ""))).to.deep.equal(["shop-pr-42", "shop-main", "shop-pr-17"]);
  });

  it("lists only deleted environments with deleted=true", async () => {
    await using fixture = await start();

    expect(namesOf(await fixture.call("GET", "?deleted=true"))).to.deep.equal(["shop-pr-9"]);
    expect(namesOf(await fixture.call("GET", "?deleted=false"))).to.have.length(3);
  });

  it("lists deleted environments among the others when that is chosen", async () => {
    await using fixture = await start({ choices: { listDeleted: "alsoDeleted" } });

    expect(namesOf(await fixture.call("GET", "?deleted=true"))).to.have.length(4);
  });

  const filters: readonly (readonly [string, readonly string[]])[] = [
    ["?name=shop-main", ["shop-main"]],
    ["?name=shop", []],
    ["?org_name=acme", ["shop-pr-42", "shop-main", "shop-pr-17"]],
    ["?org_name=other", []],
    ["?repo_name=api", ["shop-pr-42", "shop-main", "shop-pr-17"]],
    ["?branch=feature%2Fsearch", ["shop-pr-17"]],
    ["?pull_request_number=42", ["shop-pr-42"]],
    ["?pull_request_number=4", []],
    ["?repo_name=web&branch=main", ["shop-pr-42", "shop-main"]],
    ["?repo_name=web&branch=main&pull_request_number=42", ["shop-pr-42"]],
    ["?repo_name=api&pull_request_number=42", []],
  ];
  for (const [query, expected] of filters) {
    it(`filters by ${query}`, async () => {
      await using fixture = await start();

      expect(namesOf(await fixture.call("GET", query))).to.deep.equal(expected);
    });
  }

  it("filters loosely when that is chosen", async () => {
    await using fixture = await start({ choices: { filterMatch: "contains", filterProjects: "anyProject" } });

    expect(namesOf(await fixture.call("GET", "?name=pr-"))).to.deep.equal(["shop-pr-42", "shop-pr-17"]);
    expect(namesOf(await fixture.call("GET", "?repo_name=api&pull_request_number=42"))).to.deep.equal(["shop-pr-42"]);
  });

  it("gives 20 a page, and links to the others", async () => {
    await using fixture = await start({ environments: numbered(45) });

    const second = await fixture.call("GET", "?page=2");

    expect(namesOf(second)).to.have.length(20).and.include("env-21");
    expect(second.json).to.have.deep.nested.property("links", {
      first: "/api/v1/environment?page=1",
      last: "/api/v1/environment?page=3",
      next: "/api/v1/environment?page=3",
      prev: "/api/v1/environment?page=1",
    });
  });

  it("has an empty prev on the first page and an empty next on the last", async () => {
    await using fixture = await start({ environments: numbered(3) });

    expect((await fixture.call("GET", "?page_size=2")).json).to.have.nested.property("links.prev", "");
    const last = await fixture.call("GET", "?page_size=2&page=2");
    expect(namesOf(last)).to.deep.equal(["env-3"]);
    expect(last.json).to.have.nested.property("links.next", "");
  });

  it("points first and last to page 1 when nothing matches", async () => {
    await using fixture = await start();

    expect((await fixture.call("GET", "?name=none")).json).to.deep.equal({
      data: [],
      links: { first: "/api/v1/environment?page=1", last: "/api/v1/environment?page=1", next: "", prev: "" },
    });
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

  it("answers 404 for an unknown environment", async () => {
    await using fixture = await start();

    const answer = await fixture.call("GET", `/${UNKNOWN}`);

    expect(answer.status).to.equal(404);
    expect(answer.json).to.deep.equal(errorBody(404, "Environment not found"));
  });
});
