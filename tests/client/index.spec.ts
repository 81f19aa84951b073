import { execFileSync } from "node:child_process";
import { expect } from "chai";
import { ConfigError, PreviewenvClient } from "../../provider/src/client";

const options = { baseUrl: "https://previews.example.com", apiToken: "t" };

describe("client", () => {
  for (const apiToken of ["", " ", "geheim ", " geheim", "geheim\n", "ge\r\nx-evil: 1", "ge\u0000heim", "gehéim"]) {
    it(`refuses the token ${JSON.stringify(apiToken)} without showing it`, () => {
      expect(() => new PreviewenvClient({ ...options, apiToken }))
        .to.throw(ConfigError, "previewenv:apiToken or PREVIEWENV_API_TOKEN")
        .with.property("message")
        .that.does.not.match(/geheim|evil/u);
    });
  }

  for (const wrong of [
    { maxConcurrency: 0 },
    { maxConcurrency: 1.5 },
    { requestTimeoutMs: 0 },
    { maxRetries: -1 },
    { maxRetries: Number.NaN },
  ]) {
    it(`refuses ${JSON.stringify(wrong)}`, () => {
      expect(() => new PreviewenvClient({ ...options, ...wrong })).to.throw(ConfigError, Object.keys(wrong)[0]);
    });
  }

  it("accepts no retries at all", () => {
    expect(() => new PreviewenvClient({ ...options, maxRetries: 0 })).not.to.throw();
  });

  it("can be closed before it sent anything, and more than once", async () => {
    const client = new PreviewenvClient(options);
    await client.close();
    await client.close();
  });

  it("loads no undici before its first request", () => {
    const program = `
      const { PreviewenvClient } = require(${JSON.stringify(require.resolve("../../dist/provider/src/client"))});
      new PreviewenvClient(${JSON.stringify(options)});
      console.log(Object.keys(require.cache).filter((file) => /[\\\\/]undici[\\\\/]/.test(file)).length);
    `;
    const output = execFileSync(process.execPath, ["-e", program]);
    expect(output.toString()).to.equal("0\n");
  });
});
