import { expect } from "chai";
import type { PreviewenvClient } from "../../provider/src/client";
import type { EnvironmentSeed } from "../../provider/src/sandbox";
import { collect, type ServiceStage, startService } from "./support/service-stage";
import { type ParameterRow, queryParameters } from "./support/specification";
import { EnvironmentListBody, HistoryBody } from "./support/specification-shapes";

const ID = "11111111-1111-4111-8111-111111111111";
const COUNT = 45;
const FIRST_PAGE_ITEMS = 20;

/** How many items come. */
interface Result {
  /** On the page that plain HTTP asks for. */
  readonly raw: number;
  /** On all the pages that the client reads. */
  readonly client: number;
}

/** One value of a parameter that is not its default, and what comes then. */
interface ParameterCase {
  readonly value: string;
  readonly expected: Result;
  /** How the client says it; absent for what the client leaves to the service's default. */
  readonly ask?: (client: PreviewenvClient) => Promise<readonly unknown[]>;
}

type Parameters<T extends keyof typeof queryParameters> = keyof (typeof queryParameters)[T];

const project = { repoName: "web", branch: "main" };
/** 45 that are not deleted, 5 of them unlike the others in one thing each, and 2 that are deleted. */
const environments: readonly EnvironmentSeed[] = [
  { name: "by-name", projects: [project] },
  { name: "env", projects: [{ ...project, orgName: "partner" }] },
  { name: "env", projects: [{ ...project, repoName: "a b&c/ü" }] },
  { name: "env", projects: [project, { ...project, repoName: "api", branch: "feature/x+y" }] },
  { name: "env", projects: [{ ...project, pullRequestNumber: 42 }] },
  ...Array.from({ length: COUNT - 5 }, () => ({ name: "env", projects: [project] })),
  ...Array.from({ length: 2 }, () => ({ name: "env", projects: [project], deleted: true })),
];

const one = { raw: 1, client: 1 };

const listCases: Readonly<Record<Parameters<"listEnvironments">, ParameterCase>> = {
  name: { value: "by-name", expected: one, ask: (client) => collect(client.environments.list({ name: "by-name" })) },
  org_name: {
    value: "partner",
    expected: one,
    ask: (client) => collect(client.environments.list({ orgName: "partner" })),
  },
  repo_name: {
    value: "a b&c/ü",
    expected: one,
    ask: (client) => collect(client.environments.list({ repoName: "a b&c/ü" })),
  },
  branch: {
    value: "feature/x+y",
    expected: one,
    ask: (client) => collect(client.environments.list({ branch: "feature/x+y" })),
  },
  pull_request_number: {
    value: "42",
    expected: one,
    ask: (client) => collect(client.environments.list({ pullRequestNumber: 42 })),
  },
  deleted: {
    value: "true",
    expected: { raw: 2, client: 2 },
    ask: (client) => collect(client.environments.list({ deleted: true })),
  },
  page: {
    value: "3",
    expected: { raw: 5, client: COUNT },
    ask: (client) => collect(client.environments.list()),
  },
  page_size: { value: "7", expected: { raw: 7, client: COUNT } },
};

const historyCases: Readonly<Record<Parameters<"readBuildHistory">, ParameterCase>> = {
  successfully_built: {
    value: "true",
    expected: { raw: FIRST_PAGE_ITEMS, client: COUNT },
    ask: (client) => collect(client.builds.list(ID, { successfullyBuilt: true })),
  },
  page: {
    value: "3",
    expected: { raw: 6, client: COUNT + 1 },
    ask: (client) => collect(client.builds.list(ID)),
  },
  page_size: { value: "7", expected: { raw: 7, client: COUNT + 1 } },
};

function startList(): Promise<ServiceStage> {
  return startService({ environments });
}

/** 45 successful builds and then a failed one. */
async function startHistory(): Promise<ServiceStage> {
  const stage = await startService({ environments: [{ id: ID, name: "shop", projects: [project], builds: COUNT }] });
  stage.world.failNextBuild(ID);
  stage.world.pushCommit(ID, "web");
  stage.world.finishBuilds(ID);
  return stage;
}

/** Everything that differs between the two lists. */
const lists = {
  listEnvironments: {
    start: startList,
    cases: listCases,
    items: (json: unknown) => EnvironmentListBody.parse(json).data,
    all: (client: PreviewenvClient) => collect(client.environments.list()),
  },
  readBuildHistory: {
    start: startHistory,
    cases: historyCases,
    items: (json: unknown) => HistoryBody.parse(json).data.builds,
    all: (client: PreviewenvClient) => collect(client.builds.list(ID)),
  },
} as const;

