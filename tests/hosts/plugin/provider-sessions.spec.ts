import { expect } from "chai";
import type { Clock } from "../../../provider/src/client/clock";
import { startSession } from "../../../provider/src/environment/session";
import type { Settings } from "../../../provider/src/framework/settings";
import { ProviderSessions } from "../../../provider/src/hosts/plugin/provider-sessions";
import { TestClock } from "../../support/test-clock";

const [ENGINE, FIRST, SECOND, THIRD] = ["127.0.0.1:9", "127.0.0.1:1001", "127.0.0.1:1002", "127.0.0.1:1003"];
const given: Readonly<Record<string, string>> = { baseUrl: "https://service.example", apiToken: "given" };
const source = (name: string): string | undefined => given[name];

/** Time that passes when the test says so. */
class Timers extends TestClock implements Clock {
  readonly #pending = new Set<() => void>();

  later(_ms: number, act: () => void): () => void {
    this.#pending.add(act);
    return () => this.#pending.delete(act);
  }

  pass(): void {
    for (const act of this.#pending) act();
  }
}

describe("hosts/plugin/provider-sessions", () => {
  const before = process.env["PREVIEWENV_API_TOKEN"];
  let clock: Timers;
  let started: Settings[];

  beforeEach(() => {
    [clock, started] = [new Timers(), []];
    process.env["PREVIEWENV_API_TOKEN"] = "of-the-environment";
  });

  afterEach(() => {
    if (before === undefined) delete process.env["PREVIEWENV_API_TOKEN"];
    else process.env["PREVIEWENV_API_TOKEN"] = before;
  });

  const runsOf = (engineAddress: string | undefined): ProviderSessions =>
    new ProviderSessions(engineAddress, {
      clock,
      connectEngine: () => undefined,
      startSession: (settings) => {
        started.push(settings);
        return startSession(settings);
      },
    });

  it("waits a moment for the end of a connection that was dialled again, and no longer", async () => {
    const runs = runsOf(ENGINE);
    const close = runs.open(FIRST);
    runs.configure(FIRST, source);
    runs.open(SECOND);
    const refused = runs.of(SECOND);
    clock.pass();
    expect((await refused).isActive).to.equal(false);
    const own = runs.of(FIRST);
    const waiting = [runs.of(SECOND), runs.of(SECOND)];
    close();
    expect([await waiting[0], await waiting[1]]).to.deep.equal([own, own]);
    expect(runs.of(SECOND)).to.equal(own);
  });

  it("lets nobody go on when two connections are closed: nobody knows with which settings", async () => {
    const runs = runsOf(undefined);
    const closes = [FIRST, SECOND].map((peer) => {
      const close = runs.open(peer);
      runs.configure(peer, source);
      return close;
    });
    for (const close of closes) close();
    runs.open(THIRD);
    expect((await runs.of(THIRD)).isActive).to.equal(false);
  });

  it("tells a connection from an older one at the same port", async () => {
    const runs = runsOf(undefined);
    const close = runs.open(FIRST);
    runs.configure(FIRST, source);
    const old = await runs.of(FIRST);
    runs.open(FIRST);
    runs.configure(FIRST, source);
    const renewed = await runs.of(FIRST);
    close();
    expect(await runs.of(FIRST))
      .to.equal(renewed)
      .and.not.to.equal(old);
  });

  it("gives nothing to a connection that is closed already", async () => {
    const runs = runsOf(ENGINE);
    const close = runs.open(FIRST);
    runs.configure(FIRST, source);
    close();
    expect((await runs.of("unknown")).isActive).to.equal(false);
    runs.open(SECOND);
    expect((await runs.of(SECOND)).isActive).to.equal(true);
  });

  it("reads environment variables for the engine that started the process, or for all when nobody did", () => {
    const baseUrl = (name: string): string | undefined => (name === "apiToken" ? undefined : given[name]);
    for (const [engineAddress, tokens] of [
      [ENGINE, ["of-the-environment"]],
      [undefined, ["of-the-environment", "of-the-environment"]],
    ] as const) {
      const runs = runsOf(engineAddress);
      started = [];
      for (const peer of [FIRST, SECOND]) runs.open(peer);
      runs.configure(FIRST, baseUrl);
      if (engineAddress === undefined) runs.configure(SECOND, baseUrl);
      else expect(() => runs.configure(SECOND, baseUrl)).to.throw(/apiToken is not set/u);
      expect(started.map(({ apiToken }) => apiToken)).to.deep.equal(tokens);
    }
  });
});
