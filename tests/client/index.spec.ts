import { execFileSync } from "node:child_process";
import { expect } from "chai";
import manifest from "../../package.json";
import { ConfigError, PreviewenvClient, requireRuntime } from "../../provider/src/client";
import { CLIENT } from "./support/samples";

const OLDEST = manifest.engines.node.slice(">=".length);

describe("client", () => {
  for (const apiToken of ["", " ", "geheim ", " geheim", "geheim\n"]) {
    it(`refuses the token ${JSON.stringify(apiToken)} without showing it`, () => {
      expect(() => new PreviewenvClient({ ...CLIENT, apiToken }))
        .to.throw(ConfigError, "previewenv:apiToken or PREVIEWENV_API_TOKEN")
        .with.property("message")
        .that.does.not.match(/geheim/u);
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

describe("what runs the client", () => {
  for (const node of [`${OLDEST}.0`, "22.20.1", "24.0.0", "26.3.1"])
    it(`may be Node ${node}`, () => expect(() => requireRuntime({ node })).to.not.throw());

  for (const node of ["18.20.8", "20.20.2", "22.18.0", "22.9.0"])
    it(`is refused when it is Node ${node}, with the version that is needed and where the old one is`, () =>
      expect(() => requireRuntime({ node }))
        .to.throw(ConfigError, `needs Node ${OLDEST} or newer, and this is ${node}`)
        .with.property("message")
        .that.contains(process.execPath));

  it("is refused when it is Bun, with the entry that works there", () =>
    expect(() => requireRuntime({ node: "24.3.0", bun: "1.4.5" })).to.throw(ConfigError, "pulumi-previewenv/native"));
});
