import { expect } from "chai";
import { excess, loading, moments } from "../support/loading";

describe("what is loaded", function () {
  it("stays as little as it is, in a program and in each host", () => {
    const found = loading();
    expect(excess(found)).to.deep.equal([]);
    for (const moment of moments) expect(found[moment], moment).not.to.deep.equal([]);
    expect(found.dynamicCheck).to.deep.equal(["dist/dynamic/index.js"]);
  });
});
