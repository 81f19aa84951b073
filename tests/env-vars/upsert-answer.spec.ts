import * as fc from "fast-check";
import { expect } from "chai";
import type { EnvVar, EnvVarFailure } from "../../provider/src/client/env-vars";
import { matchAnswer } from "../../provider/src/env-vars/upsert-answer";
import type { Variable } from "../../provider/src/env-vars/variable";
import { nameList } from "../../provider/src/client/error-text";
import { failureText, recordFromAnswer } from "../../provider/src/env-vars/results";

const NOW = "2026-01-01T00:00:10";
const UNKNOWN = "previewenv:unknown:v1::its write got no answer";
const EARLIER = "2026-01-01T00:00:00";
const NEW = { inState: "nothing", inProgram: "value", found: "missing" } as const;

function wanted(name: string, value = `value of ${name}`, hidden = false): Variable {
  return { name, kind: "value", value, hidden, services: [] };
}

function listed(one: Variable, updatedAt = NOW): EnvVar {
  return { ...one, value: one.hidden ? "******" : one.value, updatedAt };
}

/** What became of each name, with the reason. */
function outcomes(
  sent: readonly Variable[],
  written: readonly EnvVar[],
  failed: readonly EnvVarFailure[] = [],
  before: Readonly<Record<string, string | undefined>> = {},
) {
  const results = matchAnswer(sent, { written, failed }, new Map(Object.entries(before)));
  return Object.fromEntries(
    [...results].map(([name, result]) => [
      name,
      "reason" in result ? `${result.outcome}: ${result.reason}` : "written",
    ]),
  );
}

const [a, b, c, d] = [wanted("A"), wanted("B"), wanted("C", "secret of c", true), wanted("D", "secret of d", true)];
const x = { reason: "x" };

