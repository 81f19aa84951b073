import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { Run } from "../support/engine-steps";
import { existing } from "../../sdk/nodejs/runtime/existing";
import { errorsOf, failing, quiet } from "../support/stack";
import { contract, type Scenario, type Stage, writes } from "../support/stage";

type Named = Readonly<Record<string, Properties>>;

/** A program of EnvVars, by the name of the variable. */
function vars({ environmentId }: Stage, named: Named) {
  return Object.fromEntries(
    Object.entries(named).map(([name, inputs]) => [
      name,
      { type: "EnvVar", inputs: { environmentId, name, ...inputs } },
    ]),
  );
}

function many(count: number, value: (index: number) => string): Named {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`V_${index}`, { value: value(index) }]));
}

function counts(labels: readonly string[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const label of labels) found[label] = (found[label] ?? 0) + 1;
  return found;
}

const scenarios: readonly Scenario[] = [
  {
    title: "lives: create, no-op, change, hidden and services in place, destroy",
    onHosts: true,
    async run(stage) {
      const { engine, values, world, environmentId, requests, puts } = stage;
      await engine.up(vars(stage, { A: { value: "one-1234" } }));
      expect(engine.kept("A").id).to.equal(`${environmentId}/A`);
      expect(engine.kept("A").outputs).to.include({ value: "one-1234", hidden: true, onConflict: "fail" });
      expect(engine.kept("A").outputs).to.have.property("variableId").that.is.a("string");
      expect(counts(requests())).to.deep.equal({ "GET /env-vars": 1, "PUT /env-vars": 1 });
      await quiet(engine.up(vars(stage, { A: { value: "one-1234" } })));
      expect(requests()).to.deep.equal([]);
      puts();
      const changed = { A: { value: "two-1234", hidden: false, services: ["web", "api"] } };
      expect((await engine.up(vars(stage, changed))).operations).to.deep.equal({ A: "update" });
      expect(world.variable(environmentId, "A")).to.deep.include({ value: "two-1234", hidden: false });
      expect(counts(requests())).to.deep.equal({ "PUT /env-vars": 1 });
      expect(puts()).to.deep.equal([["A"]]);
      const reordered = { A: { ...changed.A, services: ["api", "web", "api"] } };
      await quiet(engine.up(vars(stage, reordered)));
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title: "a rejected token: one of 30 says what to do, and nothing grows with their number",
    async run(stage) {
      const { engine, sandbox } = stage;
      const refused = async (work: () => Promise<Run>): Promise<void> => {
        sandbox.faults.add({ status: 401, times: Infinity });
        const { errors } = await failing(work());
        sandbox.faults.clear();
        expect(errors).to.have.length(30);
        expect(errors.filter((text) => text.includes("PREVIEWENV_API_TOKEN"))).to.have.length(1);
        // The engine shows each error five times at most, with about 60 characters before it: 20,000 in all.
        expect(errors.join("\n")).to.have.length.below(2_500);
      };
      const program = (value: string) =>
        vars(
          stage,
          many(30, (index) => `${value}-${index}`),
        );
      const up = (value: string) => engine.up(program(value), { parallel: true });
      await refused(() => up("one"));
      await up("one");
      await refused(() => up("two"));
      await up("two");
      await refused(() => engine.refresh());
      await refused(() => engine.destroy());
    },
  },
  ...[1, 60].map((count): Scenario => ({
    title: `${count} of them: one read, one write each, one read to refresh, nothing for a no-op`,
    // How many reads there are depends on how fast calls get to another process.
    needsTime: true,
    async run(stage) {
      const { engine, requests } = stage;
      const program = vars(
        stage,
        many(count, (index) => `value-${index}-1234`),
      );
      await engine.up(program, { parallel: true });
      expect(counts(requests())).to.deep.equal({ "GET /env-vars": 1, "PUT /env-vars": count });
      expect((await engine.up(program, { parallel: true })).operations).not.to.include.any.keys("refresh");
      expect(requests()).to.deep.equal([]);
      await engine.refresh();
      expect(requests()).to.deep.equal(["GET /env-vars"]);
      await engine.destroy();
      expect(counts(requests())).to.deep.equal({ "GET /env-vars": 1, "DELETE /env-vars": count });
    },
  })),
  {
    title: "a conflict refuses its own name only, before a write",
    environment: { variables: [{ name: "TAKEN", value: "of somebody else", hidden: false }] },
    async run(stage) {
      const { engine, values } = stage;
      const program = vars(stage, { TAKEN: { value: "mine", hidden: false }, FREE: { value: "mine", hidden: false } });
      const run = await failing(engine.up(program, { parallel: true }));
      expect(run.errors).to.have.length(1);
      expect(run.errors[0]).to.contain("TAKEN").and.to.contain("onConflict");
      expect(values()).to.deep.equal({ TAKEN: "of somebody else", FREE: "mine" });
      const taken = vars(stage, { TAKEN: { value: "mine", hidden: false, onConflict: "overwrite" } });
      await engine.up({ ...program, ...taken });
      expect(values()).to.deep.equal({ TAKEN: "mine", FREE: "mine" });
    },
  },
  {
    title: "another name replaces it: the new variable is there before the old one goes",
    onHosts: true,
    async run(stage) {
      const { engine, requests, values, environmentId } = stage;
      const named = (name: string) => ({ key: { type: "EnvVar", inputs: { environmentId, name, value: "v-123456" } } });
      await engine.up(named("OLD"));
      requests();
      expect((await engine.up(named("NEW"))).operations).to.deep.equal({ key: "replace" });
      expect(writes({ requests })).to.deep.equal(["PUT /env-vars", "DELETE /env-vars"]);
      expect(values()).to.deep.equal({ NEW: "v-123456" });
    },
  },
  ...(["value", "hidden", "services", "deleted"] as const).map((kind): Scenario => ({
    title: `drift by hand (${kind}) is seen, and up --refresh puts just that back`,
    async run(stage) {
      const { engine, world, environmentId, values, clock, puts } = stage;
      const program = vars(stage, { A: { value: "declared-1234" }, B: { value: "other-1234" } });
      await engine.up(program);
      clock.advance(5_000);
      if (kind === "value") world.setVariable(environmentId, { name: "A", value: "changed-1234", hidden: true });
      if (kind === "hidden") world.setVariable(environmentId, { name: "A", value: "declared-1234", hidden: false });
      if (kind === "services")
        world.setVariable(environmentId, { name: "A", value: "declared-1234", hidden: true, services: ["web"] });
      if (kind === "deleted") world.deleteVariable(environmentId, "A");
      puts();
      const run = await engine.up(program, { refresh: true });
      expect(run.operations).to.deep.equal({ A: kind === "deleted" ? "create" : "update", B: "same" });
      expect(puts()).to.deep.equal([["A"]]);
      expect(values()).to.deep.equal({ A: "declared-1234", B: "other-1234" });
      await quiet(engine.up(program, { refresh: true }));
    },
  })),
  {
    title: "a lost answer leaves its value not known: the next up writes it, and a destroy deletes it",
    needsTime: true,
    settings: { maxRetries: "0" },
    async run(stage) {
      const { engine, sandbox, values } = stage;
      sandbox.faults.add({ method: "PUT", dropAfter: true });
      const program = vars(stage, { A: { value: "a-123456" } });
      expect(await errorsOf(engine.up(program))).to.match(
        /[^.]\. It is not known whether the service has stored it\. State holds the name without its value, and the next `pulumi up` writes it\.$/u,
      );
      expect(engine.kept("A").outputs["value"]).to.equal("previewenv:unknown:v1::its write got no answer");
      await engine.up(program);
      expect(engine.kept("A").outputs["value"]).to.equal("a-123456");
      sandbox.faults.add({ method: "PUT", dropAfter: true });
      expect((await failing(engine.up(vars(stage, { A: { value: "b-123456" } })))).errors).to.have.length(1);
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title:
      "an existing() one that is hidden cannot get other services: each up says so, and promises nothing of the next",
    environment: { variables: [{ name: "A", value: "theirs-1234", hidden: true }] },
    async run(stage) {
      const { engine, puts } = stage;
      await engine.up(vars(stage, { A: { value: existing() } }));
      for (const services of [["web"], ["api"]])
        expect(await errorsOf(engine.up(vars(stage, { A: { value: existing(), services } })))).to.match(
          /A of environment \S+( \S+)?: its services or visibility cannot be changed, .* declare a value in the program, outside of `ignoreChanges`$/u,
        );
      expect(puts()).to.deep.equal([]);
    },
  },
];

contract("EnvVar", scenarios);
