import { expect } from "chai";
import * as fc from "fast-check";
import { ResponseShapeError } from "../../provider/src/client/errors";
import type { Build } from "../../provider/src/client/builds";
import { newestBuilds } from "../../provider/src/client/newest-builds";
import type { Page } from "../../provider/src/client/pages";
import { clientOf, collect, failure, ID } from "./support/samples";
import { startScript } from "./support/scripted-server";

const project = { branch: "main", commit_hash: "c0ffee", repo_owner: "acme", pull_request_number: 7, repo_name: "web" };
const PROJECT = { branch: "main", commitHash: "c0ffee", repoOwner: "acme", pullRequestNumber: 7, repoName: "web" };
const build = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  projects: [project],
  successfully_built: true,
  queued_at: "2026-01-02T03:04:05.678901Z",
  ...fields,
});
const pageOf = (builds: unknown[], next = "") => ({
  data: { builds, name: "shop" },
  id: ID,
  type: "application",
  links: { first: "?page=1", last: "?page=9", next, prev: "" },
});

describe("client/builds", () => {
  for (const [what, fields, expected] of [
    ["each repository as it was built", {}, { projects: [PROJECT] }],
    ["null for a build that is not over", { successfully_built: null }, { successfullyBuilt: false }],
    ["a build without a time", { queued_at: undefined }, { queuedAt: "" }],
    ["a build whose time is null", { queued_at: null }, { queuedAt: "" }],
  ] as const)
    it(`takes ${what}`, async () => {
      await using server = await startScript([{ json: pageOf([build("b1", fields)]) }]);
      await using client = clientOf(server);
      const [taken] = await collect(client.builds.list(ID));
      expect(taken).to.deep.include(expected);
    });

  it("takes an empty list in the place of an object for a history without builds", async () => {
    await using server = await startScript([{ json: { ...pageOf([]), data: [] } }]);
    await using client = clientOf(server);
    expect(await collect(client.builds.list(ID))).to.deep.equal([]);
  });

  for (const data of [null, "none", [build("b1")], { name: "shop" }, { builds: [{ id: "b1" }] }]) {
    it(`refuses ${JSON.stringify(data).slice(0, 30)} as a history`, async () => {
      await using server = await startScript([{ json: { data } }]);
      await using client = clientOf(server);
      expect(await failure(collect(client.builds.list(ID)))).to.be.instanceOf(ResponseShapeError);
    });
  }
});

const PAGE_SIZE = 20;
const START_MS = Date.parse("2026-01-01T00:00:00Z");
const SECOND_MS = 1_000;

/** Build number `n`. Higher numbers were queued later. */
function numbered(n: number, queuedAt = new Date(START_MS + n * SECOND_MS).toISOString()): Build {
  return { id: `build-${n}`, projects: [], successfullyBuilt: true, queuedAt };
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const oldestFirst = (count: number): readonly Build[] => numbers(count).map((n) => numbered(n));
const ids = (builds: readonly Build[]): readonly string[] => builds.map(({ id }) => id);

/** A service with a history in its own order, and the pages that were asked for. */
function service(history: readonly Build[], options: { readonly size?: number; readonly last?: number | "none" } = {}) {
  const { size = PAGE_SIZE, last = Math.max(1, Math.ceil(history.length / size)) } = options;
  const asked: number[] = [];
  const fetchPage = (page = 1): Promise<Page<Build>> => {
    asked.push(page);
    const hasNext = page * size < history.length;
    return Promise.resolve({
      items: history.slice((page - 1) * size, page * size),
      ...(hasNext && { next: page + 1 }),
      ...(last !== "none" && { last }),
    });
  };
  /** Reads until there are that many builds. */
  const read = async (most = Infinity): Promise<readonly Build[]> => {
    const found: Build[] = [];
    for await (const piece of newestBuilds(fetchPage)) {
      found.push(...piece);
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  };
  return { asked, read };
}

describe("client/newest-builds", () => {
  for (const [what, order, pages] of [
    ["the newest first", (all: readonly Build[]) => all.toReversed(), [1]],
    ["the oldest first", (all: readonly Build[]) => all, [1, 3]],
  ] as const) {
    it(`finds the newest build of a history with ${what}, with requests for the pages ${pages.join(", ")}`, async () => {
      const { asked, read } = service(order(oldestFirst(45)));
      expect(ids(await read(1))).to.deep.equal(["build-44"]);
      expect(asked).to.deep.equal(pages);
    });
  }

  for (const [what, last] of [
    ["none", "none"],
    ["the first one", 1],
    ["one past the end", 9],
    ["one that is not the last any more", 2],
  ] as const)
    it(`finds the newest build behind the oldest when the service names as its last page ${what}`, async () => {
      const { read } = service(oldestFirst(45), { last });
      expect(ids(await read())).to.deep.equal(ids(oldestFirst(45).toReversed()));
      expect(ids(await service(oldestFirst(45), { last }).read(1))).to.deep.equal(["build-44"]);
    });

  it("tells two builds of one millisecond apart by their microseconds", async () => {
    const within = [numbered(0, "2026-01-01T00:00:00.000100Z"), numbered(1, "2026-01-01T00:00:00.000900Z")];
    expect(ids(await service(within).read())).to.deep.equal(["build-1", "build-0"]);
  });

  it("gives every build once, the newest first, in either order, on pages of any size", () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 60 }),
        fc.boolean(),
        fc.integer({ min: 1, max: PAGE_SIZE }),
        async (count, isRising, size) => {
          const newestFirst = oldestFirst(count).toReversed();
          const { asked, read } = service(isRising ? oldestFirst(count) : newestFirst, { size });
          expect(ids(await read())).to.deep.equal(ids(newestFirst));
          if (count <= size) expect(asked).to.deep.equal([1]);
        },
      ),
    ));

  it("gives every build once, whatever the times say", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat({ max: 60 }), readable: fc.boolean() }), { maxLength: 60 }),
        fc.integer({ min: 1, max: PAGE_SIZE }),
        async (given, size) => {
          const all = given.map(({ at, readable }, n) => ({
            ...numbered(at, readable ? undefined : "?"),
            id: `b${n}`,
          }));
          expect(ids(await service(all, { size }).read()).toSorted()).to.deep.equal(ids(all).toSorted());
        },
      ),
    ));
});