describe("matchAnswer", () => {
  for (const reason of ["no", ""])
    it(`believes a named error, also when the variable is listed with its old value: ${reason || "without a reason"}`, () => {
      const old = listed({ ...b, value: "old" }, EARLIER);
      const expected = { A: "written", B: `failed: ${reason || "the service gave no reason"}` };
      expect(outcomes([a, b], [listed(a), old], [{ name: "B", reason }])).to.deep.equal(expected);
    });

  it("attributes errors without a name to hidden values that did not move, when all are listed", () => {
    const written = [listed(c), listed(d, EARLIER)];
    const before = { C: EARLIER, D: EARLIER };
    expect(outcomes([c, d], written, [x], before)).to.deep.equal({ C: "written", D: "failed: x" });
  });

  it("suspects all hidden values when nothing else explains an error without a name", () => {
    const written = [listed(a), listed(c)];
    expect(outcomes([a, c], written, [x])).to.deep.equal({ A: "written", C: "failed: x" });
    expect(outcomes([a, c], written, [x], { C: EARLIER })).to.deep.equal({ A: "written", C: "uncertain: x" });
  });

  for (const [title, written] of [
    ["that leaves it out", [listed(a)]],
    ["that lists nothing", []],
    ["that lists others", [listed(wanted("b")), listed(wanted("B "))]],
  ] as const)
    it(`does not know what became of a name in an answer ${title}, with or without an error about another one`, () => {
      for (const failed of [[], [{ name: "A", reason: "no" }]]) {
        const result = matchAnswer([a, b], { written, failed }, new Map()).get("B");
        expect(result).to.include({ outcome: "uncertain" });
        const record = recordFromAnswer({ name: "B", facts: NEW, action: "write", declared: b, result });
        expect(record).to.deep.equal({ ...b, kind: "placeholder", value: UNKNOWN, updatedAt: "" });
      }
    });

  for (const [title, name] of [
    ["names it as failed, too", "C"],
    ["has an error about a name that was not sent", "c"],
  ] as const)
    it(`does not know what became of a secret that an answer shows as written, when it ${title}`, () => {
      const expected = { A: "written", C: "uncertain: no" };
      const failed = [{ name, reason: "no" }];
      expect(outcomes([a, c], [listed(a), listed(c)], failed, { C: undefined })).to.deep.equal(expected);
    });

  it("does not know which of two secrets that did not move has failed, when one error has no name", () => {
    const written = [listed(c, EARLIER), listed(d, EARLIER)];
    const before = { C: EARLIER, D: EARLIER };
    expect(outcomes([c, d], written, [x], before)).to.deep.equal({ C: "uncertain: x", D: "uncertain: x" });
    expect(outcomes([c, d], written, [x, x], before)).to.deep.equal({ C: "failed: x", D: "failed: x" });
  });

  it("takes a secret that is listed as visible and for fewer services for one that is not as it was sent, wherever in the list that stands", () => {
    const wrong = { ...listed(c), hidden: false, services: ["web"] };
    for (const written of [[wrong], [listed(c), wrong], [wrong, listed(c)]]) {
      const result = matchAnswer([c], { written, failed: [] }, new Map()).get("C");
      expect(result).to.deep.include({ outcome: "written", listed: wrong });
      expect(result)
        .to.have.property("reason")
        .that.matches(/everybody, and the service shows it to web/u)
        .and.not.contains("secret of c");
      expect(result)
        .to.have.property("record")
        .that.deep.includes({ services: ["web"], hidden: true, updatedAt: NOW });
    }
  });

  it("takes a visible value that is listed as another one for what the service has", () => {
    const old = listed({ ...b, value: "old" }, EARLIER);
    expect(matchAnswer([b], { written: [old], failed: [] }, new Map()).get("B")).to.deep.include({
      outcome: "written",
      reason:
        "the service shows another value than the one that was sent. To change that, delete it in the dashboard and run `pulumi up`, or remove " +
        "its name from the program for one `pulumi up` and then declare it again. Or declare what the service shows.",
      record: { ...b, value: "old", updatedAt: EARLIER },
    });
  });

  for (const [sent, shown] of [
    [" padded\t\n", "padded"],
    ["one\r\ntwo\r\n", "one\ntwo\n"],
    ["one\r\ntwo\r\n", "one\ntwo"],
    ["e\u0301", "\u00E9"],
    ["one  two", "one two"],
    ["-middle-\n", "-m****e-"],
    ["-middle-\n", "sha256:ab**cd"],
  ] as const)
    it(`takes ${JSON.stringify(sent)} for written when ${JSON.stringify(shown)} is shown, and notes the other form`, () => {
      const one = wanted("A", sent, shown.includes("*"));
      const result = matchAnswer([one], { written: [{ ...listed(one), value: shown }], failed: [] }, new Map()).get(
        "A",
      );
      expect(result).to.have.property("outcome", "written");
      expect(result).not.to.have.property("reason");
      expect(result).to.have.deep.property("record", { ...one, updatedAt: NOW, isOtherForm: true });
    });

  it("never counts a name twice, and loses none", () => {
    const names = fc.uniqueArray(fc.constantFrom("A", "B", "C", "D", "E", "constructor"), { minLength: 1 });
    const scenario = fc.record({ sent: names, shown: names, refused: names, nameless: fc.nat(3) });
    fc.assert(
      fc.property(scenario, ({ sent, shown, refused, nameless }) => {
        const answer = outcomes(
          sent.map((name) => wanted(name)),
          shown.map((name) => listed(wanted(name))),
          [...refused.map((name) => ({ name, reason: "no" })), ...Array.from({ length: nameless }, () => x)],
        );
        expect(Object.keys(answer)).to.have.members(sent);
        for (const text of Object.values(answer)) expect(text).to.match(/^(?:written$|failed: |uncertain: )/u);
        for (const name of refused) expect(answer[name] ?? "").not.to.match(/^written/u);
      }),
    );
  });
});

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
