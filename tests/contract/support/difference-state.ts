import { expect } from "chai";
import { failing } from "../../support/stack";
import { branches, set } from "../../support/stage";
import { type Proof, type Proofs, variable } from "./difference-proof";

/** Differences in what state holds, and where it comes from. */
export const state: Proofs<"import" | "unfinished" | "plain-token" | "other-state"> = {
  import: {
    dynamic: [
      {
        title: "the process of dynamic providers fails for an id",
        fresh: true,
        async run({ engine, environmentId, requests }) {
          expect((await failing(engine.import("vars", "EnvVarSet", environmentId))).errors).to.have.length(1);
          expect(requests()).to.deep.equal([]);
        },
      },
    ],
    native: [
      {
        title: "what exists is found by its id",
        environment: { variables: [{ name: "A", value: "1", hidden: false }] },
        async run({ engine, environmentId }) {
          expect((await engine.import("vars", "EnvVarSet", environmentId)).operations).to.deep.equal({
            vars: "import",
          });
          expect(engine.kept("vars").inputs).to.deep.include({ variables: { A: "1" } });
        },
      },
    ],
  },

  unfinished: { dynamic: [unfinished(false)], native: [unfinished(true)] },
  "plain-token": { dynamic: [plainToken([])], native: [plainToken(["apiToken"])] },
  "other-state": {
    dynamic: [
      {
        title: "state without the text that makes a provider needs one update, which sends nothing",
        async run({ engine, environmentId, requests }) {
          const program = set(environmentId, { variables: { A: "1" } });
          await engine.up(program);
          const kept = engine.kept("vars");
          const { __provider: text, ...outputs } = kept.outputs;
          expect(text).to.be.a("string");
          engine.state.set("vars", { ...kept, outputs });
          requests();
          expect((await engine.up(program)).operations).to.deep.equal({ vars: "update" });
          expect(requests()).to.deep.equal([]);
          expect(engine.kept("vars").outputs).to.deep.equal(kept.outputs);
          expect((await engine.up(program)).operations).to.deep.equal({ vars: "same" });
        },
      },
    ],
    native: [
      {
        title: "state with the text of a dynamic provider is as good as any",
        async run({ engine, environmentId }) {
          const program = set(environmentId, { variables: { A: "1" } });
          await engine.up(program);
          const kept = engine.kept("vars");
          const text = { __provider: "exports.handler = () => undefined" };
          engine.state.set("vars", {
            ...kept,
            inputs: { ...kept.inputs, ...text },
            outputs: { ...kept.outputs, ...text },
          });
          expect((await engine.up(program)).operations).to.deep.equal({ vars: "same" });
          await engine.refresh();
          expect(engine.kept("vars").outputs).to.deep.equal(kept.outputs);
          await engine.destroy();
        },
      },
      {
        title: "the text leaves state with the first update",
        async run(stage) {
          const { engine, requests } = stage;
          const { one } = variable(stage, "1");
          await engine.up({ one });
          const kept = engine.kept("one");
          engine.state.set("one", { ...kept, outputs: { ...kept.outputs, __provider: "exports.handler" } });
          requests();
          const run = await engine.up({ one: { ...one, inputs: { ...one.inputs, onConflict: "overwrite" } } });
          expect(run.operations).to.deep.equal({ one: "update" });
          expect(requests()).to.deep.equal([]);
          expect(engine.kept("one").outputs).to.deep.equal({ ...kept.outputs, onConflict: "overwrite" });
        },
      },
    ],
  },
};

function unfinished(isTold: boolean): Proof {
  return {
    title: `a refresh after a build that was late ${isTold ? "warns" : "says nothing"}, and the next up finds it`,
    needsTime: true,
    buildSeconds: 90,
    async run({ engine, environmentId, clock }) {
      const program = branches(environmentId, { branches: { web: "feature" }, buildTimeoutSeconds: 30 });
      await failing(engine.up(program));
      clock.advance(120_000);
      await engine.refresh();
      expect(engine.kept("deployed").initErrors.join("\n")).to.match(isTold ? /was not seen to succeed/u : /^$/u);
      await engine.up(program);
      await engine.refresh();
      expect(engine.kept("deployed").initErrors).to.deep.equal([]);
    },
  };
}

function plainToken(names: readonly string[]): Proof {
  return {
    title: `the state of the provider has as secrets: ${JSON.stringify(names)}`,
    async run({ engine }) {
      expect(await engine.secretSettings()).to.deep.equal(names);
    },
  };
}
