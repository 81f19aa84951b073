import { expect } from "chai";
import { nameList } from "../../provider/src/client/error-text";
import { failureText } from "../../provider/src/env-vars/results";

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `N${String(index).padStart(4, "0")}`);

describe("failureText", () => {
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
