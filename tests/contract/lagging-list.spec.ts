import { expect } from "chai";
import { contract, type Scenario, set, type Stage } from "../support/stage";

/** A list that lags behind the writes, as that of a read replica does: it has no variable yet. */
function lag({ sandbox }: Stage): void {
  sandbox.faults.add({ label: "GET /env-vars", status: 200, body: { data: [] }, times: Infinity });
}

const one = ({ environmentId }: Stage) => ({
  one: { type: "EnvVar", inputs: { environmentId, name: "B", value: "secret-b-1234" } },
});
const both = ({ environmentId }: Stage) =>
  set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b-1234" } });

/** Each way in which B is deleted. */
const ways = [
  ["an update of a set", both, ({ engine, environmentId }) => engine.up(set(environmentId, { variables: { A: "1" } }))],
  ["a delete of a set", both, ({ engine }) => engine.destroy()],
  ["a delete of an EnvVar", one, ({ engine }) => engine.destroy()],
] as const satisfies readonly (readonly [string, (stage: Stage) => object, (stage: Stage) => Promise<unknown>])[];

const deletes: readonly Scenario[] = ways.flatMap(([way, program, change]): readonly Scenario[] => [
  {
    title: `${way}: what this stack wrote is deleted, although the list lacks it`,
    onHosts: true,
    async run(stage) {
      await stage.engine.up(program(stage));
      lag(stage);
      await change(stage);
      expect(stage.values()).not.to.have.property("B");
    },
  },
  ...(["the service", "a gateway"] as const).map((who): Scenario => ({
    title: `${way}: what the list lacks, and ${who} answers with 404, is gone: nothing says that it was deleted`,
    async run(stage) {
      const { engine, environmentId, sandbox, world, log, requests } = stage;
      await engine.up(program(stage));
      for (const name of ["A", "B"]) world.deleteVariable(environmentId, name);
      if (who === "a gateway") sandbox.faults.add({ gateway: "page", label: "DELETE /env-vars", times: Infinity });
      log.lines.length = 0;
      requests();
      await change(stage);
      expect(requests().filter((label) => label === "GET /env-vars")).to.have.length(1);
      expect(log.lines.map(({ text }) => text).join("\n")).not.to.match(/deleted/u);
      expect(JSON.stringify([...engine.state])).not.to.contain('"B"');
    },
  })),
]);

const others: readonly Scenario[] = [
  {
    title:
      "a name that the list has in other letters may be the same for the service: it stays, and a warning names it",
    async run(stage) {
      const { engine, environmentId, log, requests, values, world } = stage;
      await engine.up(set(environmentId, { variables: { log_level: "1" } }));
      world.deleteVariable(environmentId, "log_level");
      world.setVariable(environmentId, { name: "LOG_LEVEL", value: "theirs", hidden: false });
      requests();
      await engine.destroy();
      expect(requests()).to.deep.equal(["GET /env-vars"]);
      expect(values()).to.deep.equal({ LOG_LEVEL: "theirs" });
      expect(log.lines.map(({ text }) => text).join()).to.contain(
        "LOG_LEVEL not deleted. This stack may have written it",
      );
    },
  },
  {
    title: "`prune` deletes only what is listed",
    environment: { variables: [{ name: "OTHER", value: "1", hidden: false }] },
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      const program = set(environmentId, { variables: { A: "1" }, prune: true });
      await engine.up(program);
      await engine.refresh();
      lag(stage);
      requests();
      await engine.up(program);
      expect(requests()).to.deep.equal(["GET /env-vars"]);
    },
  },
];

contract("a list that lags behind writes", [...deletes, ...others]);
