import { expect } from "chai";
import { VariableChanges } from "../../provider/src/environment/variable-changes";

const ID = "4e1b6b5e-8c1d-4f0e-9d55-0f5d7a3c2b10";
const OTHER = "0c8f3f0e-4b1e-4a57-8a53-7f3f6f1f0a11";

describe("variable changes", () => {
  it("are known of the environment, however its id is written, and of no other", () => {
    const changes = new VariableChanges();
    expect(changes.has(ID)).to.equal(false);
    changes.note(ID.toUpperCase());
    expect(changes.has(ID)).to.equal(true);
    expect(changes.has(OTHER)).to.equal(false);
  });
});
