import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import manifest from "../../package.json";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { identity } from "../../tools/release/owner";
import { OLD_HOST, provideConverter } from "../engine/harness/languages";
import { surroundings } from "../outside/surroundings";
import { linkInstalled, pack, unpack } from "../support/packed";
import { BareMachine } from "./bare-machine";
import { DownloadServer } from "./download-server";
import { packedPlugin, unpackedPlugin } from "./packed-plugin";
import { Scratch } from "./plugin-folder";

/** Packs 130 MB, and installs from the npm registry some times, on a busy machine. */
const LIMIT_MS = 1_200_000;
const UP = ["up", "--stack", "dev", "--yes", "--skip-preview"];
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

describe("the one npm package, in a TypeScript program", function () {
  this.timeout(LIMIT_MS);
  let scratch: Scratch;
  let sandbox: Sandbox;
  let server: DownloadServer;
  let packages: string;
  let npm: (folder: string, ...args: readonly string[]) => void;

  before(async function () {
    packages = await packedPlugin(this);
    scratch = new Scratch();
    server = await DownloadServer.start(packages);
    sandbox = await startSandbox({ buildSeconds: 0 });
    const env = surroundings(scratch.make("tools"), scratch.make("npm-home"));
    npm = (cwd, ...args) => void execFileSync("npm", args, { cwd, env, stdio: "pipe" });
  });

  after(async () => {
    await sandbox?.close();
    await server?.[Symbol.asyncDispose]();
    scratch?.[Symbol.dispose]();
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

  const program = (entry: string, id: string): string =>
    `import * as previewenv from "${entry}";\n` +
    `new previewenv.EnvVarSet("vars", { environmentId: "${id}", variables: { LOG_LEVEL: "debug" } });\n`;

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
    unpack(pack(".", join(machine.folder, "..")), machine.folder);
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

  it("runs what `pulumi import` writes, unchanged, with the dynamic provider, and nothing is sent; nor is it on the way back", async () => {
    const [machine, id] = [await installedProject("imported"), environment("imported")];
    const file = join(machine.folder, "index.ts");
    await machine.succeed(["import", TYPES[NATIVE] ?? "", "vars", id, "--yes", "--out", file]);
    expect(await resourceOf(machine)).to.include({ type: TYPES[NATIVE] });
    const written = readFileSync(file, "utf8");
    expect(written).to.contain(`from "${DYNAMIC}"`);

    for (const entry of [DYNAMIC, NATIVE]) {
      writeFileSync(file, written.replace(`from "${DYNAMIC}"`, `from "${entry}"`));
      expect(await sentByUp(machine)).to.deep.equal([]);
      expect(await sentByUp(machine, "--expect-no-changes")).to.deep.equal([]);
      expect(await resourceOf(machine)).to.include({ type: TYPES[entry] });
    }
  });

  it("runs what `pulumi convert` writes from YAML, after `npm install`", async function () {
    const converters = provideConverter(scratch.folder) ?? this.skip();
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
    const { file } = pack(".", scratch.folder);
    // The registry does not have this version.
    writeFileSync(join(folder, "package.json"), asked.replace(`": "${manifest.version}"`, `": "file:${file}"`));
    npm(folder, "install");

    expect(await sentByUp(machine, "--cwd", folder)).to.deep.equal(["PUT /env-vars"]);
    expect(await sentByUp(machine, "--cwd", folder, "--expect-no-changes")).to.deep.equal([]);
  });

  it("is replaced by `pulumi package add`: a stack of the plugin works, one of the dynamic provider says what repairs it, and nothing changes", async () => {
    const machine = await project("added");
    const { file } = pack(".", scratch.folder);
    const plugin = unpackedPlugin(packages, scratch.make("unpacked"));
    const add = async (): Promise<void> => {
      const unlinked = await machine.add(plugin);
      if (unlinked !== undefined) link(unlinked, machine.folder);
    };
    const write = (id: string): void => writeFileSync(join(machine.folder, "index.ts"), program(DYNAMIC, id));

    const first = environment("added");
    await add();
    write(first);
    expect(await sentByUp(machine)).to.deep.equal(["PUT /env-vars"]);
    expect(await resourceOf(machine)).to.include({ type: TYPES[NATIVE] });
    await machine.succeed(["destroy", "--stack", "dev", "--yes", "--skip-preview"]);

    const second = environment("replaced");
    npm(machine.folder, "install", file);
    write(second);
    await sentByUp(machine);
    const before = [await resourceOf(machine), sandbox.world.variables(second)];
    expect(before[0]).to.include({ type: TYPES[DYNAMIC] });
    await add();
    const { code, text } = await machine.run(UP);
    expect(code).to.not.equal(0);
    expect(text).to.contain("`pulumi package add` has replaced").and.to.contain("`npm install pulumi-previewenv`");
    const refresh = await machine.run(["refresh", "--stack", "dev", "--yes", "--skip-preview"]);
    expect(refresh.text).to.contain("Cannot find module 'pulumi-previewenv/dynamic'");
    expect([await resourceOf(machine), sandbox.world.variables(second)]).to.deep.equal(before);

    npm(machine.folder, "install", file);
    expect(await sentByUp(machine, "--expect-no-changes")).to.deep.equal([]);
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

  it("refuses one variable that is declared through both entries", async () => {
    const [machine, id] = [await installedProject("both"), environment("both")];
    const other = program(NATIVE, id).replaceAll("previewenv.", "native.").replace("* as previewenv", "* as native");
    writeFileSync(join(machine.folder, "index.ts"), program(DYNAMIC, id) + other.replace('"vars"', '"more"'));
    const { code, text } = await machine.run(["preview", "--stack", "dev"]);
    expect(code).to.not.equal(0);
    expect(text).to.contain('EnvVarSet "vars" and EnvVarSet "more" both declare the variable "LOG_LEVEL"');
  });
});
