import { expect } from "chai";
import * as fc from "fast-check";
import { isStandIn, standIn } from "../../provider/src/env-vars/placeholder";

describe("stand-in", () => {
  it("has the form that state files hold", () => {
    expect(standIn("2026-01-01T00:00:00", "ab***yz")).to.equal("previewenv:unknown:v1:2026-01-01T00:00:00:ab***yz");
  });

  it("is known again, whatever mask or time it holds", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (time, note) => isStandIn(standIn(time, note))));
  });

  it("is told from values that merely resemble it", () => {
    expect(["", "previewenv:unknown", "previewenv:unknown:v2:", " previewenv:unknown:v1:"].some(isStandIn)).to.equal(
      false,
    );
  });
});
