import { expect } from "chai";
import type { EnvironmentSeed } from "../../provider/src/sandbox";
import { collect, pathOf, type ServiceStage, startService } from "./support/service-stage";
import { pagination } from "./support/specification";
import { EmptyHistoryBody, EnvironmentListBody, HistoryBody } from "./support/specification-shapes";

const ID = "11111111-1111-4111-8111-111111111111";
const COUNT = 45;
const LAST_PAGE = 3;
const project = { repoName: "web", branch: "main" };

interface Links {
  readonly first: string;
  readonly last: string;
  readonly next: string;
  readonly prev: string;
}

/** The two lists with pages, and how to read either. */
const lists = {
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
  const { seeds, parse, walk } = lists[endpoint];
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

describe("service: the build history", () => {
  it("of an environment without builds has an array for data, and keeps the rest", async () => {
    await using stage = await startService({ environments: lists.readBuildHistory.seeds(0) });
    const { json } = await stage.raw("readBuildHistory", { id: ID });
    const links = { first: `${pathOf("readBuildHistory", ID, "")}?page=1`, next: "", prev: "" };
    expect(json).to.deep.equal({ data: [], id: ID, type: "application", links: { ...links, last: links.first } });
    expect(await collect(stage.client.builds.list(ID))).to.deep.equal([]);
  });

  it("names the environment, and gives timestamps with microseconds, which the client leaves as they are", async () => {
    await using stage = await startService({ environments: lists.readBuildHistory.seeds(COUNT) });
    const { data } = HistoryBody.parse((await stage.raw("readBuildHistory", { id: ID })).json);
    expect(data.name).to.equal("shop");
    const read = (await collect(stage.client.builds.list(ID))).slice(0, data.builds.length);
    expect(read.map(({ queuedAt }) => queuedAt)).to.deep.equal(data.builds.map((build) => build.queued_at));
    expect(data.builds[0]?.queued_at).to.equal(stage.world.builds(ID)[0]?.queuedAt);
  });
});
