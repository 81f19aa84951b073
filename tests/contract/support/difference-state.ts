import { status } from "@grpc/grpc-js";
import { type Difference, ProviderFailure, type Side } from "../../support/host";
import { expect } from "chai";
import { failing, quiet } from "../../support/stack";
import { branches, type Scenario, set, type Stage } from "../../support/stage";

/** A scenario that shows what the hosts of one side do. */
export type Proof = Pick<Scenario, "title" | "run"> & Partial<Scenario>;

/** Rows of the table in docs/hosts.md, each with proofs of both sides. */
export type Proofs<Row extends Difference> = Readonly<Record<Row, Readonly<Record<Side, readonly Proof[]>>>>;

/** A program of one EnvVar called `one`. */
export const variable = ({ environmentId }: Stage, value: string) => ({
  one: { type: "EnvVar", inputs: { environmentId, name: "A", value, hidden: false } },
});

/** Differences in what state holds, and where it comes from. */
export const state: Proofs<"Import" | "A refresh after an update that failed" | "State that the other one wrote"> = {
  Import: {
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

  "A refresh after an update that failed": {
    dynamic: [unfinished(false), refreshedInputs({ A: "1", B: "1" })],
    native: [unfinished(true), refreshedInputs({ A: "2", B: "1" })],
  },
  "State that the other one wrote": {
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
          await quiet(engine.up(program));
        },
      },
    ],
    native: [
      {
        title: "state with the text and the mark of a dynamic provider is as good as any",
        async run(stage) {
          const { engine } = stage;
          const program = variable(stage, "1");
          await engine.up(program);
          const kept = engine.kept("one");
          const text = { __provider: "exports.handler = () => undefined", __unfinished: true };
          engine.state.set("one", {
            ...kept,
            inputs: { ...kept.inputs, ...text },
            outputs: { ...kept.outputs, ...text },
          });
          await quiet(engine.up(program));
          await engine.refresh();
          expect(engine.kept("one").outputs).to.deep.equal(kept.outputs);
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
    buildSeconds: 90,
    async run({ engine, environmentId, clock }) {
      const program = branches(environmentId, { branches: { web: "feature" }, buildTimeoutSeconds: 1 });
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

function refreshedInputs(kept: Readonly<Record<string, string>>): Proof {
  return {
    title: `state then has the inputs ${JSON.stringify(kept)}, and a program that goes back gets its update`,
    async run({ engine, environmentId, sandbox, values }) {
      const before = set(environmentId, { variables: { A: "1", B: "1" } });
      await engine.up(before);
      sandbox.faults.add({ refuse: { B: "no room" } });
      await failing(engine.up(set(environmentId, { variables: { A: "2", B: "2" } })));
      for (const _time of [1, 2]) {
        await engine.refresh();
        expect(engine.kept("vars").inputs["variables"]).to.deep.equal(kept);
      }
      expect((await engine.up(before)).operations).to.deep.equal({ vars: "update" });
      expect(values()).to.deep.equal({ A: "1", B: "1" });
      await quiet(engine.up(before, { refresh: true }));
    },
  };
}

const TOKEN = "previewenv:index:getEnvironment";

/** Differences in what a provider answers to the engine: functions, and codes of errors. */
export const answers: Proofs<"Functions" | "Error code of a failure"> = {
  Functions: {
    dynamic: [
      {
        title: "the provider process has none",
        async run({ engine, environmentId }) {
          const failure = await engine.invoke(TOKEN, { id: environmentId }).catch((error: unknown) => error);
          expect(failure).to.be.instanceOf(ProviderFailure);
        },
      },
    ],
    native: [
      {
        title: "the plugin answers",
        async run({ engine, environmentId }) {
          expect(await engine.invoke(TOKEN, { id: environmentId })).to.deep.include({
            id: environmentId,
            name: "shop",
          });
        },
      },
    ],
  },

  "Error code of a failure": { dynamic: [errorCode(status.UNKNOWN)], native: [errorCode(status.FAILED_PRECONDITION)] },
};

function errorCode(code: status): Proof {
  return {
    title: `a 403 of the service has the code ${status[code]}`,
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ label: "GET /env-vars", status: 403 });
      const run = await failing(engine.up(set(environmentId, { variables: { A: "1" } })));
      expect(run.errors.join("\n")).to.contain("403");
      expect(run.codes).to.deep.equal([code]);
    },
  };
}
