import { expect } from "chai";
import { type Facts, rowFor, TABLE } from "../../provider/src/env-vars/step-table";

describe("TABLE", () => {
  it("has a row for each way in which state, program and list come together, and no row that nothing reaches", () => {
    const found = {
      value: ["missing", "overwritable", "same", "masked", "other"],
      existing: ["missing", "same", "unchangeable", "other"],
    } as const;
    const declared: readonly Facts[] = (["nothing", "same", "triggered", "deleted", "other"] as const).flatMap(
      (inState) => [
        { inState, inProgram: "placeholder", found: "unread" },
        ...(["value", "existing"] as const).flatMap((inProgram) =>
          (["unread", ...found[inProgram]] as const).map((fact) => ({ inState, inProgram, found: fact })),
        ),
      ],
    );
    const others: readonly Facts[] = (["other", "existing", "imported", "kept"] as const).flatMap((inState) =>
      (["unread", "inUse", "lookedUp", "claimed", "changed", "missing", "unlisted", "alike", "asStored"] as const).map(
        (fact) => ({
          inState,
          inProgram: "nothing",
          found: fact,
        }),
      ),
    );
    const reached = new Set([...declared, ...others].map(rowFor));
    expect([...reached]).to.have.members(TABLE);
  });
});
