import { expect } from "chai";
import {
  ArgumentError,
  CancelledError,
  ConnectionError,
  ResponseShapeError,
  toApiError,
  UndocumentedNotFoundError,
  UnreachableError,
} from "../../provider/src/client/errors";
import { isTransient } from "../../provider/src/client/retry";
import { Wait } from "../../provider/src/environment/wait";
import { resolveSettings } from "../../provider/src/framework/settings";
import { startRun } from "../../provider/src/environment/start-run";
import { failure } from "../client/support/samples";
import { TestClock } from "../support/test-clock";

/** What one look found: the end of the wait, or what is being waited for. */
type Look<T> = { readonly done: T } | { readonly waiting: string };

function setUp(deadlineMs?: number) {
  const clock = new TestClock();
  const lines: { readonly atMs: number; readonly text: string }[] = [];
  const start = clock.now();
  const given: Readonly<Record<string, string>> = { baseUrl: "http://127.0.0.1:9", apiToken: "t" };
  const session = startRun(
    resolveSettings((name) => given[name], {}),
    { clock },
  );
  const status = (text: string): void => void lines.push({ atMs: clock.now() - start, text });
  const log = { info: () => undefined, warn: () => undefined, status };
  const controller = new AbortController();
  const wait = async <T>(timeoutMs: number, look: (elapsedMs: number) => Promise<Look<T>>): Promise<T> => {
    const deadline = deadlineMs === undefined ? {} : { deadline: start + deadlineMs };
    const context = { ...session, ...deadline, log, signal: controller.signal };
    const waiting = new Wait(context, { timeoutMs, timeoutName: "own" });
    let what: string | undefined;
    do {
      const found = await waiting.poll(look(waiting.elapsedMs));
      if (found !== undefined && "done" in found) return found.done;
      what = found?.waiting ?? what;
    } while (await waiting.pause(what));
    throw new Error(`late ${waiting.after}${waiting.lastFailure}`);
  };
  return { clock, lines, wait, controller };
}

const answered = (status: number): Error => toApiError(`answered ${status}`, { status, titles: [] });

describe("a wait for the service", () => {
  it("looks at once, and a last time when the time is up, and then fails as late", async () => {
    const { wait } = setUp();
    const looks: number[] = [];
    const error = await failure(
      wait(60_000, (elapsedMs) => {
        looks.push(elapsedMs);
        return Promise.resolve({ waiting: "still" });
      }),
    );
    expect(error).to.have.property("message", "late after 60 s (own)");
    expect([looks[0], looks.at(-1)]).to.deep.equal([0, 60_000]);
    const gaps = looks.slice(1).map((look, index) => look - (looks[index] ?? 0));
    expect(Math.max(...gaps)).to.be.at.most(10_000);
    expect(gaps[0]).to.equal(1_000);
  });

  for (const [deadlineMs, limit] of [
    [30_000, "30 s (the resource option customTimeouts)"],
    [90_000, "60 s (own)"],
  ] as const)
    it(`ends at the smaller limit, by its name, with a deadline in ${deadlineMs} ms`, async () => {
      const error = await failure(setUp(deadlineMs).wait(60_000, () => Promise.resolve({ waiting: "still" })));
      expect(error).to.have.property("message", `late after ${limit}`);
    });

  it("shows progress on a change, and otherwise every 30 s at most", async () => {
    const { wait, lines } = setUp();
    await failure(wait(120_000, (at) => Promise.resolve({ waiting: at < 20_000 ? "one" : "two" })));
    expect(lines[0]).to.deep.equal({ atMs: 0, text: "0 s: one" });
    const ones = lines.filter(({ text }) => text.endsWith("one"));
    expect(ones).to.have.length(1);
    const twos = lines.filter(({ text }) => text.endsWith("two"));
    expect(twos.length).to.be.within(3, 4);
    for (const [index, { atMs }] of twos.slice(1).entries())
      expect(atMs - (twos[index]?.atMs ?? 0)).to.be.at.least(30_000);
  });

  const statuses = (all: readonly number[], goesOn: boolean) =>
    all.map((status) => [`status ${status}`, answered(status), goesOn] as const);
  for (const [what, error, goesOn] of [
    ...statuses([408, 425, 429, 500, 501, 502, 503, 504, 520, 599], true),
    ["no answer", new ConnectionError("no answer", true), true],
    ["no connection", new ConnectionError("no connection", false), true],
    ["another shape", new ResponseShapeError("another shape"), true],
    ["404 in other words than the service's", new UndocumentedNotFoundError("404"), true],
    ...statuses([302, 400, 401, 403, 404, 405, 409, 413, 418, 422], false),
    ["a cancellation", new CancelledError("cancelled", true), false],
    ["an argument that cannot be sent", new ArgumentError("no id"), false],
    ["a service that never answered", new UnreachableError("no connection", false), false],
    ["what is no error of ours", new TypeError("bug"), false],
    ["what is no error", "text", false],
  ] as const)
    it(`${goesOn ? "goes on after" : "ends with"} ${what}`, () => expect(isTransient(error)).to.equal(goesOn));

  it("says while trouble lasts what it is and for how long, and that it is over", async () => {
    const { wait, lines } = setUp();
    await failure(
      wait(180_000, (at) =>
        at >= 20_000 && at < 100_000 ? Promise.reject(answered(500)) : Promise.resolve({ waiting: "one" }),
      ),
    );
    const texts = lines.map(({ text }) => text);
    expect(texts[0]).to.equal("0 s: one");
    const troubled = texts.filter((text) => /^\d+ s: one; the service answers 500, for \d+ s now$/u.test(text));
    expect(troubled.length).to.be.within(2, 3);
    expect(texts.find((text, index) => index > 0 && text.endsWith(": one"))).to.match(/^1\d\d s: one$/u);
  });

  it("is cut where a usual terminal ends", async () => {
    const { wait, lines } = setUp();
    await failure(wait(60_000, () => Promise.resolve({ waiting: "x".repeat(100) })));
    expect(lines[0]?.text).to.equal(`0 s: ${"x".repeat(74)}…`);
  });

  it("fails as late with the last trouble, when the last look was not answered", async () => {
    const { wait } = setUp();
    const error = await failure(
      wait(60_000, (at) => (at < 30_000 ? Promise.resolve({ waiting: "one" }) : Promise.reject(answered(500)))),
    );
    expect(error)
      .to.have.property("message")
      .that.matches(/^late after 60 s \(own\) For the last \d\d s .*: answered 500$/u);
  });

  it("waits longer and longer while trouble lasts, with full jitter, and as long as before after a good answer", async () => {
    const { wait, clock } = setUp();
    const looks: number[] = [];
    await failure(
      wait(60_000, (at) => {
        looks.push(at);
        return looks.length > 1 && looks.length < 7
          ? Promise.reject(answered(500))
          : Promise.resolve({ waiting: "one" });
      }),
    );
    const gaps = looks.slice(1).map((look, index) => look - (looks[index] ?? 0));
    const jitter = clock.random();
    const trouble = [1_000, 2_000, 4_000, 8_000, 10_000].map((ms) => ms * jitter);
    expect(gaps.slice(0, 8)).to.deep.equal([1_000, ...trouble, 1_500, 2_250]);
  });
});
