import { expect } from "chai";
import { type DifferenceId, differences } from "../../tools/generate/reference/differences";
import { contract, type Scenario } from "../support/stage";
import { previews } from "./support/difference-previews";
import { answers, type Proofs, state } from "./support/difference-state";
import { waiting } from "./support/difference-waiting";

/** Only Pulumi's engine shows what the state of a provider holds: tests/engine/previews.spec.ts. */
const ON_THE_ENGINE = "plain-token";
const proofs: Proofs<Exclude<DifferenceId, typeof ON_THE_ENGINE>> = { ...waiting, ...previews, ...state, ...answers };
const SIDES = ["dynamic", "native"] as const;
const ids = Object.keys(differences).filter((id): id is keyof typeof proofs => id in proofs);

describe("differences between the hosts", () => {
  it("are those of the reference, and both sides of each are proven", () => {
    expect([...ids, ON_THE_ENGINE]).to.have.members(Object.keys(differences));
    for (const id of ids) for (const side of SIDES) expect(proofs[id][side], `${id}, ${side}`).not.to.deep.equal([]);
  });
});

for (const row of ids)
  contract(
    `difference "${differences[row].topic}"`,
    SIDES.flatMap((side) =>
      proofs[row][side].map((proof): Scenario => ({ ...proof, difference: { row, side }, onHosts: true })),
    ),
  );
