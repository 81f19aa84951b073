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
    ["no order", (all: readonly Build[]) => all.toSorted((one, other) => scattered(one) - scattered(other)), [1, 2, 3]],
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

  it("reads no more of small pages than it takes to see an order", async () => {
    const { asked, read } = service(oldestFirst(45).toReversed(), { size: 1 });
    expect(ids(await read(1))).to.deep.equal(["build-44"]);
    expect(asked).to.deep.equal(numbers(8).map((n) => n + 1));
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

  it("is not misled by pages that are rising each, and falling from page to page", async () => {
    const pages = [25, 5].map((from) => oldestFirst(45).slice(from, from + PAGE_SIZE));
    const { read } = service([...pages.flat(), ...oldestFirst(5)]);
    expect(ids(await read(1))).to.deep.equal(["build-44"]);
    expect(ids(await read())).to.deep.equal(ids(oldestFirst(45).toReversed()));
  });

  it("gives builds of one time in the service's order, reversed where the oldest come first", async () => {
    const times = numbers(12).map((n) => build(n, new Date(START_MS + Math.floor(n / 2) * SECOND_MS).toISOString()));
    const wanted = ids(times.toReversed());
    expect(ids(await service(times).read())).to.deep.equal(wanted);
    expect(ids(await service(times.toReversed()).read())).to.deep.equal(wanted);
  });

  it("keeps the service's order when no time can be read, and reads all pages", async () => {
    const history = numbers(45).map((n) => build(n, "some time ago"));
    const { asked, read } = service(history);
    expect(ids(await read())).to.deep.equal(ids(history));
    expect(asked).to.deep.equal([1, 2, 3]);
  });

  it("keeps a build whose time cannot be read beside the one that the service gave before it", async () => {
    const history = oldestFirst(12).toReversed();
    const odd = { ...build(99), queuedAt: "" };
    const { read } = service([...history.slice(0, 5), odd, ...history.slice(5)]);
    expect(ids(await read()).indexOf("build-99")).to.equal(5);
    expect(ids(await service([odd, ...history]).read())[0]).to.equal("build-99");
  });

  it("gives every build once, and those whose time can be read from the newest on, whatever the service does", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat({ max: 60 }), readable: fc.boolean() }), { maxLength: 60 }),
        fc.constantFrom("rising", "falling", "none"),
        fc.integer({ min: 1, max: PAGE_SIZE }),
        async (given, order, size) => {
          const all = given.map(({ at, readable }, n) => ({ ...build(at, readable ? undefined : "?"), id: `b${n}` }));
          const sign = order === "rising" ? 1 : -1;
          const time = (one: Build): number => queuedMicros(one) ?? 0;
          const history =
            order === "none" || size < 8
              ? all
              : all.filter(({ queuedAt }) => queuedAt !== "?").toSorted((a, b) => sign * (time(a) - time(b)));
          const found = await service(history, { size }).read();
          expect(ids(found).toSorted()).to.deep.equal(ids(history).toSorted());
          if (size < 8 && history.length > size) return;
          const stamps = found.map(queuedMicros).filter((stamp) => stamp !== undefined);
          expect(stamps).to.deep.equal(stamps.toSorted((one, other) => other - one));
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

/** A number that has nothing to do with the build's time. */
function scattered({ id }: Build): number {
  return (Number(id.slice("build-".length)) * 7_919) % 101;
}
