import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { handled } from "../../sdk/nodejs/runtime/handled";

describe("a failed Output that is reported elsewhere", () => {
  it("is no unhandled rejection, nor is what a program makes of it", async () => {
    const before = process.listeners("unhandledRejection");
    const errors: unknown[] = [];
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", (error) => void errors.push(error));
    try {
      const failed = handled(pulumi.output(Promise.reject<{ url: string }>(new Error("no such environment"))));
      failed.url.apply((url) => url.length).apply(String);
      failed.apply(({ url }) => url);
      for (let turn = 0; turn < 3; turn++) await setImmediate();
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const listener of before) process.on("unhandledRejection", listener);
    }
    expect(errors).to.deep.equal([]);
  });

  it("is still one for who reads it, and else as it was", async () => {
    const output = handled(pulumi.secret({ url: "https://shop.example" }));
    expect(await pulumi.isSecret(output.url)).to.equal(true);
    let read = "";
    await pulumi.isSecret(output.url.apply((url) => (read = url)));
    expect(read).to.equal("https://shop.example");
    const failed = handled(pulumi.output(Promise.reject<string>(new Error("no such environment"))));
    const error: unknown = await pulumi.isSecret(failed).catch((one: unknown) => one);
    expect(error).to.have.property("message", "no such environment");
  });

  const failing: readonly (readonly [string, (value: string) => unknown])[] = [
    [
      "throws",
      () => {
        throw new Error("the program's own");
      },
    ],
    ["rejects", () => Promise.reject(new Error("the program's own"))],
    ["returns an Output that fails", () => pulumi.output(Promise.reject(new Error("the program's own")))],
  ];
  for (const [what, callback] of failing)
    it(`is reported when a callback of the program ${what}`, async () => {
      const before = process.listeners("unhandledRejection");
      const errors: unknown[] = [];
      process.removeAllListeners("unhandledRejection");
      process.on("unhandledRejection", (error) => void errors.push(String(error)));
      try {
        handled(pulumi.output("known")).apply((value) => callback(value));
        handled(pulumi.output({ id: "known" })).id.apply((value) => callback(value));
        for (let turn = 0; turn < 5; turn++) await setImmediate();
      } finally {
        process.removeAllListeners("unhandledRejection");
        for (const listener of before) process.on("unhandledRejection", listener);
      }
      expect(errors.filter((error) => error === "Error: the program's own")).to.have.length.of.at.least(2);
    });
});
