import { expect } from "chai";
import { defaultsOf, withoutDefaults } from "../../provider/src/framework/fields";
import { visibleInputOf } from "../../provider/src/framework/visible-inputs";
import { findResource, resources } from "../../provider/src/resources";

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
