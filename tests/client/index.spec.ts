import { execFileSync } from "node:child_process";
import { expect } from "chai";
import { ConfigError, PreviewenvClient } from "../../provider/src/client";
import { CLIENT } from "./support/samples";

describe("client", () => {
  for (const apiToken of ["", " ", "geheim ", " geheim", "geheim\n", "ge\r\nx-evil: 1", "ge\u0000heim", "gehéim"]) {
    it(`refuses the token ${JSON.stringify(apiToken)} without showing it`, () => {
      expect(() => new PreviewenvClient({ ...CLIENT, apiToken }))
        .to.throw(ConfigError, "previewenv:apiToken or PREVIEWENV_API_TOKEN")
        .with.property("message")
        .that.does.not.match(/geheim|evil/u);
    });
  }

  it("can be closed before it sent anything, and more than once", async () => {
    const client = new PreviewenvClient(CLIENT);
    await client.close();
    await client.close();
  });

  it("loads no undici before its first request", () => {
    const program = `
      const { PreviewenvClient } = require(${JSON.stringify(require.resolve("../../dist/provider/src/client"))});
      new PreviewenvClient(${JSON.stringify(CLIENT)});
      console.log(Object.keys(require.cache).filter((file) => /[\\\\/]undici[\\\\/]/.test(file)).length);
    `;
    const output = execFileSync(process.execPath, ["-e", program]);
    expect(output.toString()).to.equal("0\n");
  });
});
