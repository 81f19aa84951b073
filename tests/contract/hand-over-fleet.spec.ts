import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { FaultOptions } from "../../provider/src/sandbox";
import type { Program } from "../support/engine-steps";
import { failing } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";

const OLD = { X: "old-value-1234", S: "old-secret-1234" };
const NEW = { X: "new-value-5678", S: "new-secret-5678" };
const BEFORE = { giver: { variables: { G: "g", X: OLD.X }, secrets: { S: OLD.S } }, taker: { variables: { T: "t" } } };
const SECOND_MS = 1_000;

/** A pair of sets for each environment; X and S move from the first to the second. */
class Fleet {
  readonly #stage: Stage;
  readonly ids: readonly string[];
  readonly missing = new Set<string>();

  constructor(stage: Stage, size: number) {
    this.#stage = stage;
    this.ids = Array.from({ length: size }, () => stage.addEnvironment());
  }

  program(pair: Readonly<Record<string, Properties>>): Program {
    const sets = this.ids.flatMap((environmentId, index) =>
      Object.entries(pair).map(
        ([name, given]) => [`${name}${index}`, { type: "EnvVarSet", inputs: { environmentId, ...given } }] as const,
      ),
    );
    return Object.fromEntries(sets);
  }

  /** From now on, notes each name that is missing when a request comes. */
  watch(): void {
    const { sandbox, world } = this.#stage;
    sandbox.faults.add({
      match: () => {
        for (const id of this.ids)
          for (const name of ["X", "S"])
            if (world.variable(id, name) === undefined)
              this.missing.add(`${name} of environment ${this.ids.indexOf(id)}`);
        return false;
      },
    });
  }

