import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { branchChange, errorBody, start } from "../caller";

const ID = SEED.shopPullRequest;
const UNKNOWN = "99999999-9999-4999-8999-999999999999";
const BUILD_MS = 3000;
const CHANGE = branchChange(ID, { web: "feature/checkout", api: "main" });

describe("sandbox: branch change", () => {
  for (const method of ["PATCH", "POST"] as const) {
    it(`${method} switches the branch, queues a build and answers the environment`, async () => {
      await using fixture = await start();

      const answer = await fixture.call(method, `/${ID}`, { body: CHANGE });

      expect(answer.status).to.equal(200);
      expect(answer.json).to.have.nested.property("data.attributes.projects[0].branch", "feature/checkout");
      expect(answer.json).to.have.nested.property("data.attributes.projects[1].branch", "main");
      expect(answer.json).to.have.nested.property("data.attributes.processing", true);
      expect(answer.json).to.have.nested.property("data.attributes.ready", false);
      expect(fixture.sandbox.world.builds(ID)).to.have.length(3);
    });

    it(`answers 405 to ${method} when the service takes only the other one`, async () => {
      const other = method === "PATCH" ? "POST" : "PATCH";
      await using fixture = await start({ choices: { branchMethods: [other] } });

      const refused = await fixture.call(method, `/${ID}`, { body: CHANGE });

      expect(refused.json).to.deep.equal(errorBody(405, "Method not allowed"));
      expect(refused.headers.get("allow")).to.equal(`GET, ${other}`);
      expect((await fixture.call(other, `/${ID}`, { body: CHANGE })).status).to.equal(200);
    });
  }

  it("answers 404 to the other method when that is chosen", async () => {
    await using fixture = await start({ choices: { branchMethods: ["POST"], wrongMethodStatus: 404 } });

    expect((await fixture.call("PATCH", `/${ID}`, { body: CHANGE })).status).to.equal(404);
  });

  it("answers an empty body or other JSON when that is chosen", async () => {
    await using empty = await start({ choices: { branchChangeBody: "empty" } });
    await using json = await start({ choices: { branchChangeBody: "json" } });

    const nothing = await empty.call("PATCH", `/${ID}`, { body: CHANGE });
    expect([nothing.status, nothing.text]).to.deep.equal([200, ""]);
    expect((await json.call("PATCH", `/${ID}`, { body: CHANGE })).json).to.deep.equal({ message: "build queued" });
  });

  const invalid: readonly (readonly [string, unknown])[] = [
    ["a repository left out", branchChange(ID, { web: "x" })],
    ["a repository the environment lacks", branchChange(ID, { web: "x", api: "main", worker: "main" })],
    ["an empty branch", branchChange(ID, { web: "", api: "main" })],
    ["another id", branchChange(SEED.shopMain, { web: "x", api: "main" })],
    ["no projects", { data: { id: ID, type: "application", attributes: {} } }],
    ["another type", { data: { id: ID, type: "environment", attributes: { projects: [] } } }],
    ["no data", {}],
  ];
  for (const [name, body] of invalid) {
    it(`refuses ${name} with 400 and changes nothing`, async () => {
      await using fixture = await start();
      const before = fixture.sandbox.world.environments.get(ID);

      expect((await fixture.call("PATCH", `/${ID}`, { body })).status).to.equal(400);
      expect(fixture.sandbox.world.environments.get(ID)).to.deep.equal(before);
    });
  }

  it("answers 404 for an unknown environment", async () => {
    await using fixture = await start();

    expect((await fixture.call("PATCH", `/${UNKNOWN}`, { body: CHANGE })).status).to.equal(404);
  });
});

