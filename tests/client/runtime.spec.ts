import { expect } from "chai";
import manifest from "../../package.json";
import { ConfigError, requireRuntime } from "../../provider/src/client";

const OLDEST = manifest.engines.node.slice(">=".length);

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
