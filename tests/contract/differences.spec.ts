import { expect } from "chai";
import { firstCells } from "../outside/fences";
import type { Difference } from "../support/host";
import { contract, type Scenario } from "../support/stage";
import { previews } from "./support/difference-previews";
import { answers, type Proofs, state } from "./support/difference-state";
import { waiting } from "./support/difference-waiting";

/** Only Pulumi's engine shows what the state of a provider holds: tests/engine/previews.spec.ts. */
const ON_THE_ENGINE = "A token that is set without `--secret`";
const proofs: Proofs<Exclude<Difference, typeof ON_THE_ENGINE>> = { ...waiting, ...previews, ...state, ...answers };
const SIDES = ["dynamic", "native"] as const;
const documented = firstCells("docs/hosts.md", "| | dynamic provider");
const rows = documented.filter((row): row is keyof typeof proofs => row in proofs);

describe("differences between the hosts", () => {
  it("are those of docs/hosts.md, and both sides of each are proven", () => {
    expect([...Object.keys(proofs), ON_THE_ENGINE]).to.have.members(documented);
    for (const row of rows)
      for (const side of SIDES) expect(proofs[row][side], `${row}, ${side}`).not.to.deep.equal([]);
  });
});

for (const row of rows)
  contract(
    `difference "${row}"`,
    SIDES.flatMap((side) =>
      proofs[row][side].map((proof): Scenario => ({ ...proof, difference: { row, side }, onHosts: true })),
    ),
  );
