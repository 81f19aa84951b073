import { expect } from "chai";
import { type DifferenceId, differences } from "../../provider/src/hosts/differences";
import { contract, type Scenario } from "../support/stage";
import { answers } from "./support/difference-answers";
import { previews } from "./support/difference-previews";
import type { Proofs } from "./support/difference-proof";
import { state } from "./support/difference-state";
import { waiting } from "./support/difference-waiting";

const proofs: Proofs<DifferenceId> = { ...waiting, ...previews, ...state, ...answers };

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
