import { expect } from "chai";
import { ConnectionError, ServerError, toApiError } from "../../provider/src/client/errors";
import { parseRetryAfter, retryDelayMs } from "../../provider/src/client/retry";
import { fakeClock } from "./support/fake-clock";
import { CLIENT, clientOf, environmentItem, failure, ID } from "./support/samples";
import { type Reply, startScript } from "./support/scripted-server";

const fine: Reply = { json: environmentItem() };
const NOW = Date.parse("2026-03-04T05:06:07Z");

const limited = (retryAfter?: string): Reply => ({
  status: 429,
  ...(retryAfter !== undefined && { headers: { "retry-after": retryAfter } }),
});

describe("client/transport: retries", () => {
  it("waits longer and longer between repetitions, and gives up after maxRetries", async () => {
    await using server = await startScript([{ status: 503 }]);
    const clock = fakeClock();
    await using client = clientOf(server, { clock, maxRetries: 4 });
    const error = await failure(client.environments.get(ID));
    expect(error).to.be.instanceOf(ServerError).with.property("status", 503);
    expect(error)
      .to.have.property("message")
      .that.matches(/ Tried 5 times in 4 s \(previewenv:maxRetries is 4\)\.$/u);
    expect(clock.sleeps).to.deep.equal([250, 500, 1_000, 2_000]);
    expect(server.requests).to.have.length(5);
  });

  it("repeats after 408, 425, 502, 503 and 504", async () => {
    await using server = await startScript([...[408, 425, 502, 503, 504].map((status) => ({ status })), fine]);
    await using client = clientOf(server, { clock: fakeClock(), maxRetries: 5 });
    expect(await client.environments.get(ID)).to.have.property("name", "shop");
  });

  it("does not repeat what a repetition cannot change", async () => {
    for (const status of [400, 401, 403, 404, 409, 413, 500]) {
      await using server = await startScript([{ status }, fine]);
      await using client = clientOf(server, { clock: fakeClock() });
      await failure(client.environments.get(ID));
      expect(server.requests, String(status)).to.have.length(1);
    }
  });

  it("waits before a repetition after 503 as long as the service asks, 60 s at most, and does not take 0 for an answer", async () => {
    const replies = ["7", "3600", "0"].map((seconds) => ({ status: 503, headers: { "retry-after": seconds } }));
    await using server = await startScript([...replies, fine]);
    const clock = fakeClock();
    await using client = clientOf(server, { clock, maxRetries: 3 });
    await client.environments.get(ID);
    expect(clock.sleeps).to.deep.equal([7_000, 60_000, 1_000]);
  });

  it("pauses after 429 until Retry-After, in seconds or as a date, 60 s at most", async () => {
    // The machine's clock is days behind that of the service.
    const clock = fakeClock(NOW);
    const headers = { date: "Sat, 07 Mar 2026 15:06:07 GMT", "retry-after": "Sat, 07 Mar 2026 15:06:30 GMT" };
    const replies = [limited("7"), { status: 429, headers }, limited("900"), limited(), fine];
    await using server = await startScript(replies);
    await using client = clientOf(server, { clock, maxRetries: 0 });
    await client.environments.get(ID);
    expect(clock.sleeps).to.deep.equal([7_000, 23_000, 60_000, 2_000]);
  });

  it("counts no 429 as one of the repetitions that maxRetries allows", async () => {
    await using server = await startScript([limited(), limited(), { status: 503 }, fine]);
    await using client = clientOf(server, { clock: fakeClock(), maxRetries: 1 });
    expect(await client.environments.get(ID)).to.have.property("name", "shop");
  });

  it("gives up when 429 is all there was for ten minutes", async () => {
    const clock = fakeClock();
    await using server = await startScript([limited("60")]);
    await using client = clientOf(server, { clock });
    expect(await failure(client.environments.get(ID))).to.have.property("status", 429);
    expect(clock.sleeps).to.deep.equal(Array.from({ length: 10 }, () => 60_000));
  });

  it("counts the ten minutes from the last success of any request", async () => {
    const clock = fakeClock();
    let successes = 0;
    const succeeded = Promise.withResolvers<void>();
    await using server = await startScript(({ url }) => {
      // The other request's answer comes first, however slow this machine is.
      if (url.endsWith("/env-vars"))
        return { ...limited("60"), ...(clock.sleeps.length === 5 && { after: succeeded.promise }) };
      successes += 1;
      succeeded.resolve();
      return fine;
    });
    await using client = clientOf(server, {
      clock: { ...clock, now: () => clock.nowMs, date: () => clock.nowMs, sleep },
    });
    async function sleep(ms: number): Promise<void> {
      await clock.sleep(ms);
      // A success of another request in the fifth minute.
      if (clock.sleeps.length === 5) client.environments.get(ID).catch(() => undefined);
    }
    await failure(client.envVars.list(ID));
    expect(successes).to.equal(1);
    expect(clock.sleeps.length).to.be.greaterThan(10);
  });

  it("holds back every request of the client after a 429", async () => {
    const clock = fakeClock();
    await using server = await startScript((_, index) => (index === 0 ? limited("30") : fine));
    await using client = clientOf(server, { clock });
    const seenAtMs: number[] = [];
    const get = () => client.environments.get(ID).then(() => seenAtMs.push(clock.nowMs));
    await Promise.all([get(), get().then(get)]);
    expect(Math.max(...seenAtMs)).to.equal(1_030_000);
  });

  it("says that a write may have arrived when an earlier attempt did, though the last one was refused at the door", async () => {
    const server = await startScript([{ drop: "silently" }]);
    const clock = fakeClock();
    const closing = { ...clock, now: () => clock.nowMs, sleep: async () => server[Symbol.asyncDispose]() };
    await using client = clientOf(server, { clock: closing, maxRetries: 1 });
    const error = await failure(client.envVars.delete(ID, "A"));
    expect(error).to.be.instanceOf(ConnectionError).with.property("sent", true);
    expect(error).to.have.property("message").that.includes("ECONNREFUSED").and.includes("may have reached");
  });
});

