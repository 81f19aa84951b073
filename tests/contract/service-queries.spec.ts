import { expect } from "chai";
import type { EnvironmentSeed } from "../../provider/src/sandbox";
import type { Answer } from "../sandbox/caller";
import { pathOf, type ServiceStage, snapshotOf, startService } from "./support/service-stage";
import { pagination, queryParameters } from "./support/specification";
import { EmptyHistoryBody, EnvironmentListBody, HistoryBody, UpsertBody } from "./support/specification-shapes";

const ID = "11111111-1111-4111-8111-111111111111";
const COUNT = 45;
const FIRST_PAGE_ITEMS = 20;

type Parameters<T extends keyof typeof queryParameters> = keyof (typeof queryParameters)[T];

/** A value of a parameter that is not its default. */
interface ParameterCase {
  readonly value: string;
  /** How many items are on the page then. */
  readonly onPage: number;
}

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

const listCases: Readonly<Record<Parameters<"listEnvironments">, ParameterCase>> = {
  name: { value: "by-name", onPage: 1 },
  org_name: { value: "partner", onPage: 1 },
  repo_name: { value: "a b&c/ü", onPage: 1 },
  branch: { value: "feature/x+y", onPage: 1 },
  pull_request_number: { value: "42", onPage: 1 },
  deleted: { value: "true", onPage: 2 },
  page: { value: "3", onPage: 5 },
  page_size: { value: "7", onPage: 7 },
};

const historyCases: Readonly<Record<Parameters<"readBuildHistory">, ParameterCase>> = {
  successfully_built: { value: "true", onPage: FIRST_PAGE_ITEMS },
  page: { value: "3", onPage: 6 },
  page_size: { value: "7", onPage: 7 },
};

/** 45 successful builds and then a failed one. */
async function startHistory(): Promise<ServiceStage> {
  const stage = await startService({ environments: [{ id: ID, name: "shop", projects: [project], builds: COUNT }] });
  stage.world.failNextBuild(ID);
  stage.world.pushCommit(ID, "web");
  stage.world.finishBuilds(ID);
  return stage;
}

/** The two lists that have parameters and pages, and everything that differs between them. */
const lists = {
  listEnvironments: {
    cases: listCases,
    /** The service of the cases. */
    start: () => startService({ environments }),
    /** A service that lists so many. */
    startWith: (count: number) =>
      startService({
        environments: Array.from({ length: count }, (_, index) => ({ name: `env-${index}`, projects: [project] })),
      }),
    parse: (json: unknown) => {
      const { data, links } = EnvironmentListBody.parse(json);
      return { ids: data.map(({ id }) => id), links };
    },
  },
  readBuildHistory: {
    cases: historyCases,
    start: startHistory,
    startWith: (count: number) =>
      startService({ environments: [{ id: ID, name: "shop", projects: [project], builds: count }] }),
    parse: (json: unknown) => {
      const empty = EmptyHistoryBody.safeParse(json);
      if (empty.success) return { ids: [], links: empty.data.links };
      const { data, links } = HistoryBody.parse(json);
      return { ids: data.builds.map(({ id }) => id), links };
    },
  },
} as const;

const LAST_PAGE = 3;
type Links = ReturnType<(typeof lists)["listEnvironments"]["parse"]>["links"];

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
  const { start, startWith, cases, parse } = lists[endpoint];
  const parameters = new Map<string, string | undefined>(Object.entries(queryParameters[endpoint]));
  const path = pathOf(endpoint, ID, "");

  describe(`service: query parameters of ${endpoint}`, () => {
    for (const [name, { value, onPage }] of Object.entries(cases)) {
      it(`${name} is heeded, and has the default of the table`, async () => {
        await using stage = await start();
        const usual = await stage.raw(endpoint, { id: ID });
        expect(parse(usual.json).ids).to.have.length(FIRST_PAGE_ITEMS);
        const initial = parameters.get(name);
        const query = initial === undefined ? {} : { [name]: initial };
        expect((await stage.raw(endpoint, { id: ID, query })).json).to.deep.equal(usual.json);
        const other = await stage.raw(endpoint, { id: ID, query: { [name]: value } });
        expect(parse(other.json).ids).to.have.length(onPage);
        expect(other.json).not.to.deep.equal(usual.json);
      });
    }
  });

  describe(`service: pages of ${endpoint}`, () => {
    it(`${COUNT} items are ${LAST_PAGE} pages of ${pagination.defaultPageSize}, linked with each other`, async () => {
      await using stage = await startWith(COUNT);
      const ids: string[] = [];
      for (let page: number = pagination.firstPage; page <= LAST_PAGE; page += 1) {
        const found = parse((await stage.raw(endpoint, { id: ID, query: { page: String(page) } })).json);
        expect(found.ids).to.have.length(page < LAST_PAGE ? pagination.defaultPageSize : 5);
        expect(pagesOf(found.links, path)).to.deep.equal({
          first: pagination.firstPage,
          last: LAST_PAGE,
          next: page < LAST_PAGE ? page + 1 : undefined,
          prev: page > pagination.firstPage ? page - 1 : undefined,
        });
        ids.push(...found.ids);
      }
      expect(new Set(ids)).to.have.property("size", COUNT);
    });

    for (const [what, count] of [
      ["an empty result", 0],
      ["a full page", pagination.defaultPageSize],
    ] as const)
      it(`${what} is one page: first and last both point to page 1, and nothing follows`, async () => {
        await using stage = await startWith(count);
        const { ids, links } = parse((await stage.raw(endpoint, { id: ID })).json);
        expect(ids).to.have.length(count);
        expect(pagesOf(links, path)).to.deep.equal({ first: 1, last: 1, next: undefined, prev: undefined });
      });
  });
}

