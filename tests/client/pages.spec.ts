import { expect } from "chai";
import { ResponseShapeError } from "../../provider/src/client/errors";
import { eachPage, type FetchPage, linkedPages, type Page } from "../../provider/src/client/pages";
import { collect, failure } from "./support/samples";

type Item = { readonly id: string };
const items = (...ids: string[]): Item[] => ids.map((id) => ({ id }));

/** Every item of all pages. */
async function* each(fetchPage: FetchPage<Item>): AsyncGenerator<Item> {
  for await (const page of eachPage(fetchPage)) yield* page;
}

/** Pages by number, and the numbers that were asked for. */
function book(pages: Readonly<Record<number, Page<Item>>>) {
  const asked: (number | undefined)[] = [];
  const walk = each(async (page) => {
    asked.push(page);
    return pages[page ?? 1] ?? { items: [] };
  });
  return { asked, walk };
}

describe("client/pages", () => {
  for (const [links, pages] of [
    [{ next: "/api/v1/environment?page=2" }, { next: 2 }],
    [{ next: "https://evil.example/x?foo=1&page=30" }, { next: 30 }],
    [{ next: "?page=4" }, { next: 4 }],
    [{ next: "//evil.example/api/v1/other?page=5" }, { next: 5 }],
    ...[{ next: "" }, { next: null }, {}, null, undefined].map((none) => [none, {}] as const),
  ] as const)
    it(`takes the page parameter of a link and nothing else: ${JSON.stringify(links)}`, () =>
      expect(linkedPages(links)).to.deep.equal(pages));

  for (const next of ["/api/v1/environment", "?page=", "?page=0", "?page=-1", "?page=two", "?page=1e3", "http://["]) {
    it(`refuses the link ${next}, because to stop there would hide items`, () => {
      expect(() => linkedPages({ next })).to.throw(ResponseShapeError);
    });
  }

  it("gives an item that moved to the next page once", async () => {
    const { walk } = book({ 1: { items: items("a", "b"), next: 2 }, 2: { items: items("b", "c") } });
    expect(await collect(walk)).to.deep.equal(items("a", "b", "c"));
  });

  it("goes on after an empty page with a next link, wherever it comes", async () => {
    const { asked, walk } = book({
      1: { items: [], next: 2 },
      2: { items: items("a"), next: 3 },
      3: { items: [], next: 4 },
      4: { items: [], next: 5 },
      5: { items: items("b") },
    });
    expect(await collect(walk)).to.deep.equal(items("a", "b"));
    expect(asked).to.deep.equal([undefined, 2, 3, 4, 5]);
  });

  it("refuses a page number that comes again", async () => {
    const back = book({ 1: { items: items("a"), next: 2 }, 2: { items: items("b"), next: 1 } });
    expect(await failure(collect(back.walk))).to.be.instanceOf(ResponseShapeError);
    expect(back.asked).to.deep.equal([undefined, 2]);
  });

  it("refuses a service that ignores the page number and always names a next one", async () => {
    const asked: (number | undefined)[] = [];
    const walk = each(async (page) => {
      asked.push(page);
      return { items: items("a"), next: (page ?? 1) + 1 };
    });
    expect(await failure(collect(walk))).to.be.instanceOf(ResponseShapeError);
    expect(asked).to.deep.equal([undefined, 2]);
  });

  for (const [what, per] of [
    ["new items", 1],
    ["no items", 0],
  ] as const)
    it(`refuses a service that names new pages with ${what} for ever, after 10,000`, async () => {
      let asked = 0;
      const endless = (last: number) =>
        each((page = 1) => {
          asked += 1;
          const found = per === 0 ? [] : items(`item-${page}`);
          return Promise.resolve({ items: found, ...(page < last && { next: page + 1 }) });
        });
      expect(await failure(collect(endless(Infinity))))
        .to.be.instanceOf(ResponseShapeError)
        .with.property("message")
        .that.includes("more than 10000");
      expect(asked).to.equal(10_000);
      expect(await collect(endless(10_000))).to.have.length(10_000 * per);
    });
});
