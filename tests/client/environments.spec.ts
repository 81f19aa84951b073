import { inspect } from "node:util";
import { expect } from "chai";
import { NotFoundError, ResponseShapeError } from "../../provider/src/client/errors";
import { clientOf, collect, environmentItem, failure, ID, OTHER_ID } from "./support/samples";
import { type Received, type Reply, startScript } from "./support/scripted-server";

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

describe("client/environments: list", () => {
  it("names the address when the service does not know the list: no id was given", async () => {
    const refusal = { status: 404, json: { errors: [{ status: 404, title: "Not found" }] } };
    await using server = await startScript([refusal]);
    await using client = clientOf(server);
    const text = String(await failure(collect(client.environments.list())));
    expect(text).to.match(/the service answered 404: "Not found"\. Check previewenv:baseUrl .+#every-404\.$/u);
    expect(text).not.to.contain("Check the id");
  });
});

describe("client/environments: get", () => {
  // Unknown fields pass.
  const item = environmentItem(ID, { shiny: 1, error: "of the last build", errors: ["the same"] });
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
    expect(inspect(error, { depth: 9, showHidden: true })).not.to.match(/s3cr3t|12345/u);
  });
});

describe("client/environments: changeBranches", () => {
  const path = `/api/v1/environment/${ID}`;
  const change = [{ repoName: "web", branch: "feature/x" }];
  const body = {
    data: { id: ID, type: "application", attributes: { projects: [{ branch: "feature/x", repo_name: "web" }] } },
  };
  const gone: Reply = { status: 404, json: { errors: [{ title: "Not found" }] } };
  const found = ({ url }: Received): Reply => ({ json: { data: environmentItem(url.split("/").at(-1)) } });
  const unreadable = ["", "{}", "<html>", '{"data": {}}'].map((text): Reply => ({ text }));

  /** The answers to PATCH and to GET, and the requests for two changes of two environments. */
  const rows: readonly (readonly [string, Reply, Reply | typeof found, string])[] = [
    ["whatever a good answer says", { text: "not JSON" }, found, "PATCH PATCH"],
    ...[gone, { status: 404, text: "" }, { status: 405 }, { status: 501 }].flatMap((refusal): typeof rows => [
      [`after ${refusal.status} of an environment that exists`, refusal, found, "PATCH GET POST POST"],
      [`after ${refusal.status} of one that does not`, refusal, gone, "PATCH GET PATCH GET"],
      ...[...unreadable, { status: 503 }].map((answer): (typeof rows)[number] => [
        `after ${refusal.status}, when nothing tells whether it exists: ${JSON.stringify(answer)}`,
        refusal,
        answer,
        "PATCH GET PATCH GET",
      ]),
    ]),
    // The build may be queued.
    ...[400, 401, 500, 503].map((status) => [`after ${status}`, { status }, found, "PATCH PATCH"] as const),
  ];
  for (const [when, patched, read, requests] of rows)
    it(`sends ${requests} ${when}`, async () => {
      await using server = await startScript((request) => {
        if (request.method === "POST") return {};
        if (request.method === "PATCH") return patched;
        return typeof read === "function" ? read(request) : read;
      });
      await using client = clientOf(server, { maxRetries: 0 });
      const outcomes: unknown[] = [];
      for (const id of [ID, OTHER_ID])
        outcomes.push(await client.environments.changeBranches(id, change).catch((error: unknown) => error));
      expect(server.requests.map(({ method }) => method).join(" ")).to.equal(requests);
      const changes = server.requests.filter(({ url, method }) => url === path && method !== "GET");
      for (const sent of changes) expect(sent.body).to.deep.equal(body);
      for (const outcome of outcomes)
        if (read === gone) expect(outcome).to.be.instanceOf(NotFoundError);
        else if (requests.endsWith("POST") || patched.status === undefined) expect(outcome).to.equal(undefined);
        else expect(outcome).to.be.instanceOf(Error);
    });

  it("asks nothing more after 404 once PATCH has worked", async () => {
    await using server = await startScript(({ url }) => (url === path ? {} : gone));
    await using client = clientOf(server);
    await client.environments.changeBranches(ID, change);
    expect(await failure(client.environments.changeBranches(OTHER_ID, change))).to.be.instanceOf(NotFoundError);
    expect(server.requests.map(({ method }) => method)).to.deep.equal(["PATCH", "PATCH"]);
  });
});
