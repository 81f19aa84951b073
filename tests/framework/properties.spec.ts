import { expect } from "chai";
import { fitsIntoError } from "../../provider/src/framework/errors";
import { fingerprint, hasUnknown, UNKNOWN } from "../../provider/src/framework/properties";

describe("framework/properties", () => {
  it("the fingerprint of inputs does not depend on the order of their keys", () => {
    const inputs = { environmentId: "one", secrets: { A: "1", B: "2" }, scopes: { A: ["web", "worker"] } };
    const same = { scopes: { A: ["web", "worker"] }, secrets: { B: "2", A: "1" }, environmentId: "one" };
    expect(fingerprint(inputs)).to.equal(fingerprint(same));
    const others = [
      { ...inputs, secrets: { A: "2", B: "1" } },
      { ...inputs, secrets: { A: "1" } },
      { ...inputs, scopes: { A: ["worker", "web"] } },
      { ...inputs, A: "1" },
      { environmentId: "one", variables: inputs.secrets, scopes: inputs.scopes },
      { ...inputs, list: [{ A: "1" }] },
    ];
    expect(new Set([inputs, ...others].map(fingerprint)).size).to.equal(1 + others.length);
    expect(fingerprint({ list: [{ A: "1", B: "2" }] })).to.equal(fingerprint({ list: [{ B: "2", A: "1" }] }));
    expect(fingerprint({ list: [{ A: "1" }] })).not.to.equal(fingerprint({ list: [{ B: "1" }] }));
  });
});

describe("hasUnknown", () => {
  it("looks into lists and maps", () => {
    expect([{ a: [{ b: UNKNOWN }] }, [UNKNOWN], UNKNOWN].map(hasUnknown)).to.deep.equal([true, true, true]);
    expect([{ a: [{ b: "" }] }, [], null, undefined, 0].map(hasUnknown)).to.deep.equal(Array(5).fill(false));
  });
});

describe("framework/errors: the size of an error", () => {
  it("is 8 MiB at most, of all properties together, in bytes", () => {
    const half = { a: "x".repeat(4_194_280) };
    expect(fitsIntoError(half, half)).to.equal(true);
    expect(fitsIntoError(half, { a: `${half.a}${"ü".repeat(30)}` })).to.equal(false);
    expect(fitsIntoError()).to.equal(true);
  });
});
