import { expect } from "chai";
import * as fc from "fast-check";
import type { Build } from "../../provider/src/client/builds";
import { type HistoryPage, newestBuilds, queuedMicros } from "../../provider/src/client/newest-builds";
import { lastPage } from "../../provider/src/client/pages";

const PAGE_SIZE = 20;
const START_MS = Date.parse("2026-01-01T00:00:00Z");
const SECOND_MS = 1_000;

/** Build number `n`; higher numbers were queued later. */
function build(n: number, queuedAt = new Date(START_MS + n * SECOND_MS).toISOString()): Build {
  return { id: `build-${n}`, projects: [], successfullyBuilt: true, queuedAt };
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const oldestFirst = (count: number): readonly Build[] => numbers(count).map((n) => build(n));
const ids = (builds: readonly Build[]): readonly string[] => builds.map(({ id }) => id);

/** A service with a history in its own order, and the pages that were asked for. */
function service(history: readonly Build[], options: { readonly size?: number; readonly last?: number | "none" } = {}) {
  const { size = PAGE_SIZE, last = Math.max(1, Math.ceil(history.length / size)) } = options;
  const asked: number[] = [];
  const fetchPage = (page = 1): Promise<HistoryPage> => {
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

    it(`gives all of a history with ${what}, each page asked for once`, async () => {
      const { asked, read } = service(order(oldestFirst(45)));
      expect(ids(await read())).to.deep.equal(ids(oldestFirst(45).toReversed()));
      expect(asked).to.have.members([1, 2, 3]);
    });

    for (const count of [0, 1, 19, 20])
      it(`reads ${count} builds with ${what} with one request`, async () => {
        const { asked, read } = service(order(oldestFirst(count)));
        expect(ids(await read())).to.deep.equal(ids(oldestFirst(count).toReversed()));
        expect(asked).to.deep.equal([1]);
      });
  }

  for (const [what, order, pages] of [
    ["the newest first", (all: readonly Build[]) => all.toReversed(), [1, 45]],
    ["the oldest first", (all: readonly Build[]) => all, [1, 45]],
  ] as const)
    it(`finds the newest build on pages of one, with ${what}`, async () => {
      const { asked, read } = service(order(oldestFirst(45)), { size: 1 });
      expect(ids(await read(1))).to.deep.equal(["build-44"]);
      expect(asked).to.deep.equal(pages);
    });

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

  it("asks for no more pages than a list may have when the service names a far page, and answers it", async () => {
    const history = oldestFirst(45);
    const asked: number[] = [];
    const fetchPage = (page = 1): Promise<HistoryPage> => {
      asked.push(page);
      if (asked.length > 10) throw new Error("asks for page after page");
      // A service that takes a page past the end for the last one.
      const start = Math.min(page - 1, 2) * PAGE_SIZE;
      const items = history.slice(start, start + PAGE_SIZE);
      return Promise.resolve({ items, ...lastPage({ last: "/?page=99999999" }), ...(page < 3 && { next: page + 1 }) });
    };
    const found: Build[] = [];
    for await (const piece of newestBuilds(fetchPage)) found.push(...piece);
    expect(ids(found)).to.deep.equal(ids(history.toReversed()));
  });

  for (const [what, order, pages] of [
    ["the newest first", (all: readonly Build[]) => all.toReversed(), [1]],
    ["the oldest first", (all: readonly Build[]) => all, [1, 3]],
  ] as const)
    it(`takes the service's order for it, with ${what}, although a clock was set back in between`, async () => {
      const early = build(45, new Date(START_MS).toISOString());
      const { asked, read } = service(order([...oldestFirst(45), early]));
      expect(ids(await read(2))).to.deep.equal(["build-45", "build-44"]);
      expect(asked).to.deep.equal(pages);
    });

  for (const size of [7, 20])
    it(`takes the service's order for it after a clock was set back twice, with pages of ${size}`, async () => {
      const early = [1, 2].map((hours) => ({
        ...build(0, new Date(START_MS - hours * 3_600 * SECOND_MS).toISOString()),
        id: `${hours}`,
      }));
      const { read } = service([...oldestFirst(45), ...early].toReversed(), { size });
      expect(ids(await read(2))).to.deep.equal(["2", "1"]);
    });

  it("gives builds of one time in the service's order, reversed where the oldest come first", async () => {
    const times = numbers(12).map((n) => build(n, new Date(START_MS + Math.floor(n / 2) * SECOND_MS).toISOString()));
    const wanted = ids(times.toReversed());
    expect(ids(await service(times).read())).to.deep.equal(wanted);
    expect(ids(await service(times.toReversed()).read())).to.deep.equal(wanted);
  });

  it("keeps the service's order when no time can be read", async () => {
    const history = numbers(45).map((n) => build(n, "some time ago"));
    expect(ids(await service(history).read())).to.deep.equal(ids(history));
  });

  it("leaves a build whose time cannot be read where the service has it", async () => {
    const odd = { ...build(99), queuedAt: "" };
    const history = [...oldestFirst(45).slice(0, 43), odd, ...oldestFirst(45).slice(43)];
    expect(ids(await service(history).read(3))).to.deep.equal(["build-44", "build-43", "build-99"]);
    expect(ids(await service(history.toReversed()).read(3))).to.deep.equal(["build-44", "build-43", "build-99"]);
  });

  it("gives every build once, the newest first, in either order, on pages of any size", () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 60 }),
        fc.boolean(),
        fc.integer({ min: 1, max: PAGE_SIZE }),
        async (count, isRising, size) => {
          const newestFirst = oldestFirst(count).toReversed();
          const { read } = service(isRising ? oldestFirst(count) : newestFirst, { size });
          expect(ids(await read())).to.deep.equal(ids(newestFirst));
        },
      ),
    ));

  it("gives every build once, whatever the times say", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat({ max: 60 }), readable: fc.boolean() }), { maxLength: 60 }),
        fc.integer({ min: 1, max: PAGE_SIZE }),
        async (given, size) => {
          const all = given.map(({ at, readable }, n) => ({ ...build(at, readable ? undefined : "?"), id: `b${n}` }));
          expect(ids(await service(all, { size }).read()).toSorted()).to.deep.equal(ids(all).toSorted());
        },
      ),
    ));
});

describe("client/newest-builds: when a build was queued", () => {
  for (const [text, micros] of [
    ["2026-01-01T00:00:00.000001Z", 1],
    ["2026-01-01T00:00:00.123456Z", 123_456],
    ["2026-01-01T00:00:00.123456789Z", 123_456],
    ["2026-01-01T00:00:00.5Z", 500_000],
    ["2026-01-01T00:00:01Z", 1_000_000],
    ["2026-01-01 00:00:01", 1_000_000],
    ["2026-01-01T02:00:01+02:00", 1_000_000],
  ] as const)
    it(`reads ${text}`, () => expect(queuedMicros({ queuedAt: text })).to.equal(START_MS * 1_000 + micros));

  for (const text of ["", "yesterday", "2026-01-01", "2026-13-45T00:00:00Z", "1767225600"])
    it(`does not read "${text}"`, () => expect(queuedMicros({ queuedAt: text })).to.equal(undefined));
});
