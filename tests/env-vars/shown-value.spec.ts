import { expect } from "chai";
import * as fc from "fast-check";
import { mask } from "../../provider/src/sandbox";
import { fitsMask } from "../../provider/src/env-vars/shown-value";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom("*", "a", "b", "\n", "é", "🎉") }),
  fc.string({ unit: fc.constantFrom("\uFFFD", "\uFFFD", "a", "*", "\u0000", "e\u0301", "日", "🎉", "\r\n") }),
  // What is no text, read as one.
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("utf8")),
);
const options = fc.record({
  visibleHead: fc.nat(6),
  visibleTail: fc.nat(6),
  minHidden: fc.nat(6),
  unit: fc.constantFrom("character" as const, "codeUnit" as const, "byte" as const),
  fixedStars: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
});

describe("fitsMask", () => {
  it("holds for the mask of any value, however much of it is shown", () => {
    fc.assert(
      fc.property(text, options, (value, { fixedStars, ...lengths }) => {
        const shown = mask(value, { ...lengths, ...(fixedStars !== undefined && { fixedStars }) });
        expect(fitsMask(value, shown)).to.equal(true);
      }),
    );
  });

  it("does not hold when a visible character is another one", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 8 });
    fc.assert(
      fc.property(letters, fc.boolean(), (value, head) => {
        const other = head ? `X${value.slice(1)}` : `${value.slice(0, -1)}X`;
        expect(fitsMask(other, mask(value))).to.equal(false);
      }),
    );
  });

  it("never takes lengths for a fact: any number of asterisks may hide any number of characters", () => {
    expect(fitsMask("abcdefgh", "ab***gh")).to.equal(true);
    expect(fitsMask("abcdefgh", "ab*********************gh")).to.equal(true);
    expect(fitsMask("abgh", "ab****gh")).to.equal(true);
  });

  for (const [value, shown, fits] of [
    ["", "", true],
    ["anything", "", false],
    ["anything", "****", true],
    ["ab**cd**ef", "ab******ef", true],
    ["ab**cd**ef", "ab**cd**ef", true],
    ["a*b*c*d*e", "a*******e", true],
    ["**********", "**********", true],
    ["plain", "other", false],
    ["short", "short", true],
    ["🎉party🎉", "🎉*****🎉", true],
    ["🎉party🎉", "\uFFFD*****\uFFFD", true],
    ["\uFFFDparty\uFFFD", "\uFFFDp***y\uFFFD", true],
    ["\uFFFD\uFFFDrty\uFFFD", "\uFFFD\uFFFD***y\uFFFD", true],
    ["a\uFFFDparty", "a\uFFFD***ty", true],
    ["日本-party", "日\uFFFD\uFFFD***ty", true],
    ["\uFFFDparty", "Xp***ty", false],
    ["\uFFFDparty\uFFFD", "pa***y\uFFFD", false],
  ] as const)
    it(`${JSON.stringify(value)} ${fits ? "may" : "cannot"} be behind ${JSON.stringify(shown)}`, () => {
      expect(fitsMask(value, shown)).to.equal(fits);
    });
});
