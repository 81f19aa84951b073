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

function setUp() {
  const clock = new TestClock();
  const given: Readonly<Record<string, string>> = { baseUrl: "http://127.0.0.1:9", apiToken: "t" };
  const session = startRun(
    resolveSettings((name) => given[name], {}),
    { clock },
  );
  const log = { info: () => undefined, warn: () => undefined, status: () => undefined };
  const wait = async <T>(timeoutMs: number, look: (elapsedMs: number) => Promise<Look<T>>): Promise<T> => {
    const context = { ...session, log, signal: new AbortController().signal };
    const waiting = new Wait(context, { timeoutMs, timeoutName: "own" });
    do {
      const found = await waiting.poll(look(waiting.elapsedMs));
      if (found !== undefined && "done" in found) return found.done;
      waiting.what = found?.waiting ?? waiting.what;
    } while (await waiting.pause());
    throw new Error(`late ${waiting.after}${waiting.lastFailure}`);
  };
  return { clock, wait };
}

const answered = (status: number): Error => toApiError(`answered ${status}`, { status, titles: [] });

describe("a wait for the service", () => {
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
