import { expect } from "chai";
import { certificate } from "../client/support/certificate";
import { type ScriptedServer, startScript } from "../client/support/scripted-server";
import { failing } from "../support/stack";
import { contract, type Scenario, set, type Stage } from "../support/stage";
import { program as stateProgram } from "./support/environment-state-program";

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

const waits = ({ log }: Stage): readonly string[] =>
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
      expect(waits(stage)[0]).to.match(/^\d+ s: waiting for the service: it answered 503; attempt \d+/u);
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
      expect(waits(stage).length).to.be.within(1, 3);
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
    const waiting = stateProgram(environmentId, "running");
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
