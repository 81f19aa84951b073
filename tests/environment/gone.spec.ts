import { expect } from "chai";
import { CancelledError, ConfigError, NotFoundError, ResponseShapeError } from "../../provider/src/client";
import { isListed, refuseUnlessAnswering } from "../../provider/src/environment/gone";
import { clientOf, deferred, environmentItem, failure, ID, OTHER_ID } from "../client/support/samples";
import { type Reply, startScript } from "../client/support/scripted-server";

const LISTS = ["deleted=false", "deleted=true"];

/** A page of environments, and the number of the next one. */
function page(ids: readonly string[], next?: number): Reply {
  const links = { next: next === undefined ? "" : `/api/v1/environment?page=${next}` };
  return { json: { data: ids.map((id) => environmentItem(id)), links } };
}

/** What comes of a look, with pages in the order in which they are read; and what was asked for. */
async function look(...pages: readonly Reply[]): Promise<{ found: unknown; asked: readonly string[] }> {
  await using server = await startScript(pages);
  await using client = clientOf(server);
  const found = await isListed({ client, signal: new AbortController().signal }, ID).catch((error: unknown) => error);
  return { found, asked: server.requests.map(({ url }) => url.split("?")[1] ?? "") };
}

describe("environment/gone: the lists of environments", () => {
  it("finds nothing only in both lists, when two readings in a row have the same environments", async () => {
    const { found, asked } = await look(page([]));
    expect(found).to.equal(false);
    expect(asked).to.deep.equal([...LISTS, ...LISTS]);
  });

  it("stops at the environment, however its id is spelled, in any list and on any page", async () => {
    expect(await look(page([ID.toUpperCase()], 2))).to.deep.equal({ found: true, asked: LISTS.slice(0, 1) });
    const later = await look(page([OTHER_ID], 2), page([]), page([OTHER_ID], 2), page([ID]));
    expect(later).to.deep.include({ found: true });
    expect(later.asked.at(-1)).to.equal("deleted=true&page=2");
  });

  it("finds an environment that was revived, or slipped to another page, while the lists were read", async () => {
    const { found, asked } = await look(page([]), page([]), page([ID]));
    expect([found, asked.length]).to.deep.equal([true, 3]);
    const slipped = await look(page([OTHER_ID]), page([]), page([]), page([]), page([]), page([ID]));
    expect([slipped.found, slipped.asked.length]).to.deep.equal([true, 6]);
  });

  it("can tell nothing from lists that are others each time", async () => {
    const ids = Array.from({ length: 5 }, (_, index) => `5f0a3c7e-91b2-4d8e-8c55-b9d1b6a0c2a${index}`);
    const { found, asked } = await look(...ids.flatMap((id) => [page([id]), page([])]));
    expect(found).to.be.instanceOf(ResponseShapeError);
    expect(asked).to.have.length(10);
  });

  it("reads once for all that ask while it reads, and after each question", async () => {
    const gate = deferred<void>();
    await using server = await startScript((_request, index) => ({
      ...page([]),
      ...(index === 0 && { after: gate.promise }),
    }));
    await using client = clientOf(server);
    const { signal } = new AbortController();
    const answers = Array.from({ length: 20 }, (_, index) =>
      isListed({ client, signal }, index % 2 === 0 ? ID : OTHER_ID),
    );
    gate.resolve();
    expect(new Set(await Promise.all(answers))).to.deep.equal(new Set([false]));
    expect(server.requests).to.have.length(8);
  });

  it("ends for the one who was cancelled, and goes on for those who share the reading", async () => {
    const [arrived, gate] = [deferred<void>(), deferred<void>()];
    await using server = await startScript((_request, index) => {
      // The first reading takes four requests; this is the one that the others share.
      if (index !== 4) return page([]);
      arrived.resolve();
      return { ...page([]), after: gate.promise };
    });
    await using client = clientOf(server);
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const alone = isListed({ client, signal: first.signal }, ID);
    const cancelled = failure(isListed({ client, signal: second.signal }, ID));
    const other = isListed({ client, signal: third.signal }, ID);
    expect(await alone).to.equal(false);
    await arrived.promise;
    second.abort();
    expect(await cancelled).to.be.instanceOf(CancelledError);
    gate.resolve();
    expect(await other).to.equal(false);
    expect(server.requests).to.have.length(8);
  });
});

describe("environment/gone: whether the service answers at all", () => {
  const details = { exchange: { method: "GET", path: "/api/v1/environment/x", status: 404 }, titles: [] };
  const notFound = new NotFoundError("Could not read environment x: the service answered 404.", details);
  const NOT_FOUND: Reply = { status: 404, json: { errors: [{ status: 404, title: "Not found" }] } };

  it("reads the list once for all callers, and never again", async () => {
    await using server = await startScript([page([OTHER_ID])]);
    await using client = clientOf(server);
    await Promise.all(Array.from({ length: 20 }, () => refuseUnlessAnswering({ client }, notFound)));
    await refuseUnlessAnswering({ client }, notFound);
    expect(server.requests.map(({ url }) => url)).to.deep.equal(["/api/v1/environment"]);
  });

  it("names the address when the list is answered with 404, and asks again the next time", async () => {
    await using server = await startScript([NOT_FOUND, page([])]);
    await using client = clientOf(server);
    const refused = await failure(refuseUnlessAnswering({ client }, notFound));
    expect(refused).to.be.instanceOf(ConfigError);
    expect(refused)
      .to.have.property("message")
      .that.includes(`Every request to ${client.address} is answered with 404`);
    await refuseUnlessAnswering({ client }, notFound);
    expect(server.requests).to.have.length(2);
  });

  it("says both when the list cannot be read", async () => {
    await using server = await startScript([{ json: { data: "none" } }]);
    await using client = clientOf(server);
    const refused = await failure(refuseUnlessAnswering({ client }, notFound));
    expect(refused).to.be.instanceOf(ResponseShapeError);
    expect(refused)
      .to.have.property("message")
      .that.matches(/answered 404\. .+ could not be read to see whether it is gone: Could not list environments/u);
  });
});
