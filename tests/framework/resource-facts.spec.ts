import { expect } from "chai";
import { DuplicateDeclarations } from "../../provider/src/framework/duplicate-declarations";
import type { Exclusive } from "../../provider/src/framework/resource-facts";
import { visibleInputOf } from "../../provider/src/framework/visible-inputs";
import { resources } from "../../provider/src/resources";

const ID = "8a1f0b9e-6c1d-4d5e-9f00-aabbccddeeff";

/** A type that no file of the framework names. */
const LIST: Exclusive = { kind: "variables", names: ["entries", "extra"], deletesOthers: "alone" };

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

  it("refuse what two resources of whatever type declare", () => {
    const declarations = new DuplicateDeclarations();
    const conflicts: string[] = [];
    const add = (label: string, inputs: Readonly<Record<string, unknown>>): void =>
      declarations.add(
        { label, identity: label },
        LIST,
        (input, act) => act({ environmentId: ID, ...inputs }[input]),
        (text) => void conflicts.push(text),
      );
    add("Made-up one", { entries: { A: "1" }, extra: "B" });
    add("Made-up two", { entries: { C: "1" } });
    expect(conflicts).to.deep.equal([]);
    add("Made-up three", { entries: { B: "1" } });
    add("Made-up four", { alone: true });
    expect(conflicts).to.have.length(2);
    expect(conflicts[0]).to.contain('Made-up one and Made-up three both declare the variable "B"');
    expect(conflicts[1]).to.contain("Made-up four has `prune: true`");
  });

  it("an input that is secret is visible only when the program says so", () => {
    const facts = {
      secrets: ["text"],
      secretUnlessFalse: "masked",
      internals: [],
      visibleInput: { name: "text", advice: "leave out `masked`" },
    };
    expect(visibleInputOf(facts, { text: "1" })).to.equal(undefined);
    expect(visibleInputOf(facts, { text: "1", masked: true })).to.equal(undefined);
    expect(visibleInputOf(facts, { text: "1", masked: false })).to.equal(facts.visibleInput);
    expect(visibleInputOf({ ...facts, secrets: [] }, {})).to.equal(facts.visibleInput);
  });
});