const SECOND_MS = 1000;
const shop: EnvironmentSeed = { id: ID, name: "shop", projects: [{ repoName: "web", branch: "main" }] };

function startShop(seed: Partial<EnvironmentSeed> = {}): Promise<ServiceStage> {
  return startService({ environments: [{ ...shop, ...seed }] });
}

function put(stage: ServiceStage, ...items: readonly unknown[]): Promise<Answer> {
  return stage.raw("writeVariables", { id: ID, body: { env_vars: items } });
}

function plain(name: string, value: string) {
  return { name, value, hidden: false, services: [] };
}

/** Each rule of the upsert. */
const rules: Readonly<Record<string, (stage: ServiceStage) => Promise<void>>> = {
  "a variable of the same name is updated, otherwise a new one is created": async (stage) => {
    const created = UpsertBody.parse((await put(stage, plain("A", "1"))).json).data[0];
    expect(created?.attributes).to.include({ value: "1", created_at: "2026-01-01T00:00:00" });
    stage.clock.advance(SECOND_MS);
    const updated = UpsertBody.parse((await put(stage, plain("A", "2"), plain("B", "3"))).json).data;
    expect(updated.map(({ attributes }) => [attributes.name, attributes.value])).to.deep.equal([
      ["A", "2"],
      ["B", "3"],
    ]);
    expect(updated[0]?.id).to.equal(created?.id);
    const times = { created_at: "2026-01-01T00:00:00", updated_at: "2026-01-01T00:00:01" };
    expect(updated[0]?.attributes).to.include(times);
  },
  "when a name occurs more than once in one request, the last value is used": async (stage) => {
    const answer = await put(stage, plain("A", "first"), plain("B", "other"), plain("A", "last"));
    expect(answer.status).to.equal(200);
    const shown = UpsertBody.parse(answer.json).data.map(({ attributes }) => [attributes.name, attributes.value]);
    expect(shown).to.deep.equal([
      ["A", "last"],
      ["B", "other"],
    ]);
  },
  "when env_vars is missing or invalid, the answer is 400": async (stage) => {
    const before = snapshotOf(stage.world);
    for (const body of [{}, { env_vars: null }, { env_vars: {} }, { env_vars: "A=1" }, { env_vars: ["A=1"] }, []]) {
      const answer = await stage.raw("writeVariables", { id: ID, body });
      expect(answer.status, JSON.stringify(body)).to.equal(400);
    }
    expect(snapshotOf(stage.world)).to.deep.equal(before);
  },
  "hidden is true when it is left out": async (stage) => {
    const [item] = UpsertBody.parse((await put(stage, { name: "A", value: "0123456789", services: [] })).json).data;
    expect(item?.attributes).to.include({ hidden: true, value: "01******89" });
  },
  "services are all of them when they are left out": async (stage) => {
    const item = { name: "A", value: "1", hidden: false };
    const scoped = { ...item, services: ["web", "worker"] };
    for (const everywhere of [item, { ...item, services: null }]) {
      await put(stage, scoped);
      const [answered] = UpsertBody.parse((await put(stage, everywhere)).json).data;
      expect(answered?.attributes.services).to.deep.equal([]);
    }
  },
};

describe("service: rules of the upsert", () => {
  for (const [text, rule] of Object.entries(rules)) {
    it(text, async () => {
      await using stage = await startShop();
      await rule(stage);
    });
  }
});
