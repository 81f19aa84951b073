import { expect } from "chai";
import { startSession } from "../../../provider/src/environment/start-session";
import type { Settings } from "../../../provider/src/framework/settings";
import { ProviderSessions } from "../../../provider/src/hosts/plugin/sessions";

const [ENGINE, FIRST, SECOND, THIRD] = ["127.0.0.1:9", "127.0.0.1:1001", "127.0.0.1:1002", "127.0.0.1:1003"];
const given: Readonly<Record<string, string>> = { baseUrl: "https://service.example", apiToken: "given" };
const source = (name: string): string | undefined => given[name];

describe("hosts/plugin/sessions", () => {
  const before = process.env["PREVIEWENV_API_TOKEN"];
  let started: Settings[];

  beforeEach(() => {
    started = [];
    process.env["PREVIEWENV_API_TOKEN"] = "of-the-environment";
  });

  afterEach(() => {
    if (before === undefined) delete process.env["PREVIEWENV_API_TOKEN"];
    else process.env["PREVIEWENV_API_TOKEN"] = before;
  });

  const runsOf = (engineAddress: string | undefined): ProviderSessions =>
    new ProviderSessions(engineAddress, {
      connectEngine: () => undefined,
      startSession: (settings) => {
        started.push(settings);
        return startSession(settings);
      },
    });

  it("gives the session of a closed connection to one that was dialled again, and to one only", () => {
    const runs = runsOf(ENGINE);
    const close = runs.open(FIRST);
    runs.configure(FIRST, source);
    const own = runs.of(FIRST);
    close();
    for (const peer of [SECOND, THIRD]) runs.open(peer);
    expect(runs.of(SECOND)).to.equal(own);
    expect(runs.of(THIRD).isActive).to.equal(false);
  });

  it("lets nobody go on while another connection is open that was configured", () => {
    const runs = runsOf(undefined);
    const close = runs.open(FIRST);
    for (const peer of [SECOND, THIRD]) runs.open(peer);
    for (const peer of [FIRST, SECOND]) runs.configure(peer, source);
    close();
    expect(runs.of(THIRD).isActive).to.equal(false);
  });

  it("lets nobody go on when two connections are closed: nobody knows with which settings", () => {
    const runs = runsOf(undefined);
    const closes = [FIRST, SECOND].map((peer) => {
      const close = runs.open(peer);
      runs.configure(peer, source);
      return close;
    });
    for (const close of closes) close();
    runs.open(THIRD);
    expect(runs.of(THIRD).isActive).to.equal(false);
  });

  it("tells a connection from an older one at the same port", () => {
    const runs = runsOf(undefined);
    const close = runs.open(FIRST);
    runs.configure(FIRST, source);
    const old = runs.of(FIRST);
    runs.open(FIRST);
    runs.configure(FIRST, source);
    const renewed = runs.of(FIRST);
    close();
    expect(runs.of(FIRST)).to.equal(renewed).and.not.to.equal(old);
  });

  it("gives nothing to a connection that is closed already", () => {
    const runs = runsOf(ENGINE);
    const close = runs.open(FIRST);
    runs.configure(FIRST, source);
    close();
    expect(runs.of("unknown").isActive).to.equal(false);
    runs.open(SECOND);
    expect(runs.of(SECOND).isActive).to.equal(true);
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
