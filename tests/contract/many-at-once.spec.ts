import { expect } from "chai";
import { certificate } from "../client/support/certificate";
import { type ScriptedServer, startScript } from "../client/support/scripted-server";
import { failing } from "../support/stack";
import { contract, type Scenario, set, type Stage } from "../support/stage";
import { forEachConcurrently } from "../../provider/src/client/concurrency";
import { Fleet } from "../simulation/fleet";
import { simulatedHosts } from "../simulation/hosts";

const SECOND = 1_000;
/** Nothing listens there: a port that only the system may use. */
const UNHEARD = "http://127.0.0.1:1";
/** A service whose certificate nobody trusts. */
let distrusted: ScriptedServer;

before(async () => {
  distrusted = await startScript([{ status: 500 }], certificate);
});

after(() => distrusted[Symbol.asyncDispose]());

/** The service answers 503 to everything for 45 seconds of the test's time. */
function outage({ sandbox, clock }: Pick<Stage, "sandbox" | "clock">): void {
  const fault = sandbox.faults.add({ status: 503, times: Infinity });
  const endMs = clock.now() + 45 * SECOND;
  clock.onSleep = () => {
    if (clock.now() >= endMs) fault.remove();
  };
}

const waitTexts = ({ log }: Stage): readonly string[] =>
  log.lines
    .filter(({ passing, text }) => passing && /^\d+ s: waiting for the service/u.test(text))
    .map(({ text }) => text);

const scenarios: readonly Scenario[] = [
  {
    title: "of 45 s, as in a deploy of the service: create, update, refresh and destroy take longer, and succeed",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, values } = stage;
      outage(stage);
      await engine.up(set(environmentId, { variables: { A: "1" } }));
      expect(waitTexts(stage)[0]).to.match(/^\d+ s: waiting for the service: it answered 503; attempt \d+/u);
      outage(stage);
      const changed = set(environmentId, { variables: { A: "2", B: "1" } });
      await engine.up(changed);
      expect(values()).to.deep.equal({ A: "2", B: "1" });
      outage(stage);
      await engine.refresh();
      outage(stage);
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title: "without end: fifty resources fail after a minute, together, and state keeps all",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox, clock, requests } = stage;
      const names = Array.from({ length: 50 }, (_, index) => `NAME_${index}`);
      const one = (name: string) => [name, { type: "EnvVar", inputs: { environmentId, name, value: "1" } }] as const;
      const program = Object.fromEntries(names.map(one));
      await engine.up(program, { parallel: true });
      requests();
      sandbox.faults.add({ status: 503, times: Infinity });
      const startMs = clock.now();
      const run = await failing(engine.destroy());
      expect(clock.now() - startMs).to.be.within(60 * SECOND, 70 * SECOND);
      expect(run.errors).to.have.length(50);
      // All wait for the one read that they share.
      for (const error of run.errors)
        expect(error).to.match(/Tried \d+ times in 6\d s \(previewenv:maxRetries is not set\)/u);
      expect(engine.state.size).to.equal(50);
      expect(waitTexts(stage).length).to.be.within(1, 3);
      sandbox.faults.clear();
      await engine.destroy();
    },
  },
];

/** Where no request arrives, in settings of the provider. */
const nowhere: readonly (readonly [string, () => string, RegExp])[] = [
  ["nothing listens", () => UNHEARD, /\(ECONNREFUSED\)\. Check previewenv:baseUrl/u],
  ["its certificate is not trusted", () => distrusted.url, /\(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*NODE_EXTRA_CA_CERTS/u],
];

const unreachable = nowhere.map(([what, baseUrl, text]): Scenario => ({
  title: `a service that never answered is given up within 10 s: ${what}`,
  fresh: true,
  get settings() {
    return { baseUrl: baseUrl() };
  },
  async run({ engine, environmentId, clock, requests }) {
    const starts = [clock.now(), performance.now()] as const;
    const one = (name: string) => [name, { type: "EnvVar", inputs: { environmentId, name, value: "1" } }] as const;
    const variables = Object.fromEntries(["A", "B", "C"].map(one));
    const waiting = { state: { type: "EnvironmentState", inputs: { environmentId, state: "running" } } };
    const { errors } = await failing(engine.up({ ...variables, ...waiting }, { parallel: true }));
    expect([clock.now() - starts[0], performance.now() - starts[1]].every((ms) => ms < 10 * SECOND)).to.equal(true);
    expect(errors).to.have.length(4);
    expect(errors.join("\n")).to.match(/ Tried 2 times in \d s: waiting does not help/u);
    expect(errors.join("\n")).to.match(text);
    expect(requests()).to.deep.equal([]);
  },
}));

contract("a service that cannot be reached", unreachable);
contract("an outage of the service", scenarios);

const STACKS = 50;
/** A create of one set: the read for conflicts, and the write. */
const REQUESTS = 2;
/** What the CLI, the engine and the program take before the provider's first request, and after its last one. */
const START_MS = 2_500;
const END_MS = 500;
const MS_PER_SECOND = 1_000;
/** How far a round may be from the formula of docs/guides/scale.md. */
const TOLERANCE = 0.25;

const variables = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`NAME_${index}`, `value ${index}`]));

interface Round {
  readonly seconds: number;
  /** Share of the requests that the service refused with 429. */
  readonly refused: number;
}

/** Brings up so many stacks, `parallel` at a time, each with a provider process of its own. */
async function round(stacks: number, rate: number | undefined, parallel: number): Promise<Round> {
  const host = simulatedHosts.core;
  const fleet = new Fleet({ size: stacks, host, choices: { rateLimitPerSecond: rate } });
  const startMs = fleet.nowMs;
  const up = async (environmentId: string): Promise<void> => {
    await fleet.sleep(START_MS);
    const { errors } = await fleet.stack().up({ vars: { type: "EnvVarSet", inputs: { environmentId, variables } } });
    expect(errors).to.deep.equal([]);
    await fleet.sleep(END_MS);
  };
  await fleet.run(forEachConcurrently(fleet.environmentIds, parallel, up));
  for (const id of fleet.environmentIds) {
    const stored = fleet.world.variables(id).map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(stored)).to.deep.equal(variables);
  }
  const refused = fleet.requests.filter(({ status }) => status === 429).length;
  return { seconds: (fleet.nowMs - startMs) / MS_PER_SECOND, refused: refused / fleet.requests.length };
}

/** Virtual time: what 50 CLIs would do on one machine is measured by their CPU, and not by the limit. */
describe("one rate limit for 50 stacks, each with a process of its own", () => {
  let alone = 0;

  before(async () => {
    ({ seconds: alone } = await round(1, undefined, 1));
  });

  const best = (rate: number): number => Math.round((rate * alone) / REQUESTS);

  for (const rate of [5, 10, 20])
    for (const factor of [0.5, 1, 2])
      it(`${rate} requests a second, ${factor} times the parallelism of the formula: all converge, in the time of the formula`, async () => {
        const parallel = Math.max(1, Math.floor(best(rate) * factor));
        const { seconds, refused } = await round(STACKS, rate, parallel);
        const expected = Math.max((STACKS * REQUESTS) / rate, (STACKS * alone) / parallel) + alone;
        expect(seconds / expected).to.be.within(1 - TOLERANCE, 1 + TOLERANCE);
        if (factor < 1) expect(refused, "requests in vain").to.be.below(0.1);
      });
});
