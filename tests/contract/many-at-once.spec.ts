import { expect } from "chai";
import { contract, type Scenario } from "../support/stage";
import { forEachConcurrently } from "../../provider/src/client/concurrency";
import { Fleet } from "./support/fleet";
import { simulatedHosts } from "../simulation/hosts";

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

  for (const [rate, factor] of [
    [5, 0.5],
    [10, 1],
    [20, 2],
  ] as const)
    it(`${rate} requests a second, ${factor} times the parallelism of the formula: all converge, in the time of the formula`, async () => {
      const parallel = Math.max(1, Math.floor(best(rate) * factor));
      const { seconds, refused } = await round(STACKS, rate, parallel);
      const expected = Math.max((STACKS * REQUESTS) / rate, (STACKS * alone) / parallel) + alone;
      expect(seconds / expected).to.be.within(1 - TOLERANCE, 1 + TOLERANCE);
      if (factor < 1) expect(refused, "requests in vain").to.be.below(0.1);
    });
});

const ENVIRONMENTS = 4;
const PARTS = ["app", "jobs", "edge"] as const;
const SETS = ENVIRONMENTS * PARTS.length;
const NAMES = ["MODE", "URL"] as const;
const reads = (count: number): readonly string[] => Array.from({ length: count }, () => "GET /env-vars");

const manyEnvironments: Scenario = {
  title: "with three sets in each of four: a preview reads once for each environment, a refresh once for each set",
  async run({ engine, addEnvironment, requests }) {
    const ids = Array.from({ length: ENVIRONMENTS }, (_, index) => addEnvironment({ name: `pr-${index}` }));
    const sets = ids.flatMap((environmentId, index) =>
      PARTS.map((part) => {
        const declared = Object.fromEntries(NAMES.map((name) => [`${part}_${name}`, "1"]));
        return [`${part}-${index}`, { type: "EnvVarSet", inputs: { environmentId, variables: declared } }] as const;
      }),
    );
    const program = Object.fromEntries(sets);
    await engine.preview(program);
    expect(requests()).to.deep.equal(reads(ENVIRONMENTS));
    await engine.up(program, { parallel: true });
    expect(requests().filter((label) => label === "PUT /env-vars")).to.have.length(SETS);
    await engine.preview(program);
    await engine.up(program, { parallel: true });
    expect(requests()).to.deep.equal([]);
    await engine.refresh();
    expect(requests()).to.deep.equal(reads(SETS));
    await engine.destroy();
    const deletes = Array.from({ length: SETS * NAMES.length }, () => "DELETE /env-vars");
    expect(requests().toSorted()).to.deep.equal([...deletes, ...reads(ENVIRONMENTS)]);
  },
};

contract("the requests of many environments", [manyEnvironments]);
