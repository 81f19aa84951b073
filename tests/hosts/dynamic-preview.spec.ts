import { once } from "node:events";
import { expect } from "chai";
import type { Clock } from "../../provider/src/client/clock";
import { CancelledError } from "../../provider/src/client/errors";
import { envVar } from "../../provider/src/env-vars/env-var";
import { type SessionOptions, startSession } from "../../provider/src/environment/start-session";
import type { Context } from "../../provider/src/framework/context";
import type { Resource } from "../../provider/src/framework/resource";
import { resolveSettings } from "../../provider/src/framework/settings";
import { DynamicPreview } from "../../provider/src/hosts/dynamic-preview";
import { SEED } from "../../provider/src/sandbox";
import { TestClock } from "../support/test-clock";

const GIVEN: Readonly<Record<string, string>> = { baseUrl: "http://127.0.0.1:9", apiToken: "a-token-of-a-test" };

/** A clock whose timers ring when a look that never ends has waited for them. */
class RingingClock extends TestClock implements Clock {
  readonly #timers = new Map<() => void, number>();

  override later(ms: number, act: () => void): () => void {
    this.#timers.set(act, ms);
    return () => void this.#timers.delete(act);
  }

  ring(): void {
    for (const [act, ms] of this.#timers) {
      this.advance(ms);
      act();
    }
  }
}

/** A preview of a program, and what it has warned of. */
function previewOf(clock: RingingClock, options: SessionOptions = {}) {
  const warnings: string[] = [];
  const log: Context["log"] = { info: () => undefined, status: () => undefined, warn: (text) => warnings.push(text) };
  const session = startSession(
    resolveSettings((name) => GIVEN[name], {}),
    { clock, ...options },
  );
  const ctx: Context = { ...session, log, signal: new AbortController().signal };
  return { preview: new DynamicPreview("run", clock), warnings, ctx };
}

/** A preview whose looks take so long. */
function setUp(lookMs: number) {
  const clock = new RingingClock();
  const { preview, warnings, ctx } = previewOf(clock);
  let looks = 0;
  const resource: Resource = {
    ...envVar,
    previewCheck({ signal }, { inputs: { name } }) {
      looks += 1;
      if (Number.isFinite(lookMs)) clock.advance(lookMs);
      else clock.ring();
      return signal.aborted
        ? Promise.reject(new CancelledError("cancelled", false))
        : Promise.resolve([`found ${String(name)}`]);
    },
  };
  const look = (name: string): Promise<void> =>
    preview.warnOrRefuse(resource, ctx, { environmentId: SEED.shopMain, name });
  return { looks: () => looks, warnings, look };
}

describe("a preview of the dynamic provider", () => {
  it("looks for 2 s at most, and says in one line how many resources it checked", async () => {
    const { looks, warnings, look } = setUp(1_000);
    for (const name of ["A", "B", "C", "D"]) await look(name);
    expect(looks()).to.equal(2);
    expect(warnings.slice(0, 2)).to.deep.equal(["found A", "found B"]);
    expect(warnings).to.have.length(3);
    expect(warnings[2]).to.match(/asking the service what it has took 2 s.*Resources that were checked: 2\./u);
  });

  it("ends a look whose time is up, and says so once", async () => {
    const { looks, warnings, look } = setUp(Infinity);
    for (const name of ["A", "B"]) await look(name);
    expect(looks()).to.equal(1);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/asking the service what it has took 2 s.*Resources that were checked: 0\./u);
  });

  it("says why the service could not be reached, when its time ends the wait for another attempt", async () => {
    const clock = new RingingClock();
    clock.sleep = async (_ms, signal = new AbortController().signal) => {
      const aborted = once(signal, "abort");
      clock.ring();
      await aborted;
      signal.throwIfAborted();
    };
    const exchange = () => Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    const { preview, warnings, ctx } = previewOf(clock, { connections: { exchange, close: () => Promise.resolve() } });
    await preview.warnOrRefuse(envVar, ctx, { environmentId: SEED.shopMain, name: "A", value: "1" });
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(
      /could not check what the service has: .*\(ECONNREFUSED\)\. Check previewenv:baseUrl/u,
    );
  });

  it("shows the same warning once", async () => {
    const { warnings, look } = setUp(0);
    for (const name of ["A", "A", "B"]) await look(name);
    expect(warnings).to.deep.equal(["found A", "found B"]);
  });
});
