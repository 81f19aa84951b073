import { expect } from "chai";
import { ResponseShapeError } from "../../provider/src/client";
import { clientOf, collect, failure, ID } from "./support/samples";
import { startScript } from "./support/scripted-server";

const project = { branch: "main", commit_hash: "c0ffee", repo_owner: "acme", pull_request_number: 7, repo_name: "web" };
const build = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  projects: [project],
  successfully_built: true,
  queued_at: "2026-01-02T03:04:05.678901Z",
  ...fields,
});
const history = (builds: unknown[], next = "") => ({
  data: { builds, name: "shop" },
  id: ID,
  type: "application",
  links: { first: "?page=1", last: "?page=9", next, prev: "" },
});
const path = `/api/v1/environment/${ID}/build-history`;

describe("client/builds", () => {
  it("reads a build", async () => {
    await using server = await startScript([{ json: history([build("b1")]) }]);
    await using client = clientOf(server);
    expect(await collect(client.builds.list(ID))).to.deep.equal([
      {
        id: "b1",
        projects: [{ repoName: "web", repoOwner: "acme", branch: "main", commitHash: "c0ffee", pullRequestNumber: 7 }],
        successfullyBuilt: true,
        queuedAt: "2026-01-02T03:04:05.678901Z",
      },
    ]);
  });

  it("reads the empty array of an environment without builds", async () => {
    await using server = await startScript([{ json: { ...history([]), data: [] } }]);
    await using client = clientOf(server);
    expect(await collect(client.builds.list(ID))).to.deep.equal([]);
    expect(server.requests[0]?.url).to.equal(path);
  });

  it("takes null for a build that is not over", async () => {
    await using server = await startScript([{ json: history([build("b1", { successfully_built: null })]) }]);
    await using client = clientOf(server);
    const builds = await collect(client.builds.list(ID));
    expect(builds.map(({ successfullyBuilt }) => successfullyBuilt)).to.deep.equal([false]);
  });

  it("reads builds without a time", async () => {
    for (const queued_at of [undefined, null]) {
      await using server = await startScript([{ json: history([build("b1", { queued_at })]) }]);
      await using client = clientOf(server);
      expect(await collect(client.builds.list(ID))).to.have.nested.property("0.queuedAt", "");
    }
  });

  it("lists the builds of all pages, with the filter on every page", async () => {
    await using server = await startScript([
      { json: history([build("b3", { queued_at: "2026-01-03T00:00:00.000000Z" }), build("b2")], `${path}?page=2`) },
      { json: history([build("b1")]) },
    ]);
    await using client = clientOf(server);
    const builds = await collect(client.builds.list(ID, { successfullyBuilt: false }));
    expect(builds.map(({ id }) => id)).to.deep.equal(["b3", "b2", "b1"]);
    expect(server.requests.map(({ url }) => url)).to.deep.equal([
      `${path}?successfully_built=false`,
      `${path}?successfully_built=false&page=2`,
    ]);
  });

  for (const data of [null, "none", [build("b1")], { name: "shop" }, { builds: [{ id: "b1" }] }]) {
    it(`refuses ${JSON.stringify(data).slice(0, 30)} as a history`, async () => {
      await using server = await startScript([{ json: { data } }]);
      await using client = clientOf(server);
      expect(await failure(collect(client.builds.list(ID)))).to.be.instanceOf(ResponseShapeError);
    });
  }
});
