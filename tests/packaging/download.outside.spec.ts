import { createHash } from "node:crypto";
import { readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { findProgram } from "../../tools/generate/sdks/programs";
import { identity } from "../../tools/release/owner";
import { lackOf } from "../engine/harness/languages";
import { BareMachine } from "./bare-machine";
import { SCHEMA, writeJavaScript, writeYaml, yamlOptions } from "./bare-programs";
import { DownloadServer } from "./download-server";
import { ARCHIVE, packedPlugin, unpackedPlugin } from "./packed-plugin";
import { Scratch } from "./plugin-folder";

/** Packs 130 MB, and unpacks them some times, on a busy machine. */
const LIMIT_MS = 900_000;
const UP = ["up", "--stack", "dev", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--stack", "dev", "--yes", "--skip-preview"];

describe("a machine without the plugin", function () {
  this.timeout(LIMIT_MS);
  let scratch: Scratch;
  let sandbox: Sandbox;
  let server: DownloadServer;
  let packages: string;
  /** The plugin's program, unpacked where no machine looks for it. */
  let plugin: string;

  before(async function () {
    packages = await packedPlugin(this);
    scratch = new Scratch();
    server = await DownloadServer.start(packages);
    plugin = unpackedPlugin(packages, scratch.make("unpacked"));
    sandbox = await startSandbox({ buildSeconds: 0 });
  });

  after(async () => {
    await sandbox?.close();
    await server?.[Symbol.asyncDispose]();
    scratch?.[Symbol.dispose]();
  });

  const environment = (name: string): string =>
    sandbox.world.environments.add({ name, projects: [{ repoName: "web", branch: "main" }] }).id;
  const names = (id: string): string[] => sandbox.world.variables(id).map((one) => one.name);

  /** An up fetches the plugin, and on the next machine a destroy does, which runs no program. */
  async function fetchesUnasked(machine: BareMachine, id: string): Promise<void> {
    const env = { ENVIRONMENT_ID: id };
    await machine.succeed(["stack", "init", "dev"], env);
    for (const [args, left] of [
      [UP, ["LOG_LEVEL"]],
      [DESTROY, []],
    ] as const) {
      machine.renew();
      server.forget();
      const { text } = await machine.succeed(args, env);
      expect(server.asked, text).to.deep.equal([`/${ARCHIVE}`]);
      expect(names(id)).to.deep.equal(left);
    }
  }

  it(`fetches it for a program in JavaScript that imports ${manifest.name}/native`, async () => {
    const machine = new BareMachine(scratch, "native", sandbox, server);
    writeJavaScript(machine.folder, `${manifest.name}/native`);
    await fetchesUnasked(machine, environment("native"));
  });

  it(`fetches nothing for a program in JavaScript that imports ${manifest.name}`, async () => {
    const machine = new BareMachine(scratch, "dynamic", sandbox, server);
    writeJavaScript(machine.folder, manifest.name);
    const id = environment("dynamic");
    server.forget();
    // Every download of every plugin comes to this server.
    const env = { ENVIRONMENT_ID: id, PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `.*=${server.url}` };
    await machine.succeed(["stack", "init", "dev"], env);
    for (const [args, left] of [
      [UP, ["LOG_LEVEL"]],
      [DESTROY, []],
    ] as const) {
      await machine.succeed(args, env);
      expect(names(id)).to.deep.equal(left);
    }
    expect(server.asked).to.deep.equal([]);
  });

  describe("and a program in YAML", () => {
    before(function () {
      if (lackOf("yaml") !== undefined) this.skip();
    });

    it("fetches it when the program says where it is", async () => {
      const [machine, id] = [new BareMachine(scratch, "yaml", sandbox, server), environment("yaml")];
      writeYaml(machine.folder, id, yamlOptions);
      await fetchesUnasked(machine, id);
    });

    for (const [source, args] of [
      ["the name and the place", () => [`previewenv@${manifest.version}`, "--server", identity.pluginDownloadUrl]],
      ["the package schema", () => [SCHEMA]],
      ["the plugin's program", () => [plugin]],
    ] as const)
      it(`fetches it after \`pulumi package add\` with ${source}`, async () => {
        const [machine, id] = [new BareMachine(scratch, `yaml ${source}`, sandbox, server), environment(source)];
        writeYaml(machine.folder, id);
        await machine.succeed(["package", "add", ...args()]);
        await fetchesUnasked(machine, id);
      });

    it("runs it without a Node on PATH, from the archive whose checksum stands beside it", async () => {
      const [machine, id] = [new BareMachine(scratch, "yaml alone", sandbox, server), environment("alone")];
      const tools = scratch.make("tools");
      for (const name of ["pulumi", "pulumi-language-yaml"])
        symlinkSync(realpathSync(findProgram(name) ?? ""), join(tools, name));
      const sum = createHash("sha256").update(readFileSync(join(packages, ARCHIVE)));
      expect(readFileSync(join(packages, "checksums.txt"), "utf8")).to.contain(`${sum.digest("hex")}  ${ARCHIVE}\n`);
      const install = ["plugin", "install", "resource", "previewenv", manifest.version];
      await machine.succeed([...install, "--file", join(packages, ARCHIVE)], { PATH: tools });
      writeYaml(machine.folder, id);
      await machine.succeed(["stack", "init", "dev"], { PATH: tools });
      expect((await machine.succeed(UP, { PATH: tools })).text).not.to.contain("warning");
      expect(names(id)).to.deep.equal(["LOG_LEVEL"]);
    });

    it("says which command installs it when the archive is not there, and goes on when a broken one was replaced", async () => {
      const [machine, id] = [new BareMachine(scratch, "yaml broken", sandbox, server), environment("broken")];
      writeYaml(machine.folder, id, { ...yamlOptions, version: "0.0.1" });
      await machine.succeed(["stack", "init", "dev"]);
      const absent = await machine.run(UP);
      expect(absent.code).not.to.equal(0);
      expect(absent.text)
        .to.contain(`pulumi plugin install resource previewenv v0.0.1 --server ${identity.pluginDownloadUrl}`)
        .and.to.contain("404");

      writeYaml(machine.folder, id, yamlOptions);
      server.truncate(1_000_000);
      const broken = await machine.run(UP).finally(() => server.truncate());
      expect(broken.code).not.to.equal(0);
      expect(broken.text).to.contain("unexpected EOF").and.to.contain(yamlOptions.pluginDownloadURL);
      expect(names(id)).to.deep.equal([]);

      await machine.succeed(UP);
      expect(names(id)).to.deep.equal(["LOG_LEVEL"]);
    });
  });

  it("refuses an archive that is not the one of the checksum", async () => {
    const machine = new BareMachine(scratch, "checksum", sandbox, server);
    writeFileSync(join(machine.folder, "Pulumi.yaml"), "name: bare\nruntime: yaml\n");
    const install = ["plugin", "install", "resource", "previewenv", manifest.version, "--server", server.url];
    const { code, text } = await machine.run([...install, "--checksum", "ab".repeat(32)]);
    expect(code).not.to.equal(0);
    expect(text).to.contain("invalid checksum");
    expect((await machine.succeed(["plugin", "ls"])).text).not.to.contain("previewenv");
  });
});
