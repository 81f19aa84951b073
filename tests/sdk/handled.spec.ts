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
});
