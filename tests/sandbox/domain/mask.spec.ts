import { expect } from "chai";
import { mask, type MaskOptions } from "../../../provider/src/sandbox";

describe("sandbox: mask", () => {
  const rows: readonly (readonly [string, MaskOptions, string])[] = [
    ["", {}, ""],
    ["a", {}, "*"],
    ["1234567", {}, "*******"],
    ["12345678", {}, "12****78"],
    ["correct horse", {}, "co*********se"],
    ["********", {}, "********"],
    ["\u{1F600}234567\u{1F601}9", { visibleTail: 1 }, "\u{1F600}2******9"],
    ["12345678", { fullyMasked: true }, "********"],
    ["12345678", { fixedStars: 3 }, "12***78"],
    ["1", { fixedStars: 3 }, "***"],
    ["12345678", { visibleHead: 0, visibleTail: 0 }, "********"],
    ["12345678", { visibleHead: 4, visibleTail: 0, minHidden: 1 }, "1234****"],
    ["1234", { minHidden: 0 }, "****"],
    ["1\u{1F600}345678", { unit: "codeUnit" }, "1\uFFFD*****78"],
    ["1\u{1F600}345678", { unit: "byte", visibleHead: 3 }, "1\uFFFD******78"],
    ["123456\u{1F600}8", { unit: "codeUnit" }, "12*****\uFFFD8"],
  ];
  for (const [value, options, expected] of rows) {
    it(`shows ${JSON.stringify(expected)} for ${JSON.stringify(value)} with ${JSON.stringify(options)}`, () => {
      expect(mask(value, options)).to.equal(expected);
    });
  }
});
