import { expect } from "chai";
import type { PreviewenvClient } from "../../provider/src/client";
import type { EnvironmentSeed } from "../../provider/src/sandbox";
import { collect, pathOf, type ServiceStage, startService } from "./support/service-stage";
import { pagination, queryParameters } from "./support/specification";
import { EmptyHistoryBody, EnvironmentListBody, HistoryBody } from "./support/specification-shapes";

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
  const parameters = new Map<string, string | undefined>(Object.entries(queryParameters[endpoint]));

  describe(`service: query parameters of ${endpoint}`, () => {
    it("every parameter has a case, and every case has a parameter", () => {
      expect(Object.keys(cases)).to.have.members([...parameters.keys()]);
    });

    for (const [name, { value, expected, ask = all }] of Object.entries(cases)) {
      it(`${name} is heeded, and has the default of the table`, async () => {
        await using stage = await start();
        const plain = await stage.raw(endpoint, { id: ID });
        expect(items(plain.json)).to.have.length(FIRST_PAGE_ITEMS);
        const initial = parameters.get(name);
        const query = initial === undefined ? {} : { [name]: initial };
        expect((await stage.raw(endpoint, { id: ID, query })).json).to.deep.equal(plain.json);
        const other = await stage.raw(endpoint, { id: ID, query: { [name]: value } });
        expect(items(other.json)).to.have.length(expected.raw);
        expect(other.json).not.to.deep.equal(plain.json);
        stage.requests();
        expect(await ask(stage.client)).to.have.length(expected.client);
        const queries = stage.requests().map((request) => new URLSearchParams(request.query).get(name));
        // What the client does not say, the service's default decides.
        if (name === "page_size") expect(new Set(queries)).to.deep.equal(new Set([null]));
        else expect(queries).to.include(value);
      });
    }
  });
}

describe("service: filters", () => {
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

  it("show what each build was, unless only successful ones are wanted", async () => {
    await using stage = await startHistory();
    const outcomes = async (successfullyBuilt?: boolean) =>
      (await collect(stage.client.builds.list(ID, { successfullyBuilt }))).map((build) => build.successfullyBuilt);
    expect((await outcomes()).filter((isBuilt) => !isBuilt)).to.have.length(1);
    expect(await outcomes(false)).to.have.length(COUNT + 1);
    expect(new Set(await outcomes(true))).to.deep.equal(new Set([true]));
  });
});

const LAST_PAGE = 3;

interface Links {
  readonly first: string;
  readonly last: string;
  readonly next: string;
  readonly prev: string;
}

/** The two lists with pages, and how to read either. */
const listPages = {
  listEnvironments: {
    seeds: (count: number): readonly EnvironmentSeed[] =>
      Array.from({ length: count }, (_, index) => ({ name: `env-${index}`, projects: [project] })),
    parse: (json: unknown) => {
      const { data, links } = EnvironmentListBody.parse(json);
      return { ids: data.map(({ id }) => id), links };
    },
    walk: ({ client }: ServiceStage) => collect(client.environments.list()),
  },
  readBuildHistory: {
    seeds: (count: number): readonly EnvironmentSeed[] => [
      { id: ID, name: "shop", projects: [project], builds: count },
    ],
    parse: (json: unknown) => {
      const empty = EmptyHistoryBody.safeParse(json);
      if (empty.success) return { ids: [], links: empty.data.links };
      const { data, links } = HistoryBody.parse(json);
      return { ids: data.builds.map(({ id }) => id), links };
    },
    walk: ({ client }: ServiceStage) => collect(client.builds.list(ID)),
  },
} as const;

/** The page of each link, after making sure that it is a relative path to the same list. */
function pagesOf(links: Links, path: string): Readonly<Record<keyof Links, number | undefined>> {
  const page = (link: string) => {
    if (link === pagination.noSuchPage) return undefined;
    const [linked, query] = link.split("?");
    expect(linked).to.equal(path);
    return Number(new URLSearchParams(query).get("page"));
  };
  return { first: page(links.first), last: page(links.last), next: page(links.next), prev: page(links.prev) };
}

for (const endpoint of ["listEnvironments", "readBuildHistory"] as const) {
  const { seeds, parse, walk } = listPages[endpoint];
  const path = pathOf(endpoint, ID, "");

  describe(`service: pages of ${endpoint}`, () => {
    it(`${COUNT} items are ${LAST_PAGE} pages of ${pagination.defaultPageSize}, linked with each other`, async () => {
      await using stage = await startService({ environments: seeds(COUNT) });
      const ids: string[] = [];
      for (let page: number = pagination.firstPage; page <= LAST_PAGE; page += 1) {
        const read = parse((await stage.raw(endpoint, { id: ID, query: { page: String(page) } })).json);
        expect(read.ids).to.have.length(page < LAST_PAGE ? pagination.defaultPageSize : 5);
        expect(pagesOf(read.links, path)).to.deep.equal({
          first: pagination.firstPage,
          last: LAST_PAGE,
          next: page < LAST_PAGE ? page + 1 : undefined,
          prev: page > pagination.firstPage ? page - 1 : undefined,
        });
        ids.push(...read.ids);
      }
      expect(new Set(ids)).to.have.property("size", COUNT);
      stage.requests();
      expect((await walk(stage)).map(({ id }) => id)).to.deep.equal(ids);
      expect(stage.requests().map(({ query }) => query)).to.deep.equal(["", "page=2", "page=3"]);
    });

    it("an empty result is one page: first and last both point to page 1", async () => {
      await using stage = await startService({ environments: seeds(0) });
      const { ids, links } = parse((await stage.raw(endpoint, { id: ID })).json);
      expect(ids).to.deep.equal([]);
      expect(pagesOf(links, path)).to.deep.equal({ first: 1, last: 1, next: undefined, prev: undefined });
      stage.requests();
      expect(await walk(stage)).to.deep.equal([]);
      expect(stage.requests()).to.have.length(1);
    });

    it("a full page is the last one when nothing follows", async () => {
      await using stage = await startService({ environments: seeds(pagination.defaultPageSize) });
      const { ids, links } = parse((await stage.raw(endpoint, { id: ID })).json);
      expect(ids).to.have.length(pagination.defaultPageSize);
      expect(pagesOf(links, path)).to.deep.equal({ first: 1, last: 1, next: undefined, prev: undefined });
      stage.requests();
      expect(await walk(stage)).to.have.length(pagination.defaultPageSize);
      expect(stage.requests()).to.have.length(1);
    });
  });
}
