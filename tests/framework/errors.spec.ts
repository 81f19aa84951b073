import { expect } from "chai";
import { fitsError, MAX_ERROR_BYTES, sizeOf } from "../../provider/src/framework/errors";

describe("framework/errors: the size of an error", () => {
  it("counts bytes, not characters", () => {
    expect([sizeOf({ a: "ü" }), sizeOf(undefined)]).to.deep.equal([10, 0]);
  });

  it("lets an error carry 8 MiB, of all bags together", () => {
    const half = { a: "x".repeat(MAX_ERROR_BYTES / 2 - sizeOf({ a: "" })) };
    expect(fitsError(half, half)).to.equal(true);
    expect(fitsError(half, { a: `${half.a}x` })).to.equal(false);
    expect(fitsError()).to.equal(true);
  });
});
