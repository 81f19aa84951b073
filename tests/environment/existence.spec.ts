import { expect } from "chai";
import { NotFoundError, UndocumentedNotFoundError } from "../../provider/src/client/errors";
import { getUnlessGone, aliveEnvironments } from "../../provider/src/environment/existence";
import { startRun } from "../../provider/src/environment/start-run";
import type { Context } from "../../provider/src/framework/context";
import { resolveSettings } from "../../provider/src/framework/settings";
import { fakeClock } from "../client/support/fake-clock";
import { clientOf, environmentItem, ID, OTHER_ID } from "../client/support/samples";
import { type Reply, type ScriptedServer, startScript } from "../client/support/scripted-server";

const LISTS = ["deleted=false", "deleted=true"];
/** A gateway's. */
const ELSEWHERE: Reply = { status: 404, text: "<html>" };
const NOT_FOUND: Reply = { status: 404, json: { errors: [{ status: 404, title: "Not found" }] } };

/** A page of environments, and the number of the next one. */
function page(ids: readonly string[], next?: number): Reply {
  const links = { next: next === undefined ? "" : `/api/v1/environment?page=${next}` };
  return { json: { data: ids.map((id) => environmentItem(id)), links } };
}

function contextOf(server: ScriptedServer): Context {
  const given = new Map([
    ["baseUrl", server.url],
    ["apiToken", "a-token-of-a-test"],
  ]);
  const ignore = (): void => undefined;
  const session = startRun(resolveSettings((name) => given.get(name), {}));
  const log = { info: ignore, status: ignore, warn: ignore };
  return { ...session, log, signal: new AbortController().signal, runsProgram: () => Promise.resolve(true) };
}

/** What a 404 means, with pages in the order in which they are read. And which pages were asked for. */
async function look(
  notFound: Reply,
  ...pages: readonly Reply[]
): Promise<{ found: unknown; asked: readonly (string | undefined)[] }> {
  await using server = await startScript([notFound, ...pages]);
  const ctx = contextOf(server);
  const found = await getUnlessGone(ctx, ID).catch((error: unknown) => error);
  await ctx.client.close();
  return { found, asked: server.requests.slice(1).map(({ url }) => url.split("?")[1]) };
}

describe("environment/existence: a 404", () => {
  it("counts when two walks of both lists have the same environments, without this one", async () => {
    const { found, asked } = await look(ELSEWHERE, page([OTHER_ID], 2), page([]), page([]), page([OTHER_ID]), page([]));
    expect(found).to.equal(undefined);
    expect(asked).to.deep.equal(["deleted=false", "deleted=false&page=2", "deleted=true", ...LISTS]);
  });

  const THERE = /The list of environments has it, so it is not gone\.$/u;
  const CHANGED = /changed meanwhile\. Run the command again\.$/u;
  const other = ID.replace(/.$/u, "f");
  for (const [what, text, notFound, ...pages] of [
    ["the first list has it, however its id is spelled", THERE, ELSEWHERE, page([ID.toUpperCase()]), page([])],
    ["the second page of a list has it", THERE, ELSEWHERE, page([]), page([OTHER_ID], 2), page([ID])],
    ["only the second walk finds it", THERE, ELSEWHERE, page([]), page([]), page([]), page([ID])],
    ["one left the list meanwhile", CHANGED, ELSEWHERE, page([OTHER_ID]), page([]), page([]), page([])],
    ["another one is listed meanwhile", CHANGED, ELSEWHERE, page([OTHER_ID]), page([]), page([other]), page([])],
    ["the list still has it after a documented one", THERE, NOT_FOUND, page([ID]), page([ID])],
  ] as const)
    it(`does not count when ${what}`, async () => {
      const { found, asked } = await look(notFound, ...pages);
      expect(found).to.be.instanceOf(UndocumentedNotFoundError).with.property("message").that.matches(text);
      expect(asked).to.have.length(pages.length);
    });
});

describe("environment/existence: whether the service answers at all", () => {
  const details = { status: 404, titles: [] };
  const notFound = new NotFoundError("Could not read environment x: the service answered 404.", details);

  it("reads the list once for all callers of about the same time", async () => {
    await using server = await startScript([page([OTHER_ID])]);
    await using client = clientOf(server);
    const clock = fakeClock();
    const ask = () => aliveEnvironments({ client, clock }, notFound);
    await Promise.all(Array.from({ length: 20 }, ask));
    await ask();
    expect(server.requests.map(({ url }) => url)).to.deep.equal(["/api/v1/environment"]);
    clock.nowMs += 2_001;
    await ask();
    expect(server.requests).to.have.length(2);
  });
});
