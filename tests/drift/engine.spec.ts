import { expect } from "chai";
import { explain } from "../../provider/src/drift/engine";

describe("drift: errors", () => {
  it("are the CLI's own words, once", () => {
    const text = "warning: old\nerror: no stack named 'x' found\nerror: no stack named 'x' found\n";
    expect(explain(text)).to.equal("no stack named 'x' found");
  });

  it("of another kind are left as they are", () => {
    expect(explain("panic: disk full\n")).to.equal("panic: disk full");
  });

  it("say that the CLI gave none, and what to run", () => {
    expect(explain("\n")).to.equal(
      "The Pulumi CLI failed without an error message. Run `pulumi preview` in the project's folder to see more.",
    );
  });
});
