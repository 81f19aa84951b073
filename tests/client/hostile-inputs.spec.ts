import { expect } from "chai";
import type { PreviewenvClient } from "../../provider/src/client";
import { ArgumentError, ConfigError } from "../../provider/src/client/errors";
import { clientAt, clientOf, collect, envVarItem, failure, ID, TOKEN } from "./support/samples";
import { startScript } from "./support/scripted-server";

/** Every call that puts an id into a path. */
const calls: Readonly<Record<string, (client: PreviewenvClient, id: string) => Promise<unknown>>> = {
  get: (client, id) => client.environments.get(id),
  changeBranches: (client, id) => client.environments.changeBranches(id, [{ repoName: "web", branch: "main" }]),
  act: (client, id) => client.environments.act("stop", id),
  loadSnapshot: (client, id) => client.environments.loadSnapshot(id, { sequenceNumber: 1 }),
  "builds.list": (client, id) => collect(client.builds.list(id)),
  "builds.pages": (client, id) => collect(client.builds.pages(id)),
  "envVars.list": (client, id) => client.envVars.list(id),
  "envVars.upsert": (client, id) => client.envVars.upsert(id, []),
  "envVars.delete": (client, id) => client.envVars.delete(id, "A"),
};

const ids: readonly string[] = [
  "..",
  ".",
  "",
  `${ID}/..`,
  `../${ID}`,
  `${ID}/stop`,
  `${ID}%2fstop`,
  `${ID}?x=1`,
  `${ID}#x`,
  `${ID}\n`,
  `${ID}\r\nx-evil: 1`,
  `${ID}\u0000`,
  `\u202e${ID}`,
  ` ${ID}`,
  `${ID.slice(0, -1)}\uff11`,
];

describe("client: ids in paths", () => {
  for (const [name, call] of Object.entries(calls)) {
    it(`${name} sends nothing for an id that is no UUID, and does not repeat it`, async () => {
      await using server = await startScript([{ status: 204 }]);
      await using client = clientOf(server);
      for (const id of ids) {
        const error = await failure(call(client, id));
        expect(error, JSON.stringify(id)).to.be.instanceOf(ArgumentError);
        expect(error).to.have.property("message", "The environment id is not a UUID. Nothing was sent.");
      }
      expect(server.requests).to.deep.equal([]);
    });
  }
});

describe("client: names in paths", () => {
  it("sends a name as one segment, whatever it looks like", async () => {
    const names = [
      "a/b",
      "../../stop",
      "..%2f..",
      "%2e%2e",
      "a?b=c",
      "a#b",
      "a b",
      "a\\..\\b",
      "a\r\nx-evil: 1",
      "ü%",
      "...",
      "__proto__",
    ];
    await using server = await startScript([{ status: 204 }]);
    await using client = clientOf(server);
    for (const name of names) await client.envVars.delete(ID, name);
    const prefix = `/api/v1/environment/${ID}/env-vars/`;
    const segments = server.requests.map(({ url }) => url.slice(prefix.length));
    expect(server.requests.every(({ method, url }) => method === "DELETE" && url.startsWith(prefix))).to.equal(true);
    expect(segments.filter((segment) => /[/?#\\]|%(?![0-9A-F]{2})/u.test(segment))).to.deep.equal([]);
    expect(segments.map(decodeURIComponent)).to.deep.equal(names);
    expect(server.requests.some(({ headers }) => "x-evil" in headers)).to.equal(false);
  });

  for (const name of ["", ".", "..", "a\ud800"]) {
    it(`sends nothing for the name ${JSON.stringify(name)}`, async () => {
      await using server = await startScript([{ status: 204 }]);
      await using client = clientOf(server);
      expect(await failure(client.envVars.delete(ID, name))).to.be.instanceOf(ArgumentError);
      expect(server.requests).to.deep.equal([]);
    });
  }

  it("sends filters as values of a query, whatever they look like, and with every page", async () => {
    const pages = ["/api/v1/environment?page=2", ""].map((next) => ({ json: { data: [], links: { next } } }));
    await using server = await startScript(pages);
    await using client = clientOf(server);
    const filters = { name: "a&deleted=true#x", orgName: "o\r\nx-evil: 1", repoName: "../..", branch: "f?a=b/ü%+x" };
    await collect(client.environments.list({ ...filters, pullRequestNumber: 42, deleted: false }));
    const { orgName: org_name, repoName: repo_name, ...others } = filters;
    const sent = { ...others, org_name, repo_name, pull_request_number: "42", deleted: "false" };
    expect(server.requests).to.have.length(2);
    for (const [index, { url, headers }] of server.requests.entries()) {
      const { pathname, search, searchParams } = new URL(url, server.url);
      expect(pathname).to.equal("/api/v1/environment");
      expect(search).not.to.include("+");
      expect(Object.fromEntries(searchParams)).to.deep.equal({ ...sent, ...(index === 1 && { page: "2" }) });
      expect(headers).not.to.have.property("x-evil");
    }
  });

  it("takes names from answers as data: none of them changes what objects are", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const json = `{"__proto__":{"polluted":1},"data":[${names.map((name) => JSON.stringify(envVarItem(name))).join()},
      {"__proto__":{"polluted":1},"type":"env-var","attributes":{"__proto__":{"polluted":1},"name":"A","value":"1","hidden":false}}]}`;
    await using server = await startScript([{ text: json }]);
    await using client = clientOf(server);
    const { variables } = await client.envVars.list(ID);
    expect(variables.map(({ name }) => name)).to.deep.equal([...names, "A"]);
    expect(variables.every((one) => !("polluted" in one))).to.equal(true);
    expect("polluted" in {}).to.equal(false);
  });
});

describe("client: settings in headers", () => {
  const injections = ["\r\nx-evil: 1", "\nx-evil: 1", "\rx-evil: 1", "\u0000", "\u2028x-evil: 1", "\u010a", "ÿ", "\t"];

  it("refuses a token that is none, or more than the value of a header, and does not show it", () => {
    const around = [...injections, " "].flatMap((injection) => [`s3cr3t${injection}`, `${injection}s3cr3t`]);
    for (const apiToken of ["", " ", ...around, ...injections.map((injection) => `s3${injection}cr3t`)])
      expect(() => clientAt("https://previews.example.com", { apiToken }), JSON.stringify(apiToken))
        .to.throw(ConfigError, "previewenv:apiToken or PREVIEWENV_API_TOKEN")
        .with.property("message")
        .that.does.not.match(/s3|cr3t|evil/u);
  });

  it("sends the same four headers and a host, whatever the address looks like", async () => {
    await using server = await startScript([{ json: { data: [] } }]);
    for (const path of [
      "/x\r\nx-evil: 1",
      "/x\ty",
      "/x y",
      "/ü",
      "/a/../b",
      "/a/%2e%2e/b",
      "\\..\\x",
      "/x%0d%0ax-evil:1",
    ]) {
      await using client = clientAt(server.url + path, { apiToken: TOKEN });
      await client.envVars.list(ID);
    }
    for (const { url, headers } of server.requests) {
      expect(Object.keys(headers).toSorted()).to.deep.equal([
        "accept",
        "accept-encoding",
        "connection",
        "host",
        "user-agent",
        "x-api-token",
      ]);
      expect(headers).to.include({ host: new URL(server.url).host, "x-api-token": TOKEN });
      expect(url).to.match(new RegExp(`^(?:/[-\\w%.:]+)?/api/v1/environment/${ID}/env-vars$`, "u"));
      expect(url).not.to.include("..");
    }
  });
});