  /** What each environment has under a name, once each. */
  values(name: "X" | "S"): readonly (string | undefined)[] {
    return [...new Set(this.ids.map((id) => this.#stage.world.variable(id, name)?.value))];
  }
}

const moved = (values: typeof OLD) => ({
  giver: { variables: { G: "g" } },
  taker: { variables: { T: "t", X: values.X }, secrets: { S: values.S } },
});

const sizes = [1, 40] as const;
const ways = [
  ["at once", { parallel: true }],
  ["--parallel 1", { parallel: false }],
] as const;

const whole = sizes.flatMap((size) =>
  ways.flatMap(([way, options]) =>
    [OLD, NEW].map((values): Scenario => ({
      title: `${size} environments, ${way}, ${values === OLD ? "old" : "new"} values: one up, nothing missing, the next is empty`,
      fresh: true,
      // Where time is not the test's, each run starts processes: what does not depend on the host is held in this one.
      needsTime: size > 1,
      async run(stage) {
        const { engine, clock, sandbox } = stage;
        const fleet = new Fleet(stage, size);
        await engine.up(fleet.program(BEFORE));
        clock.advance(SECOND_MS);
        fleet.watch();
        const program = fleet.program(moved(values));
        sandbox.journal.clear();
        await engine.up(program, options);
        expect([...fleet.missing]).to.deep.equal([]);
        expect(sandbox.journal.count({ label: "DELETE /env-vars" })).to.equal(0);
        expect([fleet.values("X"), fleet.values("S")]).to.deep.equal([[values.X], [values.S]]);
        const preview = await engine.preview(program);
        expect(new Set(Object.values(preview.operations))).to.deep.equal(new Set(["same"]));
        const again = await engine.up(program, { refresh: true });
        expect(new Set(Object.values(again.operations))).to.deep.equal(new Set(["same"]));
        await engine.destroy();
        expect(fleet.values("X")).to.deep.equal([undefined]);
      },
    })),
  ),
);

const faults: readonly (readonly [string, FaultOptions])[] = [
  ["every PUT answers 400", { label: "PUT /env-vars", status: 400, times: Infinity }],
  ["every PUT answers 503", { label: "PUT /env-vars", status: 503, times: Infinity }],
  ["every GET answers 503", { label: "GET /env-vars", status: 503, times: Infinity }],
];

const troubled = [1, 8].flatMap((size) =>
  ways.flatMap(([way, options]) =>
    faults.map(([what, fault]): Scenario => ({
      title: `${size} environments, ${way}, ${what}: nothing is missing, and two up converge`,
      fresh: true,
      needsTime: size > 1,
      settings: { maxRetries: "0" },
      async run(stage) {
        const { engine, clock, sandbox } = stage;
        const fleet = new Fleet(stage, size);
        await engine.up(fleet.program(BEFORE));
        clock.advance(SECOND_MS);
        fleet.watch();
        const program = fleet.program(moved(NEW));
        const trouble = sandbox.faults.add(fault);
        await failing(engine.up(program, options));
        trouble.remove();
        await engine.up(program, options);
        await engine.up(program, options);
        expect([...fleet.missing]).to.deep.equal([]);
        expect([fleet.values("X"), fleet.values("S")]).to.deep.equal([[NEW.X], [NEW.S]]);
        const again = await engine.up(program);
        expect(new Set(Object.values(again.operations))).to.deep.equal(new Set(["same"]));
        await engine.destroy();
        expect(fleet.values("X")).to.deep.equal([undefined]);
      },
    })),
  ),
);

/** `destroy --target`: the engine deletes one resource, and asks for no other. */
const targeted = ways.slice(0, 1).flatMap(([way, options]) =>
  [OLD, NEW].flatMap((values) =>
    (["giver", "taker"] as const).map((side): Scenario => ({
      title: `destroy --target of the ${side} leaves the other's, after a move ${way} of ${values === OLD ? "old" : "new"} values`,
      fresh: true,
      async run(stage) {
        const { engine, clock } = stage;
        const fleet = new Fleet(stage, 1);
        await engine.up(fleet.program(BEFORE));
        clock.advance(SECOND_MS);
        await engine.up(fleet.program(moved(values)), options);
        clock.advance(SECOND_MS);
        await engine.up({}, { targets: [`${side}0`] });
        expect([...engine.state.keys()]).to.deep.equal([side === "giver" ? "taker0" : "giver0"]);
        const isGiver = side === "giver";
        expect([fleet.values("X"), fleet.values("S")]).to.deep.equal(
          isGiver ? [[values.X], [values.S]] : [[undefined], [undefined]],
        );
        expect(stage.world.variable(fleet.ids[0] ?? "", isGiver ? "G" : "T")).to.equal(undefined);
        expect(stage.world.variable(fleet.ids[0] ?? "", isGiver ? "T" : "G")).not.to.equal(undefined);
        await engine.destroy();
        expect(stage.world.variables(fleet.ids[0] ?? "")).to.deep.equal([]);
      },
    })),
  ),
);

const others: readonly Scenario[] = [
  {
    title: "the taker is excluded from the run: the giver sends no DELETE, and the next up of all moves the names",
    fresh: true,
    async run(stage) {
      const { engine, clock, sandbox } = stage;
      const fleet = new Fleet(stage, 1);
      await engine.up(fleet.program(BEFORE));
      clock.advance(SECOND_MS);
      fleet.watch();
      const program = fleet.program(moved(NEW));
      sandbox.journal.clear();
      await engine.up(program, { targets: ["giver0"] });
      expect([fleet.values("X"), sandbox.journal.count({ label: "DELETE /env-vars" })]).to.deep.equal([[OLD.X], 0]);
      await engine.up(program);
      expect([fleet.values("X"), fleet.values("S")]).to.deep.equal([[NEW.X], [NEW.S]]);
      expect([...fleet.missing]).to.deep.equal([]);
      await engine.destroy();
      expect(fleet.values("X")).to.deep.equal([undefined]);
    },
  },
  {
    title: "a program in another language, one after the other: one up, absent between DELETE and PUT, nothing lost",
    fresh: true,
    async run(stage) {
      const { engine, clock, sandbox } = stage;
      const fleet = new Fleet(stage, 1);
      await engine.up(fleet.program(BEFORE), { otherLanguage: true });
      clock.advance(SECOND_MS);
      const program = fleet.program(moved(NEW));
      const trouble = sandbox.faults.add({ label: "PUT /env-vars", status: 400 });
      await failing(engine.up(program, { otherLanguage: true }));
      expect([trouble.hits, fleet.values("X")]).to.deep.equal([1, [undefined]]);
      await engine.up(program, { otherLanguage: true });
      expect([fleet.values("X"), fleet.values("S")]).to.deep.equal([[NEW.X], [NEW.S]]);
      expect((await engine.up(program, { otherLanguage: true })).operations).to.deep.equal({
        giver0: "same",
        taker0: "same",
      });
    },
  },
];

contract("hand-over, many environments", [...whole, ...troubled, ...targeted, ...others]);
