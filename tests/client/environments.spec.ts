import { expect } from "chai";
import { NotFoundError, ResponseShapeError } from "../../provider/src/client";
import { fakeClock } from "./support/fake-clock";
import { clientOf, collect, environmentItem, failure, ID, OTHER_ID } from "./support/samples";
import { type Received, type Reply, type Script, startScript } from "./support/scripted-server";

const project = { branch: "main", commit_hash: "c0ffee", org_name: "acme", repo_name: "web" };
const parsed = {
  id: ID,
  name: "shop",
  url: "https://shop.example.com",
  processing: false,
  ready: true,
  retired: false,
  deleted: false,
  stopped: false,
  projects: [{ repoName: "web", orgName: "acme", branch: "main", commitHash: "c0ffee" }],
  bypassToken: "bypass-1",
};
const summary = ({ method, url, body }: Received) => ({ method, url, body });

describe("client/environments: list", () => {
  it("names the address when the service does not know the list: no id was given", async () => {
    const refusal = { status: 404, json: { errors: [{ status: 404, title: "Not found" }] } };
    await using server = await startScript([refusal]);
    await using client = clientOf(server);
    const text = String(await failure(collect(client.environments.list())));
    expect(text).to.match(/the service answered 404: "Not found"\. Check previewenv:baseUrl .+#every-404\.$/u);
    expect(text).not.to.contain("Check the id");
  });

  it("gives the environments of all pages, and sends the filters with every page", async () => {
    await using server = await startScript([
      { json: { data: [environmentItem()], links: { next: "/api/v1/environment?page=2", prev: "" } } },
      { json: { data: [environmentItem(OTHER_ID)], links: { next: "" } } },
    ]);
    await using client = clientOf(server);
    const filters = {
      name: "a b",
      orgName: "o",
      repoName: "r&d",
      branch: "f/x+y",
      pullRequestNumber: 42,
      deleted: false,
    };
    const ids = (await collect(client.environments.list(filters))).map(({ id }) => id);
    expect(ids).to.deep.equal([ID, OTHER_ID]);
    const query = "name=a%20b&org_name=o&repo_name=r%26d&branch=f%2Fx%2By&pull_request_number=42&deleted=false";
    expect(server.requests.map(({ url }) => url)).to.deep.equal([
      `/api/v1/environment?${query}`,
      `/api/v1/environment?${query}&page=2`,
    ]);
  });

  it("reads a pull request's number, and lets unknown fields pass", async () => {
    const projects = [{ ...project, pull_request_number: 7, shiny: true }];
    await using server = await startScript([
      { json: { data: [environmentItem(ID, { projects, shiny: 1 })], meta: {} } },
    ]);
    await using client = clientOf(server);
    const [environment] = await collect(client.environments.list());
    expect(environment?.projects[0]?.pullRequestNumber).to.equal(7);
    expect(environment).not.to.have.property("shiny");
  });
});

describe("client/environments: get", () => {
  const item = environmentItem();
  const shapes = { "within data": { data: item }, bare: item, flat: { id: ID, ...item.attributes } };
  for (const [what, json] of Object.entries({ ...shapes, "flat within data": { data: shapes.flat } })) {
    it(`reads an answer that is ${what}`, async () => {
      await using server = await startScript([{ json }]);
      await using client = clientOf(server);
      expect(await client.environments.get(ID)).to.deep.equal(parsed);
    });
  }

  it("invents no flag: names what is missing, and shows no value", async () => {
    const attributes = { stopped: undefined, ready: "s3cr3t", bypass_token: 12_345 };
    await using server = await startScript([{ json: { data: environmentItem(ID, attributes) } }]);
    await using client = clientOf(server);
    const error = await failure(client.environments.get(ID));
    expect(error).to.be.instanceOf(ResponseShapeError);
    expect(error).to.have.property("message").that.includes("stopped").and.includes("ready").and.includes(ID);
    expect(error)
      .to.have.property("message")
      .that.does.not.match(/s3cr3t|12345/u);
  });
});

describe("client/environments: changeBranches", () => {
  const path = `/api/v1/environment/${ID}`;
  const change = [{ repoName: "web", branch: "feature/x" }];
  const body = {
    data: { id: ID, type: "application", attributes: { projects: [{ branch: "feature/x", repo_name: "web" }] } },
  };
  const answering = (statuses: Readonly<Record<string, number>>): Script => {
    return ({ method, url }): Reply => {
      const status = statuses[method] ?? 500;
      if (status === 404) return { status, json: { errors: [{ status, title: "Not found" }] } };
      const isRead = method === "GET" && status === 200;
      return isRead ? { json: { data: environmentItem(url.split("/").at(-1)) } } : { status, text: "not JSON" };
    };
  };

  it("sends PATCH, and does not look at what the answer says", async () => {
    await using server = await startScript(answering({ PATCH: 200 }));
    await using client = clientOf(server);
    await client.environments.changeBranches(ID, change);
    expect(server.requests.map(summary)).to.deep.equal([{ method: "PATCH", url: path, body }]);
  });

  for (const status of [404, 405]) {
    it(`sends POST after ${status} when the environment exists, and remembers that`, async () => {
      await using server = await startScript(answering({ PATCH: status, GET: 200, POST: 200 }));
      await using client = clientOf(server);
      await client.environments.changeBranches(ID, change);
      await client.environments.changeBranches(OTHER_ID, change);
      expect(server.requests.map(({ method }) => method)).to.deep.equal(["PATCH", "GET", "POST", "POST"]);
      expect(server.requests[2]?.body).to.deep.equal(body);
    });
  }

  it("sends no POST when the answer about the environment is none", async () => {
    const answers = ["", "{}", "<html>", '{"data": {}}'].map((text) => ({ status: 200, text }));
    for (const answer of [...answers, { status: 503, text: "" }]) {
      await using server = await startScript(({ method }) => (method === "PATCH" ? { status: 404, text: "" } : answer));
      await using client = clientOf(server, { maxRetries: 0 });
      await failure(client.environments.changeBranches(ID, change));
      expect(server.requests.map(({ method }) => method)).to.deep.equal(["PATCH", "GET"]);
    }
  });

  it("says not found when the environment does not exist", async () => {
    for (const status of [404, 405]) {
      await using server = await startScript(answering({ PATCH: status, GET: 404, POST: 200 }));
      await using client = clientOf(server);
      expect(await failure(client.environments.changeBranches(ID, change))).to.be.instanceOf(NotFoundError);
      expect(server.requests.map(({ method }) => method)).to.deep.equal(["PATCH", "GET"]);
    }
  });

  it("asks nothing more after 404 once PATCH has worked", async () => {
    const json = { errors: [{ title: "Not found" }] };
    await using server = await startScript(({ url }) => (url === path ? {} : { status: 404, json }));
    await using client = clientOf(server);
    await client.environments.changeBranches(ID, change);
    expect(await failure(client.environments.changeBranches(OTHER_ID, change))).to.be.instanceOf(NotFoundError);
    expect(server.requests.map(({ method }) => method)).to.deep.equal(["PATCH", "PATCH"]);
  });

  it("sends no POST after any other answer, which could mean that the build is queued", async () => {
    for (const status of [400, 401, 500, 503]) {
      await using server = await startScript(answering({ PATCH: status, GET: 200, POST: 200 }));
      await using client = clientOf(server, { clock: fakeClock() });
      await failure(client.environments.changeBranches(ID, change));
      expect(server.requests.map(({ method }) => method)).to.deep.equal(["PATCH"]);
    }
  });
});