for (const endpoint of ["listEnvironments", "readBuildHistory"] as const) {
  const { start, cases, items, all } = lists[endpoint];
  const parameters = new Map<string, ParameterRow>(Object.entries(queryParameters[endpoint]));

  describe(`service: query parameters of ${endpoint}`, () => {
    it("every parameter has a case, and every case has a parameter", () => {
      expect(Object.keys(cases)).to.have.members([...parameters.keys()]);
    });

    for (const [name, { value, expected, ask = all }] of Object.entries(cases)) {
      it(`${name} is heeded`, async () => {
        await using stage = await start();
        const answer = await stage.raw(endpoint, { id: ID, query: { [name]: value } });
        expect(items(answer.json)).to.have.length(expected.raw);
        stage.requests();
        expect(await ask(stage.client)).to.have.length(expected.client);
        const queries = stage.requests().map(({ query }) => new URLSearchParams(query).get(name));
        // What the client does not say, the service's default decides.
        if (name === "page_size") expect(new Set(queries)).to.deep.equal(new Set([null]));
        else expect(queries).to.include(value);
      });

      it(`${name} has the default of the table`, async () => {
        await using stage = await start();
        const initial = parameters.get(name)?.default;
        const plain = await stage.raw(endpoint, { id: ID });
        const same = await stage.raw(endpoint, {
          id: ID,
          query: initial === undefined ? {} : { [name]: initial },
        });
        const other = await stage.raw(endpoint, { id: ID, query: { [name]: value } });
        expect(same.json).to.deep.equal(plain.json);
        // Otherwise any default would do.
        if (name !== "successfully_built") expect(items(other.json)).not.to.have.length(items(plain.json).length);
        expect(other.json).not.to.deep.equal(plain.json);
        expect(items(plain.json)).to.have.length(FIRST_PAGE_ITEMS);
      });
    }
  });
}

describe("service: filters", () => {
  const narrow = { repoName: "api", orgName: "acme", branch: "feature/x+y" };

  it("hold together, on every page", async () => {
    await using stage = await startList();
    const query = { name: "env", org_name: "acme", repo_name: "web", branch: "main", deleted: "false" };
    const pages = await Promise.all(
      ["1", "2", "3"].map(async (page) => (await stage.raw("listEnvironments", { query: { ...query, page } })).json),
    );
    const raw = pages.flatMap((json) => EnvironmentListBody.parse(json).data.map(({ id }) => id));
    expect(raw).to.have.length(COUNT - 3);
    stage.requests();
    const filters = { name: "env", orgName: "acme", repoName: "web", branch: "main", deleted: false };
    const read = await collect(stage.client.environments.list(filters));
    expect(read.map(({ id }) => id)).to.deep.equal(raw);
    const queries = stage.requests().map((request) => Object.fromEntries(new URLSearchParams(request.query)));
    expect(queries).to.deep.equal([query, { ...query, page: "2" }, { ...query, page: "3" }]);
  });

  it("lists environments that are not deleted unless asked", async () => {
    await using stage = await startList();
    const flags = async (deleted?: boolean) =>
      new Set((await collect(stage.client.environments.list({ deleted }))).map((environment) => environment.deleted));
    expect(await flags()).to.deep.equal(new Set([false]));
    expect(await flags(false)).to.deep.equal(new Set([false]));
    expect(await flags(true)).to.deep.equal(new Set([true]));
  });

  it("give an empty array when nothing matches", async () => {
    await using stage = await startList();
    const answer = await stage.raw("listEnvironments", { query: { name: "nowhere" } });
    expect(EnvironmentListBody.parse(answer.json).data).to.deep.equal([]);
    expect(await collect(stage.client.environments.list({ ...narrow, name: "nowhere" }))).to.deep.equal([]);
    expect(await collect(stage.client.environments.list(narrow))).to.have.length(1);
  });

  it("show what each build was, unless only successful ones are wanted", async () => {
    await using stage = await startHistory();
    const outcomes = async (successfullyBuilt?: boolean) =>
      (await collect(stage.client.builds.list(ID, { successfullyBuilt }))).map((build) => build.successfullyBuilt);
    expect((await outcomes()).filter((isBuilt) => !isBuilt)).to.have.length(1);
    expect(await outcomes(false)).to.have.length(COUNT + 1);
    expect(new Set(await outcomes(true))).to.deep.equal(new Set([true]));
  });
});
