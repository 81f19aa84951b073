import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { expect } from "chai";
import { version } from "../../../package.json";
import schema from "../../../provider/schema.json";
import { call } from "../../support/plugin-calls";
import { PLUGIN, startPlugin } from "../../support/provider-process";
import { usePlugin } from "./suite";

const NOWHERE = "127.0.0.1:9";
const THROWING = join(__dirname, "fixtures", "throw-on-signal.cjs");
const ENGINE = join(__dirname, "fixtures", "engine.cjs");
const SECRET = "tok-in-an-error-123456";

describe("native plugin, its process", function () {
  const groups: number[] = [];

  afterEach(() => {
    for (const group of groups.splice(0))
      try {
        process.kill(-group, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
  });

  // What a dead plugin has printed, the engine shows in full.
  const PRINTED =
    /^pulumi-resource-previewenv: unexpected (?:RangeError at .+|string)\. Please report it to the maintainers of \S+\n$/u;
  for (const how of ["error", "rejection", "text"])
    it(`dies of what nobody handles with one line, without its message: ${how}`, async () => {
      const plugin = await startPlugin(NOWHERE, { preload: THROWING, environment: { HOW: how } });
      plugin.signal("SIGUSR2");
      expect(await plugin.ended()).to.equal(1);
      expect(plugin.printed).to.match(PRINTED).and.not.to.contain(SECRET);
    });

  const NODE = [process.execPath, PLUGIN, NOWHERE];
  const parents: readonly (readonly [string, readonly string[]])[] = [
    ["its parent", NODE],
    // On Windows the parent's id never changes.
    ["the parent of a shell that waits for it", ["/bin/sh", "-c", '"$@"; :', "sh", ...NODE]],
  ];
  for (const [what, command] of parents)
    it(`ends when its engine was killed, which says nothing to its plugins: ${what}`, async () => {
      const engine = spawn(process.execPath, [ENGINE, ...command], { stdio: ["pipe", "pipe", "inherit"] });
      const lines = createInterface(engine.stdout)[Symbol.asyncIterator]();
      groups.push(Number((await lines.next()).value));
      expect((await lines.next()).value).to.match(/^\d+$/u);
      engine.kill("SIGKILL");
      // The plugin has this stream, too: it ends when both are gone.
      expect(await lines.next()).to.include({ done: true });
    });
});

describe("native plugin, the calls about itself", () => {
  const plugin = usePlugin();

  it("say what it accepts: secrets, resources and outputs", async () => {
    const accepted = await plugin.calls.handshake(plugin.engineAddress);
    expect(accepted.toObject()).to.include({ acceptSecrets: true, acceptResources: true, acceptOutputs: true });
  });

  it("say its version, and its schema", async () => {
    const { client } = plugin.process;
    const info = await call<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));
    expect(info.getVersion()).to.equal(version);
    const request = new messages.GetSchemaRequest();
    const answer = await call<messages.GetSchemaResponse>((done) => client.getSchema(request, done));
    expect(JSON.parse(answer.getSchema())).to.deep.equal(JSON.parse(JSON.stringify(schema)));
  });
});
