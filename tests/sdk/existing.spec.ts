import { expect } from "chai";
import * as native from "../../sdk/nodejs/native";
import * as previewenv from "../../sdk/nodejs";

describe("existing()", () => {
  it("is the text that programs in other languages write, from both entries", () => {
    expect([previewenv.existing(), native.existing()]).to.deep.equal([
      "previewenv:existing:v1",
      "previewenv:existing:v1",
    ]);
  });
});
