import * as fc from "fast-check";
import { expect } from "chai";
import { UnreadableStateError } from "../../provider/src/framework/properties";
import { storedVariables, toState } from "../../provider/src/env-vars/env-var-set-state";
import { valueKindOf, type StoredVariable } from "../../provider/src/env-vars/variable";
import { isPlaceholder, placeholder } from "../../provider/src/env-vars/placeholder";

const name = fc.oneof(
  fc.constantFrom("constructor", "toString", "hasOwnProperty", "a.b", "__x", "valueOf", "ключ", "0", "10", "2"),
  fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => text !== "__proto__"),
);
const variable = fc.record({
  name,
  value: fc.string({ unit: "grapheme" }),
  hidden: fc.boolean(),
  updatedAt: fc.option(fc.constantFrom("", "2026-01-01T00:00:00"), { nil: undefined }),
});
const scopes = fc.constantFrom([], ["web"], ["api", "web"]);
const variables = fc.uniqueArray(variable, { selector: (one) => one.name, maxLength: 12 });

function stored(all: readonly StoredVariable[], services: readonly string[]) {
  const inputs = { environmentId: "e", variables: {}, secrets: {}, services };
  // State crosses a wire and a file before it is read again.
  return JSON.parse(JSON.stringify(toState(inputs, all, "r1")));
}

describe("state of a set", () => {
  it("gives back what was put in, for every kind of name", () => {
    fc.assert(
      fc.property(variables, scopes, fc.array(scopes, { minLength: 12, maxLength: 12 }), (list, services, others) => {
        // Of what a refresh merely saw, nobody declares a scope.
        const all = list.map(({ updatedAt, ...one }, at): StoredVariable =>
          updatedAt === undefined
            ? { ...one, kind: "unmanaged", services, updatedAt: "" }
            : { ...one, kind: valueKindOf(one.value), services: others[at] ?? [], updatedAt },
        );
        const read = storedVariables(stored(all, services));
        expect(read.size).to.equal(all.length);
        for (const one of all) expect(read.get(one.name)).to.deep.equal(one);
      }),
    );
  });

  it("keeps maps that are declared, empty or not, and adds none", () => {
    const empty = toState({ environmentId: "e", variables: {} }, [], "r1");
    expect(empty).to.deep.equal({ environmentId: "e", variables: {}, revision: "r1", observed: { v: 1, names: {} } });
  });

  for (const state of [
    {},
    { variables: { A: "1" } },
    { variables: null, secrets: null, services: null, observed: null },
    { revision: "r", observed: { v: 1, names: {} } },
  ])
    it(`of any age is read: ${JSON.stringify(state)}`, () => {
      expect(() => storedVariables(state)).not.to.throw();
    });

  for (const state of [
    { observed: 5 },
    { observed: { v: 2, names: { t: "A" } } },
    { variables: "text", secrets: [], services: 7 },
    { variables: { A: 1 } },
    { revision: "r", variables: { A: "1" } },
    { revision: "r", observed: { v: 1, at: { A: "t" } } },
  ])
    it(`of a later version is an error, not empty: ${JSON.stringify(state)}`, () => {
      expect(() => storedVariables(state)).to.throw(UnreadableStateError);
    });
});

describe("placeholder", () => {
  it("has the form that state files hold", () => {
    expect(placeholder("2026-01-01T00:00:00", "ab***yz")).to.equal("previewenv:unknown:v1:2026-01-01T00:00:00:ab***yz");
  });

  it("is known again, whatever mask or time it holds", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (time, note) => isPlaceholder(placeholder(time, note))));
  });

  it("is told from values that merely resemble it", () => {
    expect(
      ["", "previewenv:unknown", "previewenv:unknown:v2:", " previewenv:unknown:v1:"].some(isPlaceholder),
    ).to.equal(false);
  });
});
