import { expect } from "chai";
import * as fc from "fast-check";
import { isPlaceholder, placeholder } from "../../provider/src/env-vars/placeholder";

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
