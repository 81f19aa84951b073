import { expect } from "chai";
import { failing } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";

const KIB = 1024;
const MIB = 1024 * KIB;
/** What a person, and a terminal, can still bear. */
const MAX_TEXT = 60 * KIB;

const entries = (count: number, value: (index: number) => string, prefix = "NAME"): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${prefix}_${String(index).padStart(5, "0")}`, value(index)]),
  );

/** So many of them fail. Node's own gRPC client takes an error of 1,000 names; the engine one of 5,000 too
 * (tests/engine/bounds.outside.spec.ts). */
const failures: readonly Scenario[] = [3_000, 1_000].flatMap((refused) =>
  [false, true].map((refuseNull): Scenario => ({
    title: `a 207 with ${refused} failed names and long texts${refuseNull ? ", all without a name" : ""}: state is exact, and the text can be read`,
    settings: { batchSize: "2000" },
    needsTime: refused > 1_000,
    async run({ engine, environmentId, sandbox, puts, values }) {
      const variables = entries(refused + 100, (index) => `value-${index}`);
      const refuse = Object.fromEntries(
        Object.keys(variables)
          .slice(100)
          .map((name) => [name, `${name} cannot be stored: ${"there is no room for it, ".repeat(20)}`]),
      );
      sandbox.faults.add({ refuse, refuseNull, times: Math.ceil((refused + 100) / 2_000) });
      const program = set(environmentId, { variables });
      const run = await failing(engine.up(program));
      const text = run.errors.join("\n");
      expect(text).to.match(new RegExp(`^${refused} of ${refused + 100} variables of environment `, "u"));
      expect(text.length).to.be.lessThan(MAX_TEXT);
      const lines = text.split("\n");
      expect(lines.length).to.be.at.most(22);
      // The first batch holds the 100 that are stored.
      const first = Math.min(2_000, refused + 100) - 100;
      if (refuseNull)
        expect(lines[1]).to.match(
          new RegExp(`NAME_00100, .* and ${first - 100} more: .* / and ${first - 5} other reasons$`, "u"),
        );
      else {
        expect(lines[1]).to.match(/^ {2}NAME_00100: NAME_00100 cannot be stored: there is no room/u);
        expect(lines.at(-1)).to.match(
          new RegExp(`^ {2}for ${refused - 20} other reasons: NAME_00120, .* and ${refused - 120} more$`, "u"),
        );
      }
      expect(Object.keys(values())).to.have.length(100);
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal(values());
      puts();
      await engine.up(program);
      const sent = puts();
      expect(sent.flat()).to.have.length(refused);
      expect(Math.max(...sent.map((names) => names.length))).to.be.at.most(2_000);
      expect(values()).to.deep.equal(variables);
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal(variables);
    },
  })),
);

const sizes: readonly Scenario[] = [
  {
    title: "a failure with more state than an error can carry keeps every name; large values are written again",
    // Over gRPC only the real engine takes an error of this size (tests/engine/bounds.outside.spec.ts), Node's own client does not.
    needsTime: true,
    settings: { batchSize: "20" },
    async run({ engine, environmentId, sandbox, puts, values }) {
      const variables = entries(40, (index) => `small-${index}`);
      const secrets = entries(60, (index) => `${index}`.padEnd(160 * KIB, "s"), "LARGE");
      const program = set(environmentId, { variables, secrets });
      sandbox.faults.add({ refuse: { NAME_00007: "no room" } });
      const run = await failing(engine.up(program));
      const { outputs } = engine.kept("vars");
      expect(Object.keys(outputs["secrets"] ?? {})).to.deep.equal(Object.keys(secrets));
      const { NAME_00007: _failed, ...written } = variables;
      expect(outputs["variables"]).to.deep.equal(written);
      const dropped = Object.entries(outputs["secrets"] ?? {}).filter(([, value]) =>
        String(value).startsWith("previewenv:"),
      );
      expect(dropped.length).to.be.greaterThan(0).and.lessThan(60);
      expect(run.errors.join("\n")).to.contain(`the values of ${dropped.length} variables had to be left out`);
      puts();
      await engine.up(program);
      expect(puts().flat().toSorted()).to.deep.equal(["NAME_00007", ...dropped.map(([name]) => name)].toSorted());
      expect(values()).to.deep.equal({ ...variables, ...secrets });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  },
  {
    title: "no request carries more variables than batchSize, of a set or of single ones",
    settings: { batchSize: "7" },
    async run({ engine, environmentId, puts, values }) {
      const variables = entries(100, String);
      const single = entries(50, String, "SINGLE");
      const program = {
        ...set(environmentId, { variables }),
        ...Object.fromEntries(
          Object.entries(single).map(([name, value]) => [
            name,
            { type: "EnvVar", inputs: { environmentId, name, value, hidden: false } },
          ]),
        ),
      };
      await engine.up(program, { parallel: true });
      expect(values()).to.deep.equal({ ...variables, ...single });
      const counts = puts().map((names) => names.length);
      expect(Math.max(...counts)).to.equal(7);
      expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(150);
    },
  },
  {
    title: "413 for too many bytes halves the batch until it fits, and for the rest of the process",
    settings: { batchSize: "8" },
    fresh: true,
    // Which host it is makes no difference; 12 MiB take their time over gRPC.
    needsTime: true,
    async run({ engine, environmentId, puts, values }) {
      // The sandbox takes bodies of 10 MiB.
      const variables = entries(8, (index) => `${index}`.padEnd(1.5 * MIB, "x"));
      await engine.up(set(environmentId, { variables }));
      // A body that is too large is not read, so the journal has no names of it.
      expect(puts().map((names) => names.length)).to.deep.equal([0, 4, 4]);
      expect(Object.keys(values())).to.have.length(8);
    },
  },
  {
    title: "413 for one variable names it, keeps what was stored before it, and the next up goes on",
    settings: { batchSize: "4" },
    fresh: true,
    async run({ engine, environmentId, sandbox, values }) {
      const variables = { A: "1", B: "2", HUGE: "3", I: "4", J: "5" };
      const fault = sandbox.faults.add({ match: ({ names }) => names.includes("HUGE"), status: 413, times: Infinity });
      const run = await failing(engine.up(set(environmentId, { variables })));
      expect(run.errors.join("\n"))
        .to.match(/^ {2}HUGE: .* too large: make its values shorter/mu)
        .and.to.match(/^ {2}I, J: not sent, because an earlier request failed$/mu);
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal({ A: "1", B: "2" });
      fault.remove();
      await engine.up(set(environmentId, { variables }));
      expect(values()).to.deep.equal(variables);
    },
  },
];

contract("bounds: failures by the thousand", failures);
contract("bounds: large requests and states", sizes);
