import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { failing } from "../../sdk/nodejs/runtime/failure";
import { endStage, startStage, unhandled } from "./stage";

const failed = (): pulumi.Output<{ url: string }> => failing(pulumi.output(Promise.reject(new Error("not there"))));

describe("an Output whose failure fails the program", () => {
  beforeEach(() => startStage());
  afterEach(() => endStage());

  it("is one failure, whatever a program makes of it", async () => {
    const errors = await unhandled(() => {
      const output = failed();
      output.url.apply((url) => url.length).apply(String);
      output.apply(({ url }) => url);
    });
    expect(errors.map(String)).to.deep.equal(["Error: not there"]);
  });

  it("fails for who reads it, and else is as it was", async () => {
    const output = failing(pulumi.secret({ url: "https://shop.example" }));
    expect(await pulumi.isSecret(output.url)).to.equal(true);
    let read = "";
    await pulumi.isSecret(output.url.apply((url) => (read = url)));
    expect(read).to.equal("https://shop.example");
    let error: unknown;
    await unhandled(() => void pulumi.isSecret(failed()).catch((reason: unknown) => (error = reason)));
    expect(error).to.have.property("message", "not there");
  });

  const callbacks: readonly (readonly [string, (value: string) => unknown])[] = [
    [
      "throws",
      () => {
        throw new Error("the program's own");
      },
    ],
    ["rejects", () => Promise.reject(new Error("the program's own"))],
    ["returns an Output that fails", () => pulumi.output(Promise.reject(new Error("the program's own")))],
  ];
  for (const [what, callback] of callbacks)
    it(`fails the program when one of its callbacks ${what}`, async () => {
      const errors = await unhandled(() => {
        failing(pulumi.output("known")).apply((value) => callback(value));
        failing(pulumi.output({ id: "known" })).id.apply((value) => callback(value));
      });
      expect(errors.map(String)).to.deep.equal(["Error: the program's own", "Error: the program's own"]);
    });
});
