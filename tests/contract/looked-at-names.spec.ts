import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { Declared } from "../support/engine-steps";
import { quiet } from "../support/stack";
import { contract, type Scenario } from "../support/stage";

const theirs = { name: "A", value: "theirs", hidden: false };

/** A `get` of the variable A, by its id or by the name in the id of a set. */
const looks = (environmentId: string, dependsOn: readonly string[] = []): readonly Declared[] => [
  { type: "EnvVar", inputs: {}, lookUp: `${environmentId}/A`, dependsOn },
  { type: "EnvVarSet", inputs: {}, lookUp: `${environmentId}?names=A`, dependsOn },
];

const setOf = (environmentId: string, inputs: Properties, dependsOn: readonly string[] = []): Declared => ({
  type: "EnvVarSet",
  inputs: { environmentId, ...inputs },
  dependsOn,
});

const pruning: readonly Scenario[] = [
  {
    title:
      "a pruning set leaves what a `get` before it names: no preview and no up has a difference, until the `get` goes",
    onHosts: true,
    environment: { variables: [theirs] },
    async run({ engine, environmentId, values, requests, log }) {
      for (const info of looks(environmentId)) {
        const program = { info, vars: setOf(environmentId, { prune: true, variables: { B: "2" } }, ["info"]) };
        await engine.up(program);
        await engine.refresh();
        await quiet(engine.preview(program));
        for (const _again of [1, 2]) await quiet(engine.up(program, { refresh: true }));
      }
      expect(requests()).not.to.include("DELETE /env-vars");
      expect(log.lines.filter(({ text }) => text.includes("not deleted"))).to.deep.equal([]);
      await engine.up({ vars: setOf(environmentId, { prune: true, variables: { B: "2" } }) }, { refresh: true });
      expect(values()).to.deep.equal({ B: "2" });
    },
  },
];

contract("a pruning set beside a `get`", pruning);
