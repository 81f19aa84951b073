import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { type DifferenceId, differences } from "../../provider/src/hosts/differences";
import { ProviderFailure, type Side } from "../support/host";
import { branches, contract, type Scenario, set, type Stage } from "../support/stage";

type Proof = Pick<Scenario, "title" | "run"> & Partial<Scenario>;

const SECOND_MS = 1_000;
/** The provider reads history before its request, then 0, 1 and 2.5 seconds after it: the last is later than one second. */
const LOOKS = 4;
const BUILDING = /^building .* \(\d+ s\)$/u;
const TOKEN = "previewenv:index:getEnvironment";
const RUNNING_BUILD = { buildSeconds: 60 };

const deployed = ({ environmentId }: Stage) => branches(environmentId, { branches: { web: "feature/x" } });
const variable = ({ environmentId }: Stage, value: string) => ({
  one: { type: "EnvVar", inputs: { environmentId, name: "A", value, hidden: false } },
});

/** Resolves when the service is asked for the nth time from now. */
function asked({ sandbox }: Stage, label: string, times: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const match = (): boolean => {
      count += 1;
      if (count === times) resolve();
      return false;
    };
    sandbox.faults.add({ label, match });
  });
}

const proofs: Readonly<Record<DifferenceId, Readonly<Record<Side, readonly Proof[]>>>> = {
  import: {
    dynamic: [
      {
        title: "the process of dynamic providers fails for an id",
        fresh: true,
        async run({ engine, environmentId, requests }) {
          expect((await engine.import("vars", "EnvVarSet", environmentId)).errors).to.have.length(1);
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

  cancel: {
    dynamic: [
      {
        title: "Ctrl-C lets the step end",
        ...RUNNING_BUILD,
        async run(stage) {
          const { engine, log, clock } = stage;
          const running = engine.up(deployed(stage));
          await log.until(BUILDING);
          await engine.cancel();
          clock.advance(RUNNING_BUILD.buildSeconds * SECOND_MS);
          expect((await running).errors).to.deep.equal([]);
        },
      },
    ],
    native: [
      {
        title: "Ctrl-C ends the wait, nothing is asked any more, and the next up finishes without another build",
        ...RUNNING_BUILD,
        async run(stage) {
          const { engine, log, clock, requests } = stage;
          const running = engine.up(deployed(stage));
          await log.until(BUILDING);
          await engine.cancel();
          requests();
          const { errors } = await running;
          expect(errors.join("\n")).to.match(/cancelled/u);
          expect(requests()).to.deep.equal([]);
          expect(engine.kept("deployed").initErrors).to.deep.equal(errors);
          clock.advance(RUNNING_BUILD.buildSeconds * SECOND_MS);
          expect((await engine.up(deployed(stage))).errors).to.deep.equal([]);
          expect(requests().filter((label) => !label.startsWith("GET"))).to.deep.equal([]);
        },
      },
    ],
  },

  "custom-timeouts": {
    dynamic: [
      {
        title: "a wait goes on after the second that is allowed",
        ...RUNNING_BUILD,
        async run(stage) {
          const { engine, clock } = stage;
          const looked = asked(stage, "GET /build-history", LOOKS);
          const running = engine.up({ deployed: { ...deployed(stage).deployed, customTimeouts: { create: 1 } } });
          await looked;
          clock.advance(RUNNING_BUILD.buildSeconds * SECOND_MS);
          expect((await running).errors).to.deep.equal([]);
        },
      },
    ],
    native: [
      {
        title: "a wait ends after the second that is allowed, and the error names the option",
        ...RUNNING_BUILD,
        async run(stage) {
          const { engine } = stage;
          const program = { deployed: { ...deployed(stage).deployed, customTimeouts: { create: 1 } } };
          expect((await engine.up(program)).errors.join("\n")).to.match(/after 1 s \(.*customTimeouts/u);
          expect(engine.kept("deployed").initErrors).to.have.length(1);
        },
      },
    ],
  },

  "preview-outputs": {
    dynamic: [
      {
        title: "the preview of an update knows inputs only",
        async run(stage) {
          const { engine } = stage;
          await engine.up(variable(stage, "1"));
          const { foreseen } = await engine.preview(variable(stage, "2"));
          expect(foreseen["one"]).to.deep.include({ value: "2" }).and.not.to.have.any.keys("variableId", "createdAt");
        },
      },
    ],
    native: [
      {
        title: "the preview of an update knows what the update does not change",
        async run(stage) {
          const { engine } = stage;
          const { one } = variable(stage, "1");
          await engine.up({ one });
          const { variableId, createdAt } = engine.kept("one").outputs;
          expect(variableId).to.be.a("string");
          const other = { one: { ...one, inputs: { ...one.inputs, onConflict: "overwrite" } } };
          const { foreseen } = await engine.preview(other);
          expect(foreseen["one"]).to.deep.include({ value: "1", variableId, createdAt });
          await engine.up(other);
          expect(engine.kept("one").outputs).to.deep.include({ value: "1", variableId, createdAt });
        },
      },
    ],
  },

  "changed-names": { dynamic: [changedNames([])], native: [changedNames(["variables.__INTERNAL"])] },
  unfinished: { dynamic: [unfinished(false)], native: [unfinished(true)] },
  progress: { dynamic: [progress(/^$/u)], native: [progress(/::previewenv:index:EnvironmentBranches::deployed$/u)] },

  "declared-twice": {
    dynamic: [
      {
        title: "the provider cannot tell two resources from one",
        async run({ engine, environmentId }) {
          const [one, two] = [
            set(environmentId, { variables: { A: "1" } }),
            set(environmentId, { variables: { A: "1" } }),
          ];
          expect((await engine.up({ one: one.vars, two: two.vars })).errors).to.deep.equal([]);
        },
      },
    ],
    native: [
      {
        title: "the second resource is refused, and both are named",
        async run({ engine, environmentId, requests }) {
          const [one, two] = [
            set(environmentId, { variables: { A: "1" } }),
            set(environmentId, { variables: { A: "1" } }),
          ];
          const { errors } = await engine.preview({ one: one.vars, two: two.vars });
          expect(errors).to.have.length(1);
          expect(errors[0]).to.match(/^EnvVarSet "one" and EnvVarSet "two" both declare the variable "A"/u);
          expect(requests()).to.deep.equal([]);
        },
      },
    ],
  },

  "visible-secret": {
    dynamic: [
      {
        title: "the provider says nothing",
        async run({ engine, environmentId, log }) {
          const { vars } = set(environmentId, { variables: { TOKEN: "shown-to-all" } });
          await engine.up({ vars: { ...vars, secretPaths: ["variables.TOKEN"] } });
          expect(log.lines.filter(({ severity }) => severity === "warning")).to.deep.equal([]);
        },
      },
    ],
    native: [
      {
        title: "the plugin warns on the row of the resource, without the value, and state keeps the secret",
        async run({ engine, environmentId, log }) {
          const { vars } = set(environmentId, { variables: { OTHER: "1", TOKEN: "shown-to-all" } });
          await engine.preview({ vars: { ...vars, secretPaths: ["variables.TOKEN"] } });
          const line = await log.until(/is a Pulumi secret/u);
          expect(line.text)
            .to.match(/^EnvVarSet "vars": variables\.TOKEN is /u)
            .and.not.to.contain("shown-to-all");
          expect(line).to.deep.include({ severity: "warning", passing: false });
          expect(line.urn).to.match(/::vars$/u);
          await engine.up({ vars: { ...vars, secretPaths: ["variables.TOKEN"] } });
        },
      },
    ],
  },

  "plain-token": { dynamic: [plainToken([])], native: [plainToken(["apiToken"])] },
  "wrong-settings": { dynamic: [wrongSettings(2)], native: [wrongSettings(1)] },

  functions: {
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

  "error-codes": { dynamic: [errorCode(status.UNKNOWN)], native: [errorCode(status.PERMISSION_DENIED)] },

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
          expect((await engine.destroy()).errors).to.deep.equal([]);
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

function changedNames(paths: readonly string[]): Proof {
  return {
    title: `a name that begins with two underscores is an update of ${JSON.stringify(paths)}`,
    async run({ engine, environmentId }) {
      await engine.up(set(environmentId, { variables: { __INTERNAL: "1" } }));
      const run = await engine.preview(set(environmentId, { variables: { __INTERNAL: "2" } }));
      expect(run).to.deep.include({ operations: { vars: "update" }, paths: { vars: paths } });
    },
  };
}

function unfinished(isTold: boolean): Proof {
  return {
    title: `the next up sends what is missing, and the refresh before it ${isTold ? "warns" : "says nothing"}`,
    async run({ engine, environmentId, sandbox, puts }) {
      const program = set(environmentId, { variables: { A: "1", B: "2" } });
      sandbox.faults.add({ refuse: { B: "no room" } });
      await engine.up(program);
      expect(puts()).to.deep.equal([["A", "B"]]);
      expect((await engine.refresh()).errors).to.deep.equal([]);
      expect(engine.kept("vars").initErrors.join("\n")).to.match(isTold ? /\bB\b/u : /^$/u);
      expect((await engine.up(program)).errors).to.deep.equal([]);
      expect(puts()).to.deep.equal([["B"]]);
      await engine.refresh();
      expect(engine.kept("vars").initErrors).to.deep.equal([]);
    },
  };
}

function progress(row: RegExp): Proof {
  return {
    title: `progress is shown on the row ${String(row)}`,
    ...RUNNING_BUILD,
    async run(stage) {
      const { engine, log, clock } = stage;
      const running = engine.up(deployed(stage));
      const { urn } = await log.until(BUILDING);
      clock.advance(RUNNING_BUILD.buildSeconds * SECOND_MS);
      expect((await running).errors).to.deep.equal([]);
      expect(urn).to.match(row);
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

function wrongSettings(errors: number): Proof {
  return {
    title: `a wrong setting and two resources make ${errors === 1 ? "one error" : "two errors"}, and no request`,
    settings: { batchSize: "none" },
    async run({ engine, environmentId, requests }) {
      const other = branches(environmentId, { branches: { web: "main" } });
      const run = await engine.preview({ ...set(environmentId), ...other });
      expect(run.errors).to.have.length(errors);
      for (const text of run.errors) expect(text).to.contain("previewenv:batchSize");
      expect(requests()).to.deep.equal([]);
    },
  };
}

function errorCode(code: status): Proof {
  return {
    title: `a 403 of the service has the code ${status[code]}`,
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ label: "GET /env-vars", status: 403 });
      const run = await engine.up(set(environmentId, { variables: { A: "1" } }));
      expect(run.errors.join("\n")).to.contain("403");
      expect(run.codes).to.deep.equal([code]);
    },
  };
}

describe("differences between the hosts", () => {
  for (const { id, dynamic, native } of differences)
    it(`${id}: both sides are proven`, () => {
      expect(Object.keys(proofs)).to.include(id);
      expect(proofs[id].dynamic).not.to.deep.equal([]);
      expect(proofs[id].native).not.to.deep.equal([]);
      expect(dynamic).not.to.equal(native);
    });

  it("no proof is about something else", () => {
    expect(Object.keys(proofs).toSorted()).to.deep.equal(differences.map(({ id }) => id).toSorted());
  });
});

for (const { id: row, topic } of differences)
  contract(
    `difference "${topic}"`,
    (["dynamic", "native"] as const).flatMap((side) =>
      proofs[row][side].map((proof): Scenario => ({ ...proof, difference: { row, side } })),
    ),
  );
