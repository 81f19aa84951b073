import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, sep } from "node:path";
import { cacheFolder } from "../../tools/setup/cache-folder.mjs";
import { findOnPath } from "../../tools/setup/command.mjs";
import { goBuild } from "../../tools/setup/pulumi/go-build.mjs";
import { pulumiEnvironment } from "../../tools/tour/pulumi-environment";
import { read, ROOT } from "./fences";
import type { Guide } from "./guide";
import { Installer } from "./installer";
import { Registries } from "./registries";

/** The packed project, and empty folders outside of the checkout for those who use it. */
export class Workshop implements AsyncDisposable {
  readonly env: NodeJS.ProcessEnv;
  readonly installer: Installer;
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "previewenv-outside-")));
  #registries: Registries | undefined;
  #hasAnswered = false;

  /** @throws when programs in temporary folders would find packages of somebody else. */
  constructor() {
    for (let folder = this.#root; folder !== dirname(folder); folder = dirname(folder))
      if (existsSync(join(folder, "node_modules"))) throw new Error(`${folder} has node_modules, which programs find`);
    const [tools, home] = [join(this.#root, "tools"), join(this.#root, "home")];
    for (const folder of [tools, home]) mkdirSync(folder);
    this.env = surroundings(tools, home);
    this.installer = new Installer(this.env, this.#root);
  }

  /** A new folder with what a guide begins with. */
  open({ title, copyOf }: Guide): string {
    const opened = this.empty(title);
    // Stack files and installed packages are the developer's own, not part of an example.
    const isPart = (file: string): boolean => !/node_modules|Pulumi\..+\.yaml$/u.test(file.slice(ROOT.length));
    if (copyOf !== undefined) cpSync(join(ROOT, copyOf), opened, { recursive: true, filter: isPart });
    return opened;
  }

  /** A new empty folder. */
  empty(title: string): string {
    const folder = join(this.#root, title.replaceAll(/[^\w.-]+/gu, "-"));
    mkdirSync(folder);
    return folder;
  }

  /** The environment of somebody who follows a guide. */
  async envOf(guide: Guide, context: Mocha.Context): Promise<NodeJS.ProcessEnv> {
    if (guide.plugin) {
      this.#registries ??= await Registries.open(this.empty("registries"), this.env, context);
      return this.#registries.envOf(guide);
    }
    const env = { ...this.env, PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
    return guide.sops ? { ...env, PATH: [await sopsFolder(context), this.env["PATH"]].join(delimiter) } : env;
  }

  /** How a command is answered that asks. The first one shows its preview, as to a user: more would run more programs, and prove nothing new. */
  answer(): string {
    const answer = this.#hasAnswered ? "--yes --skip-preview" : "--yes";
    this.#hasAnswered = true;
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#registries?.[Symbol.asyncDispose]();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * The folder of `sops` and `age-keygen`: those on PATH, else built with Go, once for this machine. Skips the caller, and says why, where neither is
 * possible.
 */
export async function sopsFolder(context: Mocha.Context): Promise<string> {
  const [sops, age] = [findOnPath("sops"), findOnPath("age-keygen")];
  if (sops !== undefined && age !== undefined && dirname(sops) === dirname(age)) return dirname(sops);
  const [, version] = /getsops\/sops\/v3 (v[\d.]+)/u.exec(read("tools/setup/pulumi/modules/pulumi/go.mod")) ?? [];
  const folder = join(cacheFolder(), "sops", `${version}-${process.platform}-${process.arch}`);
  if (existsSync(folder)) return folder;
  try {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    await goBuild("pulumi", /\/(?:sops|age-keygen)$/u, unfinished, { root: ROOT, env: process.env });
    renameSync(unfinished, folder);
    return folder;
  } catch (error) {
    process.stderr.write(`      skipped: Go could not build sops: ${String(error)}\n`);
    return context.skip();
  }
}

/**
 * What commands must not get from whoever started this: what npm tells its scripts, and settings of Node, Pulumi and this provider. How npm
 * reaches its registry belongs to the machine, and stays.
 */
const HIDDEN = /^(?:npm_|NODE_|PULUMI_|PREVIEWENV_|TS_NODE_|MOCHA|PYTHONPATH$|VIRTUAL_ENV$|INIT_CWD$)/iu;
const OF_THE_REGISTRY =
  /^npm_config_(?:registry|cache|userconfig|globalconfig|(?:https?_)?proxy|noproxy|cafile|strict_ssl)$/iu;

/**
 * The environment of somebody who has Node and the Pulumi CLI, and no checkout.
 * @param tools An empty folder, for links to programs.
 * @param home Where the CLI keeps plugins and credentials.
 */
export function surroundings(tools: string, home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !HIDDEN.test(name) || OF_THE_REGISTRY.test(name));
  const outside = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !isInside(folder));
  // The set-up's Node lies in the checkout. The program alone needs nothing of what is around it.
  symlinkSync(realpathSync(process.execPath), join(tools, "node"));
  const cli = process.env["PREVIEWENV_PULUMI_BIN"];
  return {
    ...Object.fromEntries(kept),
    PATH: [tools, ...outside, ...(cli ? [cli] : [])].join(delimiter),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_prefer_offline: "true",
    // With it, Go finds what the set-up has compiled for Pulumi's language hosts.
    GOFLAGS: "-buildvcs=false -trimpath",
    // The CLI ends before it has garbage worth collecting.
    GOGC: "off",
    GOMEMLIMIT: "256MiB",
    // As the workflows of the examples have them.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    NODE_COMPILE_CACHE: join(home, "compiled"),
    ...pulumiEnvironment(home),
  };
}

function isInside(folder: string): boolean {
  return folder === ROOT || folder.startsWith(ROOT + sep);
}
