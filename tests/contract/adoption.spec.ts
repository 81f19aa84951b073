import { expect } from "chai";
import { adopt } from "../../provider/src/adopt/adopt";
import { EXISTING } from "../../provider/src/env-vars/placeholder";
import { madeByHand } from "../adopt/support/by-hand";
import { runTypeScript } from "../adopt/support/evaluate";
import { clientAt } from "../client/support/samples";
import { branches, contract, type Scenario, type Stage } from "../support/stage";

const isWrite = (label: string): boolean => !label.startsWith("GET");
const SAME = { vars: "same", branches: "same" };

/** What `pulumi-previewenv adopt` writes for the environment, as a program of the stage's engine. */
async function adopted({ sandbox, clock, environmentId }: Stage) {
  await using client = clientAt(sandbox.url, { apiToken: sandbox.token, clock });
  const ignore = (): undefined => undefined;
  const log = { info: ignore, warn: ignore, status: ignore };
  return runTypeScript(await adopt({ client, clock, log }, { id: environmentId }, "typescript")).resources;
}

const scenarios: readonly Scenario[] = [
  {
    title:
      "`up` of the program that was written for 60 variables sends no write and causes no build; nothing differs then",
    environment: { variables: madeByHand },
    async run(stage) {
      const { engine, requests, world, environmentId } = stage;
      const before = [world.variables(environmentId), world.builds(environmentId)];
      const program = await adopted(stage);
      requests();
      expect(await engine.up(program)).to.deep.include({ operations: { vars: "create", branches: "create" } });
      expect(requests().filter(isWrite)).to.deep.equal([]);
      expect((await engine.refresh()).paths).to.deep.equal({ vars: [], branches: [] });
      expect((await engine.up(program)).operations).to.deep.equal(SAME);
      expect(requests().filter(isWrite)).to.deep.equal([]);
      expect([world.variables(environmentId), world.builds(environmentId)]).to.deep.equal(before);
    },
  },
  {
    title:
      "one `existing()` that becomes a value is one PUT of one name; destroy deletes values and leaves what is the service's",
    environment: { variables: madeByHand },
    async run(stage) {
      const { engine, puts, requests, values } = stage;
      const { vars, branches: deployed } = await adopted(stage);
      if (vars === undefined || deployed === undefined) throw new Error("it declares less than there is");
      await engine.up({ vars, branches: deployed });
      const [name = "", ...others] = Object.keys(vars.inputs.secrets ?? {});
      const secrets = { ...vars.inputs.secrets, [name]: "taken over" };
      requests();
      const changed = { vars: { ...vars, inputs: { ...vars.inputs, secrets } }, branches: deployed };
      await engine.up(changed);
      expect(puts()).to.deep.equal([[name]]);
      expect(requests().filter(isWrite)).to.deep.equal(["PUT /env-vars"]);
      await engine.destroy();
      expect(Object.keys(values()).toSorted()).to.deep.equal(others.toSorted());
      for (const value of Object.values(values()))
        expect(value)
          .to.match(/ hidden-0123456789$/u)
          .and.not.equal(EXISTING);
    },
  },
  {
    title: "`up` waits for a build that is running, and starts none",
    needsTime: true,
    buildSeconds: 60,
    environment: { variables: madeByHand },
    async run(stage) {
      const { engine, requests, world, environmentId } = stage;
      world.queueBuild(environmentId);
      const running = world.builds(environmentId).find(({ outcome }) => outcome === "inFlight")?.id;
      const program = await adopted(stage);
      requests();
      await engine.up(program);
      expect(requests().filter(isWrite)).to.deep.equal([]);
      const builds = world.builds(environmentId);
      expect(builds).to.have.length(2);
      const { build } = engine.kept("branches").outputs;
      expect(builds.find(({ id }) => id === running)?.outcome).to.equal("succeeded");
      expect(build).to.deep.include({ id: running, successfullyBuilt: true });
    },
  },
  ...["stopped", "retired"].map((flag): Scenario => ({
    title: `a ${flag} environment is adopted, too`,
    environment: { variables: madeByHand, [flag]: true },
    async run(stage) {
      const program = await adopted(stage);
      stage.requests();
      await stage.engine.up(program);
      expect(stage.requests().filter(isWrite)).to.deep.equal([]);
    },
  })),
  {
    title: "`rebuildOn`, added later, causes one rebuild",
    environment: { variables: madeByHand },
    async run(stage) {
      const { engine, requests } = stage;
      const program = await adopted(stage);
      await engine.up(program);
      requests();
      const { deployed } = branches(stage.environmentId, { ...program["branches"]?.inputs, rebuildOn: ["revision"] });
      await engine.up({ ...program, branches: deployed });
      expect(requests().filter(isWrite)).to.deep.equal(["POST /rebuild"]);
    },
  },
];

contract("adoption", scenarios);
