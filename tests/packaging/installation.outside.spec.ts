import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import manifest from "../../package.json";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { findOnPath } from "../../tools/setup/command.mjs";
import { identity } from "../../tools/release/owner";
import { lackOf, OLD_HOST, converterFolder } from "../engine/harness/languages";
import { surroundings } from "../outside/workshop";
import { linkInstalled, pack, type PackedPackage, unpack } from "../support/packed";
import { BareMachine } from "./bare-machine";
import { type DownloadServer, serveArchives } from "./download-server";
import { ARCHIVE, packedPlugin, Scratch, unpackedPlugin } from "./packed-plugin";

/** Packs 130 MB, unpacks them some times, and installs from the npm registry, on a busy machine. */
const LIMIT_MS = 1_200_000;
const UP = ["up", "--stack", "dev", "--yes", "--skip-preview"];
const DESTROY = ["destroy", "--stack", "dev", "--yes", "--skip-preview"];
const [DYNAMIC, NATIVE] = [manifest.name, `${manifest.name}/native`];
const TYPES = { [DYNAMIC]: "pulumi-nodejs:dynamic/previewenv:EnvVarSet", [NATIVE]: "previewenv:index:EnvVarSet" };
/** Beside these, the engine notes where in the program a resource is. */
const Resource = z.object({
  type: z.string(),
  id: z.string().optional(),
  inputs: z.unknown().optional(),
  outputs: z.unknown().optional(),
});
const State = z.object({ deployment: z.object({ resources: z.array(Resource) }) });

/** Where a YAML program says by itself which plugin it wants. */
const yamlOptions = { version: manifest.version, pluginDownloadURL: identity.pluginDownloadUrl };

/** A YAML program. */
function writeYaml(folder: string, environmentId: string, options?: object): void {
  const properties = { environmentId, variables: { LOG_LEVEL: "debug" } };
  const vars = { type: "previewenv:EnvVarSet", properties, ...(options && { options }) };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime: "yaml", resources: { vars } }));
}

/** A program in JavaScript that the plugin serves, with the npm package as npm publishes it. The variable ENVIRONMENT_ID names the environment. */
function writeJavaScript(folder: string, packed: PackedPackage): void {
  unpack(packed, folder);
  linkInstalled(folder);
  const program = [
    `const previewenv = require("${NATIVE}");`,
    'const variables = { LOG_LEVEL: "debug" };',
    'new previewenv.EnvVarSet("vars", { environmentId: process.env.ENVIRONMENT_ID, variables });',
    "",
  ];
  writeFileSync(join(folder, "index.js"), program.join("\n"));
  const dependencies = { [manifest.name]: manifest.version };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bare", private: true, dependencies }));
  const runtime = { name: "nodejs", options: { typescript: false } };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bare", runtime }));
}

