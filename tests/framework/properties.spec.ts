import { expect } from "chai";
import { fingerprint } from "../../provider/src/framework/properties";

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