describe("client/transport: calls that queue a build", () => {
  const queueing = {
    changeBranches: (client: ReturnType<typeof clientOf>) =>
      client.environments.changeBranches(ID, [{ repoName: "web", branch: "main" }]),
    rebuild: (client: ReturnType<typeof clientOf>) => client.environments.act("rebuild", ID),
    restart: (client: ReturnType<typeof clientOf>) => client.environments.act("restart", ID),
    revive: (client: ReturnType<typeof clientOf>) => client.environments.act("revive", ID),
    loadSnapshot: (client: ReturnType<typeof clientOf>) => client.environments.loadSnapshot(ID, { sequenceNumber: 3 }),
  };

  /** What the service does with the first request, and the error, if the request is not sent again. */
  const answers: readonly (readonly [string, Reply, typeof ConnectionError | typeof ServerError | undefined])[] = [
    ["the connection is lost", { drop: "silently" }, ConnectionError],
    ["no answer comes in time", { after: new Promise(() => undefined) }, ConnectionError],
    ["the service fails", { status: 503, headers: { "retry-after": "1" } }, ServerError],
    ["the service allows fewer requests", limited("2"), undefined],
  ];
  for (const [name, run] of Object.entries(queueing))
    for (const [when, reply, problem] of answers)
      it(`sends ${name} ${problem === undefined ? "again" : "once"} when ${when}`, async () => {
        await using server = await startScript([reply, { status: 204 }]);
        const clock = fakeClock();
        await using client = clientOf(server, {
          clock,
          requestTimeoutMs: "after" in reply ? 50 : CLIENT.requestTimeoutMs,
        });
        const result: unknown = await run(client).catch((error: unknown) => error);
        if (problem !== undefined) expect(result).to.be.instanceOf(problem);
        if (problem === ConnectionError) expect(result).to.have.property("sent", true);
        expect(clock.sleeps).to.deep.equal(problem === undefined ? [2_000] : []);
        expect(server.requests).to.have.length(problem === undefined ? 2 : 1);
      });

  it("repeats a rebuild that was refused at the door", async () => {
    const server = await startScript([{ json: environmentItem() }]);
    const clock = fakeClock();
    await using client = clientOf(server, { clock, maxRetries: 4 });
    await client.environments.get(ID);
    await server[Symbol.asyncDispose]();
    const error = await failure(client.environments.act("rebuild", ID));
    expect(error).to.be.instanceOf(ConnectionError).with.property("sent", false);
    expect(error).to.have.property("message").that.includes("ECONNREFUSED").and.includes("previewenv:baseUrl");
    expect(clock.sleeps).to.deep.equal([250, 500, 1_000, 2_000]);
  });
});

describe("client/retry: Retry-After", () => {
  const cases: readonly [string, string | undefined, number | undefined][] = [
    ["seconds", "7", 7_000],
    ["seconds with spaces around", " 7 ", 7_000],
    ["a fraction of a second", "0.5", 500],
    ["zero", "0", 0],
    ["an HTTP date", "Wed, 04 Mar 2026 05:06:37 GMT", 30_000],
    ["an obsolete RFC 850 date", "Wednesday, 04-Mar-26 05:06:37 GMT", 30_000],
    ["a date in the past as no wait", "Wed, 04 Mar 2026 05:00:00 GMT", 0],
    ["nothing in an absent header", undefined, undefined],
    ["nothing in an empty header", "", undefined],
    ["nothing in a negative number", "-5", undefined],
    ["nothing in words that Date.parse would take", "soon 1", undefined],
    ["nothing in a day's name alone", "Wed, 99 Foo", undefined],
  ];
  for (const [what, header, ms] of cases) {
    it(`reads ${what}`, () => expect(parseRetryAfter(header, undefined, NOW)).to.equal(ms));
  }

  it("counts a date from that of the answer on, whatever the machine's clock says", () => {
    const later = "Wed, 04 Mar 2026 15:06:37 GMT";
    expect(parseRetryAfter(later, "Wed, 04 Mar 2026 15:06:07 GMT", NOW)).to.equal(30_000);
    expect(parseRetryAfter(later, "soon", NOW)).to.equal(10 * 3_600_000 + 30_000);
  });
});

describe("client/retry: the wait before a repetition", () => {
  it("is any part of what it may be at most", () => {
    const refused = toApiError("", { status: 503, titles: [] });
    expect([0, 0.25].map((random) => retryDelayMs(2, refused, random))).to.deep.equal([0, 250]);
  });
});

describe("client: the date of the machine is moved", () => {
  it("a pause takes as long as the service asked for", async () => {
    await using server = await startScript([limited("7"), limited("7"), fine]);
    const clock = fakeClock();
    let looks = 0;
    const date = () => (++looks % 2 === 0 ? -1 : 1) * looks * 3_600_000;
    await using client = clientOf(server, { clock: Object.assign(clock, { date }) });
    await client.environments.get(ID);
    expect(clock.sleeps).to.deep.equal([7_000, 7_000]);
  });
});
