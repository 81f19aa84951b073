import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { PLUGIN, PluginProcess } from "../../support/plugin-process";

const NOWHERE = "127.0.0.1:9";
const THROWING = join(__dirname, "fixtures", "throw-on-signal.cjs");
const ENGINE = join(__dirname, "fixtures", "engine.cjs");
const SECRET = "tok-in-an-error-123456";

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

describe("native plugin, its process", function () {
  const orphans: number[] = [];

  afterEach(() => {
    for (const id of orphans.splice(0)) if (isRunning(id)) process.kill(id, "SIGKILL");
  });

  // What a dead plugin has printed, the engine shows in full.
  const deaths = [
    [
      "error",
      /^pulumi-resource-previewenv: unexpected RangeError at .+; please report it to the maintainers of \S+\n$/u,
    ],
    [
      "rejection",
      /^pulumi-resource-previewenv: unexpected RangeError at .+; please report it to the maintainers of \S+\n$/u,
    ],
    ["text", /^pulumi-resource-previewenv: unexpected string; please report it to the maintainers of \S+\n$/u],
  ] as const;
  for (const [how, printed] of deaths)
    it(`dies of what nobody handles with one line, without its message: ${how}`, async () => {
      const plugin = await PluginProcess.start(NOWHERE, { preload: THROWING, environment: { HOW: how } });
      plugin.signal("SIGUSR2");
      expect(await plugin.ended()).to.equal(1);
      expect(plugin.printed).to.match(printed).and.not.to.contain(SECRET);
    });

  it("ends when its engine was killed, which says nothing to its plugins", async () => {
    const engine = spawn(process.execPath, [ENGINE, PLUGIN, NOWHERE], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface(engine.stdout)[Symbol.asyncIterator]();
    orphans.push(Number((await lines.next()).value));
    expect((await lines.next()).value).to.match(/^\d+$/u);
    engine.kill("SIGKILL");
    // The plugin has this stream, too: it ends when both are gone.
    expect(await lines.next()).to.include({ done: true });
  });

  it("ends with 0 when the engine ends it, and has printed nothing but its port", async () => {
    const plugin = await PluginProcess.start(NOWHERE);
    expect(await plugin.stop()).to.equal(0);
    expect(plugin.printed).to.equal("");
  });
});
