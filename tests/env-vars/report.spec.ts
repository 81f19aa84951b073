import { expect } from "chai";
import { nameList } from "../../provider/src/client/error-text";
import { failureText, setStateForError, variableStateForError } from "../../provider/src/env-vars/report";
import type { Properties } from "../../provider/src/framework/properties";

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `N${String(index).padStart(4, "0")}`);

describe("env-vars/report", () => {
  it("has a line for each reason, with the names it is about", () => {
    const failed = new Map([
      ["B", "no room"],
      ["A", "no room"],
      ["C", "reserved"],
    ]);
    expect(failureText("3 failed.", failed)).to.equal("3 failed.\n  A, B: no room\n  C: reserved");
  });

  it("lists 100 names of a reason, and counts the others", () => {
    const [, line = ""] = failureText("", new Map(names(5_000).map((name) => [name, "no room"]))).split("\n");
    expect(line).to.match(/^ {2}N0000, N0001, .*, N0099 and 4900 more: no room$/u);
  });

  it("shows 20 reasons, and of the others only names", () => {
    const lines = failureText("", new Map(names(5_000).map((name) => [name, `no room for ${name}`]))).split("\n");
    expect(lines).to.have.length(22);
    expect(lines[20]).to.equal("  N0019: no room for N0019");
    expect(lines[21]).to.match(/^ {2}for 4980 other reasons: N0020, .*, N0119 and 4880 more$/u);
  });

  it("spells out in names what is not seen, and cuts those that are too long", () => {
    expect(nameList(["b\u001b[2J", "a".repeat(1_000)])).to.equal(`${"a".repeat(199)}…, b\\u{1b}[2J`);
    expect(nameList([])).to.equal("");
    expect(nameList(names(100))).not.to.contain("more");
  });
});

const KIB = 1024;
const bytesOf = (state: Properties): number => Buffer.byteLength(JSON.stringify(state));

describe("env-vars/report: state for an error", () => {
  const state = {
    environmentId: "e",
    variables: { A: "1", constructor: "x".repeat(5 * KIB) },
    secrets: { B: "ü".repeat(3 * KIB), C: "2" },
    observed: { v: 1, names: { "2026-01-01T00:00:00": "constructor", "2026-01-01T00:00:01": "B" } },
  };

  it("leaves state that fits as it is", () => {
    expect(setStateForError(state)).to.deep.equal({ state, dropped: [] });
    expect(setStateForError({ environmentId: "e" }, 1)).to.deep.equal({ state: { environmentId: "e" }, dropped: [] });
  });

  it("puts placeholders in the place of the largest values, counted in bytes, until it fits", () => {
    const { state: fitting, dropped } = setStateForError(state, 8 * KIB);
    expect(dropped).to.deep.equal(["B"]);
    expect(fitting).to.deep.equal({
      ...state,
      secrets: { B: "previewenv:unknown:v1:2026-01-01T00:00:01:too large for an error", C: "2" },
    });
    expect(bytesOf(fitting)).to.be.at.most(8 * KIB);
  });

  it("loses no name, and changes nothing of what it was given", () => {
    const before = structuredClone(state);
    const { state: fitting, dropped } = setStateForError(state, 1 * KIB);
    expect(dropped).to.deep.equal(["B", "constructor"]);
    expect(fitting).to.have.nested.property("variables.A", "1");
    expect(Object.keys(Object(fitting["variables"]))).to.deep.equal(["A", "constructor"]);
    expect(state).to.deep.equal(before);
  });

  it("takes a name without a known time, such as constructor, for one", () => {
    const { state: fitting } = setStateForError({ ...state, observed: { v: 1, names: {} } }, 6 * KIB);
    expect(JSON.stringify(fitting)).not.to.contain("native code");
    expect(fitting).to.have.nested.property("secrets.B", "previewenv:unknown:v1::too large for an error");
  });

  it("leaves out the value of a single variable only when it does not fit", () => {
    const single = { name: "A", value: "one", updatedAt: "2026-01-02T00:00:00" };
    expect(variableStateForError(single)).to.equal(single);
    const large = variableStateForError({ ...single, value: "v".repeat(9 * KIB * KIB) });
    expect(large).to.deep.equal({
      ...single,
      value: "previewenv:unknown:v1:2026-01-02T00:00:00:too large for an error",
    });
  });
});
