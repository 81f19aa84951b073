import { expect } from "chai";
import { existing } from "../../sdk/nodejs/runtime/existing";
import type { FaultOptions } from "../../provider/src/sandbox";
import { contract, type Scenario, set } from "../support/stage";

const LIVE = { variables: [{ name: "REGION", value: "value-of-others", hidden: false }] };
/** The variable exists and is visible: it has to be hidden, with the value that it has. */
const HIDDEN = { variables: { A: "1" }, secrets: { REGION: existing() } };

const lost: readonly { readonly what: string; readonly fault: FaultOptions; readonly requests: readonly string[] }[] = [
  {
    what: "is lost: it is looked at, and not sent again",
    fault: { label: "PUT /env-vars", dropAfter: true },
    requests: ["PUT", "GET"],
  },
  {
    what: "cannot be read: it is not sent again",
    fault: { label: "PUT /env-vars", status: 200, body: "<html>", acts: true },
    requests: ["PUT"],
  },
  {
    what: "is a 503, and it was not stored: it is looked at, and sent again",
    fault: { label: "PUT /env-vars", status: 503 },
    requests: ["PUT", "GET", "PUT"],
  },
];

contract(
  "existing values whose write gets no answer",
  lost.map(({ what, fault, requests: expected }): Scenario => ({
    title: `the answer ${what}`,
    environment: LIVE,
    needsTime: true,
    async run({ engine, environmentId, sandbox, requests, values, world }) {
      sandbox.faults.add(fault);
      const program = set(environmentId, HIDDEN);
      const { errors } = await engine.up(program);
      expect(requests()).to.deep.equal(["GET", ...expected].map((method) => `${method} /env-vars`));
      if (errors.length > 0) expect((await engine.up(program)).errors).to.deep.equal([]);
      expect(values()).to.deep.equal({ A: "1", REGION: "value-of-others" });
      expect(world.variable(environmentId, "REGION")?.hidden).to.equal(true);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  })),
);