describe("sandbox: builds", () => {
  it("takes its time, and is ready after it", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;
    await fixture.call("POST", `/${ID}/rebuild`);

    fixture.clock.advance(BUILD_MS - 1);
    expect(world.environments.get(ID)).to.include({ processing: true, ready: false });
    fixture.clock.advance(1);
    expect(world.environments.get(ID)).to.include({ processing: false, ready: true });
    expect(world.builds(ID)[0]).to.include({ outcome: "succeeded" });
  });

  it("fails or takes longer when told so, once", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;
    world.failNextBuild(ID);
    world.slowNextBuild(ID, 60);
    await fixture.call("POST", `/${ID}/rebuild`);

    fixture.clock.advance(59_000);
    expect(world.environments.get(ID)).to.include({ processing: true });
    fixture.clock.advance(1000);
    expect(world.environments.get(ID)).to.include({ processing: false, ready: false });

    await fixture.call("POST", `/${ID}/rebuild`);
    fixture.clock.advance(BUILD_MS);
    expect(world.environments.get(ID)).to.include({ processing: false, ready: true });
  });

  it("is superseded by a newer one, which counts", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;
    await fixture.call("POST", `/${ID}/rebuild`);
    await fixture.call("PATCH", `/${ID}`, { body: CHANGE });

    fixture.clock.advance(BUILD_MS);

    const outcomes = world.builds(ID).map((build) => build.outcome);
    expect(outcomes).to.deep.equal(["succeeded", "failed", "succeeded", "succeeded"]);
  });

  it("ends at once when a person finishes it", async () => {
    await using fixture = await start();
    await fixture.call("POST", `/${ID}/rebuild`);

    fixture.sandbox.world.finishBuilds(ID);

    expect(fixture.sandbox.world.environments.get(ID)).to.include({ processing: false, ready: true });
  });

  it("raises processing late, and stays ready until then, when that is chosen", async () => {
    await using fixture = await start({ choices: { processingStarts: "late", processingDelaySeconds: 2 } });
    const { world } = fixture.sandbox;
    await fixture.call("POST", `/${ID}/rebuild`);

    expect(world.environments.get(ID)).to.include({ processing: false, ready: true });
    fixture.clock.advance(2000);
    expect(world.environments.get(ID)).to.include({ processing: true, ready: false });
    fixture.clock.advance(1000);
    expect(world.environments.get(ID)).to.include({ processing: false, ready: true });
  });

  it("stays ready while building when that is chosen", async () => {
    await using fixture = await start({ choices: { readyWhileBuilding: true } });
    await fixture.call("POST", `/${ID}/rebuild`);

    expect(fixture.sandbox.world.environments.get(ID)).to.include({ processing: true, ready: true });
  });

  it("shows new branches only after a successful build when that is chosen", async () => {
    await using fixture = await start({ choices: { branchesShown: "afterBuild" } });
    const branch = async () => (await fixture.call("GET", `/${ID}`)).json;
    fixture.sandbox.world.failNextBuild(ID);
    await fixture.call("PATCH", `/${ID}`, { body: CHANGE });
    fixture.clock.advance(BUILD_MS);
    expect(await branch()).to.have.nested.property("data.attributes.projects[0].branch", "main");

    await fixture.call("POST", `/${ID}/rebuild`);
    expect(await branch()).to.have.nested.property("data.attributes.projects[0].branch", "main");
    fixture.clock.advance(BUILD_MS);

    expect(await branch()).to.have.nested.property("data.attributes.projects[0].branch", "feature/checkout");
  });

  it("has the same commit for the same branch until one is pushed", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;
    const commit = (id: string) => world.environments.get(id)?.projects[0]?.commitHash;
    expect(commit(ID))
      .to.match(/^[0-9a-f]{40}$/)
      .and.equal(commit(SEED.shopMain));

    world.pushCommit(ID, "web");

    expect(commit(ID))
      .to.match(/^[0-9a-f]{40}$/)
      .and.not.equal(commit(SEED.shopMain));
    expect(world.environments.get(ID)).to.include({ processing: true });
  });
});

