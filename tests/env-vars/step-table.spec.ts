import { expect } from "chai";
import { type Facts, rowFor, TABLE } from "../../provider/src/env-vars/step-table";

describe("TABLE", () => {
  it("has a row for each way in which state, program and list come together, and no row that nothing reaches", () => {
    const found = {
      value: ["missing", "overwritable", "same", "masked", "other"],
      existing: ["missing", "same", "unchangeable", "other"],
    } as const;
    const declared: readonly Facts[] = (["nothing", "same", "triggered", "deleted", "other"] as const).flatMap(
      (stored) => [
        { stored, declared: "placeholder", found: "unread" },
        ...(["value", "existing"] as const).flatMap((kind) =>
          (["unread", ...found[kind]] as const).map((fact) => ({ stored, declared: kind, found: fact })),
        ),
      ],
    );
    const others: readonly Facts[] = (["other", "existing", "imported", "kept"] as const).flatMap((stored) =>
      (["unread", "inUse", "lookedUp", "claimed", "changed", "missing", "unlisted", "alike", "other"] as const).map(
        (fact) => ({
          stored,
          declared: "nothing",
          found: fact,
        }),
      ),
    );
    const reached = new Set([...declared, ...others].map(rowFor));
    expect([...reached]).to.have.members(TABLE);
  });
});
