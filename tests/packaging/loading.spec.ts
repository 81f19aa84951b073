import { expect } from "chai";
import { excess, loading, moments } from "../support/loading";

describe("what is loaded", function () {
  it("stays as little as it is, in a program and in each host", () => {
    const found = loading();
    expect(excess(found)).to.deep.equal([]);
    for (const moment of moments) expect(found[moment], moment).not.to.deep.equal([]);
    expect(found.dynamicCheck).to.deep.equal(["dist/dynamic/index.js"]);
  });

  it("would be found out", () => {
    const none = { program: [], firstResource: [], dynamicRequest: [], pluginPort: [] };
    expect(excess({ ...none, dynamicCheck: ["one.js", "two.js"] })).to.deep.equal([
      "dynamicCheck: 2 files instead of 1: one.js, two.js",
    ]);
  });
});