describe("sandbox: GET build-history", () => {
  const path = `/${ID}/build-history`;

  it("lists builds newest first with every documented field", async () => {
    await using fixture = await start();
    await fixture.call("PATCH", `/${ID}`, { body: CHANGE });

    const answer = await fixture.call("GET", path);

    const [latest] = fixture.sandbox.world.builds(ID);
    expect(answer.status).to.equal(200);
    expect(answer.json).to.have.all.keys("data", "id", "type", "links");
    expect(answer.json).to.include({ id: ID, type: "application" });
    expect(answer.json).to.have.nested.property("data.name", "shop-pr-42");
    expect(answer.json).to.have.nested.property("data.builds.length", 3);
    expect(answer.json).to.have.deep.nested.property("data.builds[0]", {
      id: latest?.id,
      projects: [
        {
          branch: "feature/checkout",
          commit_hash: latest?.projects[0]?.commitHash,
          repo_owner: "acme",
          pull_request_number: 42,
          repo_name: "web",
        },
        {
          branch: "main",
          commit_hash: latest?.projects[1]?.commitHash,
          repo_owner: "acme",
          pull_request_number: null,
          repo_name: "api",
        },
      ],
      successfully_built: false,
      queued_at: "2026-01-01T00:00:00.000000Z",
    });
  });

  it("gives builds of the same instant strictly increasing times", async () => {
    await using fixture = await start();
    await fixture.call("POST", `/${ID}/rebuild`);
    await fixture.call("POST", `/${ID}/rebuild`);

    const times = fixture.sandbox.world.builds(ID).map((build) => build.queuedAt);

    expect(times.slice(0, 2)).to.deep.equal(["2026-01-01T00:00:00.000001Z", "2026-01-01T00:00:00.000000Z"]);
  });

  it("leaves out builds that are not successful with successfully_built=true", async () => {
    await using fixture = await start();
    await fixture.call("POST", `/${ID}/rebuild`);

    const only = await fixture.call("GET", `${path}?successfully_built=true`);

    expect(only.json).to.have.nested.property("data.builds.length", 2);
    expect((await fixture.call("GET", `${path}?successfully_built=false`)).json).to.have.nested.property(
      "data.builds.length",
      3,
    );
  });

  it("has pages of 20 with links", async () => {
    const seed = { id: ID, name: "many", projects: [{ repoName: "web", branch: "main" }], builds: 41 };
    await using fixture = await start({ environments: [seed] });

    const last = await fixture.call("GET", `${path}?page=3`);

    expect(last.json).to.have.nested.property("data.builds.length", 1);
    expect(last.json).to.have.deep.nested.property("links", {
      first: `/api/v1/environment/${ID}/build-history?page=1`,
      last: `/api/v1/environment/${ID}/build-history?page=3`,
      next: "",
      prev: `/api/v1/environment/${ID}/build-history?page=2`,
    });
  });

  it("answers an empty array when there are no builds", async () => {
    const seed = { id: ID, name: "new", projects: [{ repoName: "web", branch: "main" }], builds: 0 };
    await using fixture = await start({ environments: [seed], choices: { emptyHistoryPage: "object" } });

    const link = `/api/v1/environment/${ID}/build-history?page=1`;
    expect((await fixture.call("GET", path)).json).to.deep.equal({
      data: [],
      id: ID,
      type: "application",
      links: { first: link, last: link, next: "", prev: "" },
    });
  });

  it("answers an empty array for a page without builds, or an object when that is chosen", async () => {
    await using usual = await start();
    await using fixture = await start({ choices: { emptyHistoryPage: "object" } });

    expect((await usual.call("GET", `${path}?page=9`)).json).to.have.deep.property("data", []);
    expect((await fixture.call("GET", `${path}?page=9`)).json).to.have.deep.property("data", {
      builds: [],
      name: "shop-pr-42",
    });
  });

  it("lists a build only after it has ended when that is chosen", async () => {
    await using fixture = await start({ choices: { buildListed: "afterBuild" } });
    await fixture.call("POST", `/${ID}/rebuild`);
    expect((await fixture.call("GET", path)).json).to.have.nested.property("data.builds.length", 2);

    fixture.clock.advance(BUILD_MS);

    expect((await fixture.call("GET", path)).json).to.have.nested.property("data.builds.length", 3);
  });

  it("answers 404 with its own title for an unknown environment", async () => {
    await using fixture = await start();

    const answer = await fixture.call("GET", `/${UNKNOWN}/build-history`);

    expect(answer.status).to.equal(404);
    expect(answer.json).to.deep.equal(errorBody(404, "Application not found!"));
  });
});