describe("what a user installs", function () {
  this.timeout(LIMIT_MS);
  let scratch: Scratch;
  let sandbox: Sandbox;
  let server: DownloadServer;
  let packages: string;
  let packed: PackedPackage;
  /** The plugin's program, unpacked where no machine looks for it. */
  let plugin: string;

  before(async function () {
    packages = await packedPlugin(this);
    scratch = new Scratch();
    packed = pack(".", scratch.folder);
    server = await serveArchives(packages);
    plugin = unpackedPlugin(packages, scratch.make("unpacked"));
    sandbox = await startSandbox({ buildSeconds: 0 });
  });

  after(async () => {
    await sandbox?.close();
    await server?.[Symbol.asyncDispose]();
    scratch?.[Symbol.dispose]();
  });

  const names = (id: string): string[] => sandbox.world.variables(id).map((one) => one.name);

  describe("on a machine without the plugin", () => {
    const bare = (name: string): string =>
      sandbox.world.environments.add({ name, projects: [{ repoName: "web", branch: "main" }] }).id;

    /** An up fetches the plugin, and on the next machine a destroy does, which runs no program. */
    async function fetchesUnasked(machine: BareMachine, id: string): Promise<void> {
      const env = { ENVIRONMENT_ID: id };
      await machine.succeed(["stack", "init", "dev"], env);
      for (const [args, left] of [
        [UP, ["LOG_LEVEL"]],
        [DESTROY, []],
      ] as const) {
        machine.renew();
        server.asked.length = 0;
        const { text } = await machine.succeed(args, env);
        expect(server.asked, text).to.deep.equal([`/${ARCHIVE}`]);
        expect(names(id)).to.deep.equal(left);
      }
    }

    it(`fetches it for a program in JavaScript that imports ${manifest.name}/native`, async () => {
      const machine = new BareMachine(scratch, "native", sandbox, server);
      writeJavaScript(machine.folder, packed);
      await fetchesUnasked(machine, bare("native"));
    });

    describe("and a program in YAML", () => {
      before(function () {
        if (lackOf("yaml") !== undefined) this.skip();
      });

      it("fetches it when the program says where it is", async () => {
        const [machine, id] = [new BareMachine(scratch, "yaml", sandbox, server), bare("yaml")];
        writeYaml(machine.folder, id, yamlOptions);
        await fetchesUnasked(machine, id);
      });

      it("fetches it after `pulumi package add` with the name and the place", async () => {
        const [machine, id] = [new BareMachine(scratch, "yaml added", sandbox, server), bare("added")];
        writeYaml(machine.folder, id);
        const added = [`previewenv@${manifest.version}`, "--server", identity.pluginDownloadUrl];
        await machine.succeed(["package", "add", ...added]);
        await fetchesUnasked(machine, id);
      });

      it("runs it without a Node on PATH, from the archive whose checksum stands beside it", async () => {
        const [machine, id] = [new BareMachine(scratch, "yaml alone", sandbox, server), bare("alone")];
        const tools = scratch.make("tools");
        for (const name of ["pulumi", "pulumi-language-yaml"])
          symlinkSync(realpathSync(findOnPath(name) ?? ""), join(tools, name));
        const sum = createHash("sha256").update(readFileSync(join(packages, ARCHIVE)));
        expect(readFileSync(join(packages, "checksums.txt"), "utf8")).to.contain(`${sum.digest("hex")}  ${ARCHIVE}\n`);
        const install = ["plugin", "install", "resource", "previewenv", manifest.version];
        await machine.succeed([...install, "--file", join(packages, ARCHIVE)], { PATH: tools });
        writeYaml(machine.folder, id);
        await machine.succeed(["stack", "init", "dev"], { PATH: tools });
        expect((await machine.succeed(UP, { PATH: tools })).text).not.to.contain("warning");
        expect(names(id)).to.deep.equal(["LOG_LEVEL"]);
      });
    });
  });

  describe("for a TypeScript program: the one npm package", () => {
    let npm: (folder: string, ...args: readonly string[]) => void;

    before(() => {
      const env = surroundings(scratch.make("npm-tools"), scratch.make("npm-home"));
      npm = (cwd, ...args) => void execFileSync("npm", args, { cwd, env, stdio: "pipe" });
    });

    /** An environment with a visible variable, a hidden one, and one of a single service. */
    const environment = (name: string): string =>
      sandbox.world.environments.add({
        name,
        projects: [{ repoName: "web", branch: "main" }],
        variables: [
          { name: "SHOWN", value: "as it is", hidden: false },
          { name: "PASSWORD", value: "correct horse battery", hidden: true },
          { name: "SCOPED", value: "1", hidden: false, services: ["web"] },
        ],
      }).id;

    const program = (id: string, level: string): string =>
      `import * as previewenv from "${DYNAMIC}";\n` +
      `new previewenv.EnvVarSet("vars", { environmentId: "${id}", variables: { LOG_LEVEL: "${level}" } });\n`;

    /** A project in TypeScript without packages, on a machine with the plugin and a stack. */
    async function project(name: string): Promise<BareMachine> {
      const machine = new BareMachine(scratch, name, sandbox, server);
      const compilerOptions = { target: "ES2022", module: "node16", strict: true, types: ["node"] };
      const dependencies = { "@pulumi/pulumi": "^3.230.0", "@types/node": "^22", typescript: "^6" };
      for (const [file, content] of Object.entries({
        "Pulumi.yaml": { name: "one", runtime: "nodejs" },
        "package.json": { name: "one", private: true, dependencies },
        "tsconfig.json": { compilerOptions },
      }))
        writeFileSync(join(machine.folder, file), JSON.stringify(content));
      writeFileSync(join(machine.folder, "index.ts"), "");
      await machine.succeed([
        "plugin",
        "install",
        "resource",
        "previewenv",
        manifest.version,
        "--server",
        identity.pluginDownloadUrl,
      ]);
      await machine.succeed(["stack", "init", "dev"]);
      return machine;
    }

    /** A project with the npm package, and what npm would install with it. */
    async function installedProject(name: string): Promise<BareMachine> {
      const machine = await project(name);
      unpack(packed, machine.folder);
      linkInstalled(machine.folder);
      return machine;
    }

    /** What an `up` sends but for reads. It must succeed, replace nothing and delete nothing. */
    async function sentByUp(machine: BareMachine, ...options: readonly string[]): Promise<readonly string[]> {
      const mark = sandbox.journal.mark();
      const { text } = await machine.succeed([...UP, ...options]);
      expect(text).to.not.match(/replace|deleted/u);
      return sandbox.journal.since(mark).flatMap(({ label }) => (label.startsWith("GET ") ? [] : [label]));
    }

    async function resourceOf(machine: BareMachine): Promise<object | undefined> {
      const { stdout } = await machine.succeed(["stack", "export", "--stack", "dev"]);
      return State.parse(JSON.parse(stdout)).deployment.resources.find(({ type }) => type.endsWith(":EnvVarSet"));
    }

    it("runs what `pulumi import` writes, unchanged, with the dynamic provider, and nothing is sent", async () => {
      const [machine, id] = [await installedProject("imported"), environment("imported")];
      const file = join(machine.folder, "index.ts");
      await machine.succeed(["import", TYPES[NATIVE] ?? "", "vars", id, "--yes", "--out", file]);
      expect(await resourceOf(machine)).to.include({ type: TYPES[NATIVE] });
      expect(readFileSync(file, "utf8")).to.contain(`from "${DYNAMIC}"`);

      expect(await sentByUp(machine)).to.deep.equal([]);
      expect(await resourceOf(machine)).to.include({ type: TYPES[DYNAMIC] });
    });

    it("runs what `pulumi convert` writes from YAML, after `npm install`", async function () {
      const converters = converterFolder() ?? this.skip();
      const [machine, id] = [await project("converted"), environment("converted")];
      const [yaml, folder] = [join(machine.folder, "yaml"), join(machine.folder, "typescript")];
      mkdirSync(yaml);
      const vars = {
        type: "previewenv:EnvVarSet",
        properties: {
          environmentId: id,
          variables: { LOG_LEVEL: "debug" },
          secrets: { KEY: { "fn::secret": "a-secret" } },
        },
      };
      writeFileSync(join(yaml, "Pulumi.yaml"), JSON.stringify({ name: "one", runtime: "yaml", resources: { vars } }));
      const convert = ["convert", "--from", "yaml", "--language", "typescript", "--generate-only"];
      const converted = await machine.run([...convert, "--cwd", yaml, "--out", folder], {
        PATH: [converters, machine.path].join(delimiter),
      });
      expect(converted.code === 0 || OLD_HOST.test(converted.text), converted.text).to.equal(true);
      const asked = readFileSync(join(folder, "package.json"), "utf8");
      expect(asked).to.contain(`"${manifest.name}": "${manifest.version}"`);
      // The registry does not have this version.
      writeFileSync(
        join(folder, "package.json"),
        asked.replace(`": "${manifest.version}"`, `": "file:${packed.file}"`),
      );
      npm(folder, "install");

      expect(await sentByUp(machine, "--cwd", folder)).to.deep.equal(["PUT /env-vars"]);
    });

    it("is replaced by `pulumi package add`: a stack of the dynamic provider moves there and back without a request, and works there", async () => {
      const [machine, id] = [await project("added"), environment("added")];
      const write = (level: string): void => writeFileSync(join(machine.folder, "index.ts"), program(id, level));
      npm(machine.folder, "install", packed.file);
      write("debug");
      await sentByUp(machine);
      expect(await resourceOf(machine)).to.include({ type: TYPES[DYNAMIC] });

      const unlinked = await machine.add(plugin);
      if (unlinked !== undefined) link(unlinked, machine.folder);
      const refresh = await machine.run(["refresh", "--stack", "dev", "--yes", "--skip-preview"]);
      expect(refresh.text).to.contain("Cannot find module 'pulumi-previewenv/dynamic'");
      expect(await resourceOf(machine)).to.include({ type: TYPES[DYNAMIC] });
      expect(await sentByUp(machine)).to.deep.equal([]);
      expect(await resourceOf(machine)).to.include({ type: TYPES[NATIVE] });
      write("info");
      expect(await sentByUp(machine)).to.deep.equal(["PUT /env-vars"]);
      const before = sandbox.world.variables(id);

      npm(machine.folder, "install", packed.file);
      expect(await sentByUp(machine)).to.deep.equal([]);
      expect(await resourceOf(machine)).to.include({ type: TYPES[DYNAMIC] });
      expect(sandbox.world.variables(id)).to.deep.equal(before);
    });

    /** As the CLI does it. A host that is built with Go 1.26 writes `./` for `../` into the SDK's folders. */
    function link(sdk: string, folder: string): void {
      for (const name of ["config", "types"])
        for (const file of readdirSync(join(sdk, name)).filter((one) => one.endsWith(".ts"))) {
          const text = readFileSync(join(sdk, name, file), "utf8");
          writeFileSync(join(sdk, name, file), text.replaceAll(/from "\.\/(?=utilities"|types\/)/gu, 'from "../'));
        }
      npm(folder, "install", "./sdks/previewenv");
    }
  });
});
