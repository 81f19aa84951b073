import { expect } from "chai";
import { existing } from "../../sdk/nodejs/runtime/existing";
import type { FaultOptions } from "../../provider/src/sandbox";
import { failing } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";

const LIVE = { variables: [{ name: "REGION", value: "value-of-others", hidden: false }] };
/** The variable exists and is visible: it has to be hidden, with the value that it has. */
const HIDDEN = { variables: { A: "1" }, secrets: { REGION: existing() } };

const lost: readonly { readonly what: string; readonly fault: FaultOptions; readonly next: readonly string[] }[] = [
  { what: "is lost", fault: { dropAfter: true }, next: ["GET"] },
  { what: "cannot be read", fault: { status: 200, body: "<html>", acts: true }, next: ["GET"] },
  { what: "is a 503, and it was not stored", fault: { status: 503 }, next: ["GET", "PUT"] },
];

contract(
  "existing values whose write gets no answer",
  lost.map(({ what, fault, next }): Scenario => ({
    title: `the answer ${what}: it is not sent again, and the next up reads again`,
    environment: LIVE,
    needsTime: true,
    async run({ engine, environmentId, sandbox, puts, requests, values, world }) {
      sandbox.faults.add({
        label: "PUT /env-vars",
        match: ({ names }) => names.includes("REGION"),
        ...fault,
      });
      const program = set(environmentId, HIDDEN);
      expect((await failing(engine.up(program))).errors.join("\n")).to.match(/1 of 2 variables .*REGION/su);
      expect(puts()).to.deep.equal([["A"], ["REGION"]]);
      requests();
      await engine.up(program);
      expect(requests()).to.deep.equal(next.map((method) => `${method} /env-vars`));
      expect(values()).to.deep.equal({ A: "1", REGION: "value-of-others" });
      expect(world.variable(environmentId, "REGION")?.hidden).to.equal(true);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
      await engine.destroy();
      expect(values()).to.deep.equal({ REGION: "value-of-others" });
    },
  })),
);
