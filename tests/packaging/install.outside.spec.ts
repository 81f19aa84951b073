import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import manifest from "../../package.json";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { findProgram } from "../../tools/generate/sdks/programs";
import { isolated, type Run, startPulumi } from "../engine/harness/cli";
import { DownloadServer } from "./download-server";
import { ARCHIVE, packedPlugin } from "./packed-plugin";
import { PROGRAM, Scratch } from "./plugin-folder";

const YAML_HOST = "pulumi-language-yaml";
/** Packs 130 MB, downloads 50 MB the first time, then calls the CLI some times, on a busy machine. */
const LIMIT_MS = 900_000;

const Listed = z.array(z.object({ name: z.string(), kind: z.string(), version: z.string() }));

/** An executable on PATH, links resolved; undefined when there is none. */
function onPath(name: string): string | undefined {
  const found = findProgram(name);
  return found === undefined ? undefined : realpathSync(found);
}

function skip(context: Mocha.Context, reason: string): never {
  process.stderr.write(`      skipped: ${reason}\n`);
  return context.skip();
}

const program = (environmentId: string): object => ({
  name: "packaged",
  runtime: "yaml",
  resources: {
    vars: {
      type: "previewenv:EnvVarSet",
      properties: {
        environmentId,
        variables: { LOG_LEVEL: "debug" },
        secrets: { API_KEY: { "fn::secret": "a-secret-value" } },
      },
    },
  },
  outputs: { revision: "${vars.revision}" },
});

describe("the archive of this platform", function () {
  this.timeout(LIMIT_MS);
  let scratch: Scratch;
  let sandbox: Sandbox;
  let packages: string;
  let tools: string;

  before(async function () {
    packages = await packedPlugin(this);
    scratch = new Scratch();
    sandbox = await startSandbox({ buildSeconds: 0 });
    // Everything that PATH has: the CLI, and what it needs for YAML. No node.
    tools = scratch.make("tools");
    for (const name of ["pulumi", YAML_HOST]) {
      const found = onPath(name);
      if (found !== undefined) symlinkSync(found, join(tools, name));
    }
  });

  after(async () => {
    await sandbox?.close();
    scratch?.[Symbol.dispose]();
  });

  /** Calls the CLI in a folder of its own, with an empty home the first time. */
  const pulumi = async (name: string, ...args: readonly string[]): Promise<Run> => {
    const [folder, home, backend] = ["project", "home", "backend"].map((one) => scratch.make(`${name}/${one}`));
    if (folder === undefined || home === undefined || backend === undefined) throw new Error("no folders");
    const env = {
      ...isolated(home, backend),
      PATH: tools,
      PREVIEWENV_BASE_URL: sandbox.url,
      PREVIEWENV_API_TOKEN: sandbox.token,
    };
    return startPulumi({ folder, env }, args).done;
  };

  const succeed = async (name: string, ...args: readonly string[]): Promise<Run> => {
    const run = await pulumi(name, ...args);
    expect(run.code, run.text).to.equal(0);
    return run;
  };

  const install = ["plugin", "install", "resource", "previewenv", manifest.version];

  it("runs a YAML program from an empty Pulumi home, without a Node on PATH", async function () {
    if (onPath(YAML_HOST) === undefined) skip(this, `there is no ${YAML_HOST}; \`npm test\` says why`);
    const { id } = sandbox.world.environments.add({
      name: "packaged",
      projects: [{ repoName: "web", branch: "main" }],
    });
    const names = (): string[] => sandbox.world.variables(id).map(({ name }) => name);
    await succeed("yaml", ...install, "--file", join(packages, ARCHIVE));
    writeFileSync(join(scratch.folder, "yaml", "project", "Pulumi.yaml"), JSON.stringify(program(id)));
    await succeed("yaml", "stack", "init", "dev");
    const up = await succeed("yaml", "up", "--yes");
    expect(up.text).not.to.contain("warning").and.not.to.contain("a-secret-value");
    expect(names()).to.have.members(["LOG_LEVEL", "API_KEY"]);
    await succeed("yaml", "preview", "--expect-no-changes");
    await succeed("yaml", "destroy", "--yes");
    expect(names()).to.deep.equal([]);
  });

  it("is what a download server delivers, with the checksum that stands beside it", async () => {
    const sums = readFileSync(join(packages, "checksums.txt"), "utf8");
    const [, sum = ""] = new RegExp(`^(\\w{64})  ${ARCHIVE}$`, "mu").exec(sums) ?? [];
    expect(
      createHash("sha256")
        .update(readFileSync(join(packages, ARCHIVE)))
        .digest("hex"),
    ).to.equal(sum);
    await using server = await DownloadServer.start(packages);
    // Without --checksum: CLI 3.259 leaves the last bytes of an HTTP/1.1 answer out of its sum.
    await succeed("served", ...install, "--server", server.url);
    expect(new Set(server.asked)).to.deep.equal(new Set([`/${ARCHIVE}`]));
    const { stdout } = await succeed("served", "plugin", "ls", "--json");
    expect(Listed.parse(JSON.parse(stdout))).to.deep.include({
      name: "previewenv",
      kind: "resource",
      version: manifest.version,
    });
    const installed = join(scratch.folder, "served", "home", "plugins", `resource-previewenv-v${manifest.version}`);
    expect(readdirSync(installed)).to.include.members([PROGRAM, "node", "plugin.cjs"]);
  });
});
