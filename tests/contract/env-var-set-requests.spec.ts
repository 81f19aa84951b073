import { expect } from "chai";
import { contract, type Scenario, set } from "../support/stage";

const BATCH = 100;

function numbered(count: number, value: string, from = 0): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`N${from + index}`, value]));
}

/** Request counts: k changed are ceil(k / batch) PUT, d removed 1 GET and d DELETE, a refresh 1 GET, no change 0. */
const counts: readonly Scenario[] = [1, 100, 1000].map((size) => ({
  title: `${size} variables: requests are as few as promised`,
  async run({ engine, environmentId, requests, clock }) {
    const times = (count: number, label: string): string[] => Array.from({ length: count }, () => label);
    const program = set(environmentId, { variables: numbered(size, "1"), secrets: { S: "a-secret-value" } });
    await engine.up(program);
    expect(requests()).to.deep.equal(["GET /env-vars", ...times(Math.ceil((size + 1) / BATCH), "PUT /env-vars")]);
    clock.advance(1_000);
    await engine.up(program);
    await engine.preview(program);
    expect(requests()).to.deep.equal([]);
    await engine.refresh();
    expect(requests()).to.deep.equal(["GET /env-vars"]);
    await engine.up(set(environmentId, { variables: numbered(size, "2"), secrets: { S: "a-secret-value" } }));
    expect(requests()).to.deep.equal(times(Math.ceil(size / BATCH), "PUT /env-vars"));
    const removed = Math.min(size, 7);
    await engine.up(
      set(environmentId, { variables: numbered(size - removed, "2", removed), secrets: { S: "a-secret-value" } }),
    );
    expect(requests()).to.deep.equal(["GET /env-vars", ...times(removed, "DELETE /env-vars")]);
    await engine.destroy();
    expect(requests()).to.deep.equal(["GET /env-vars", ...times(size - removed + 1, "DELETE /env-vars")]);
  },
}));

const others: readonly Scenario[] = [
  {
    title: "deletes run at once, but not more of them than maxConcurrency",
    settings: { maxConcurrency: "3" },
    async run({ engine, environmentId, sandbox }) {
      await engine.up(set(environmentId, { variables: numbered(12, "1") }));
      let release: () => void = () => undefined;
      const hold = new Promise<void>((resolve) => (release = resolve));
      sandbox.faults.add({ label: "DELETE /env-vars", hold, times: 3 });
      sandbox.faults.add({
        match: ({ label }) => {
          if (label === "DELETE /env-vars") release();
          return false;
        },
      });
      sandbox.journal.clear();
      const destroying = engine.destroy();
      while (sandbox.journal.count({ label: "DELETE /env-vars" }) < 3) await new Promise(setImmediate);
      release();
      await destroying;
      expect(sandbox.journal.maxInFlight).to.equal(3);
    },
  },
  {
    title: "429 pauses until Retry-After and is not a failure",
    needsTime: true,
    async run({ engine, environmentId, sandbox, clock, values }) {
      sandbox.faults.add({ label: "PUT /env-vars", status: 429, retryAfter: 30, times: 6 });
      const start = clock.now();
      await engine.up(set(environmentId, { variables: { A: "1" } }));
      expect(clock.now() - start).to.equal(180_000);
      expect(values()).to.deep.equal({ A: "1" });
    },
  },
];

contract("EnvVarSet, requests", [...counts, ...others]);
