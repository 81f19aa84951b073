import { expect } from "chai";
import { explain } from "../../provider/src/drift/explain";

describe("drift: errors", () => {
  it("are the CLI's own words, once", () => {
    const message =
      "code: -2\n stdout: \n stderr: Command failed\nerror: no stack named 'x' found\nerror: no stack named 'x' found\n";
    expect(explain(new Error(message))).to.equal("no stack named 'x' found");
  });

  it("say what to do without a CLI", () => {
    const message = "code: -2\n stdout: \n stderr: Command failed with ENOENT: pulumi version\nspawn pulumi ENOENT";
    expect(explain(new Error(message))).to.equal("Could not start the Pulumi CLI: put `pulumi` on PATH.");
  });

  it("of another kind are left as they are", () => {
    expect(explain(new Error("disk full\n"))).to.equal("disk full");
  });
});
