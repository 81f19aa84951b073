import { expect } from "chai";
import { fitsIntoError } from "../../provider/src/framework/errors";
import { fingerprint, hasUnknown, UNKNOWN } from "../../provider/src/framework/properties";
import { defaultsOf, withoutDefaults } from "../../provider/src/framework/fields";
import { visibleInputOf } from "../../provider/src/framework/visible-inputs";
import { findResource, resources } from "../../provider/src/resources";

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

describe("facts of a declaration", () => {
  it("name inputs that exist", () => {
    for (const { type, inputs, exclusive, visibleInput } of resources) {
      const names = exclusive?.kind === "variables" ? [...exclusive.names, exclusive.deletesOthers] : [];
      if (exclusive?.kind === "branches") names.push(exclusive.starts.input);
      if (exclusive?.kind === "state") names.push(exclusive.stops.input);
      const named = [...names, visibleInput?.name].filter((name) => name !== undefined);
      expect(Object.keys(inputs.shape), type).to.include.members(named);
    }
  });

  it("an input that is secret is visible only when the program says so", () => {
    const facts = {
      secrets: ["text"],
      secretUnlessFalse: "masked",
      repeated: [],
      internals: [],
      visibleInput: { name: "text", advice: "leave out `masked`" },
    };
    expect(visibleInputOf(facts, { text: "1" })).to.equal(undefined);
    expect(visibleInputOf(facts, { text: "1", masked: true })).to.equal(undefined);
    expect(visibleInputOf(facts, { text: "1", masked: false })).to.equal(facts.visibleInput);
    expect(visibleInputOf({ ...facts, secrets: [] }, {})).to.equal(facts.visibleInput);
  });
});

describe("withoutDefaults", () => {
  it("leaves out what check fills in, and nothing else", () => {
    const set = findResource("EnvVarSet");
    const defaults = defaultsOf(set.inputs);
    const declared = { prune: true, secrets: { A: "1" }, keep: ["X"] };
    const whole = { ...declared, onConflict: "fail", variables: {}, services: [] };
    expect(withoutDefaults(whole, defaults)).to.deep.equal(declared);
  });
});
