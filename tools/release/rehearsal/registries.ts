import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { delimiter, join } from "node:path";
import * as z from "zod";
import { identity } from "../owner";
import { Portal } from "./portal";

const ROOT = join(__dirname, "..", "..", "..");
const [USER, PASSWORD] = ["rehearsal", "a-password-of-the-rehearsal"];
// It names a tag of node-fetch, which a mirror of the registry may lack.
const VERDACCIO = { private: true, dependencies: { verdaccio: "6.10.4" }, overrides: { "node-fetch": "^2.6.7" } };
const FOR_PYTHON = ["pypiserver==2.4.2", "twine==7.0.0"];
const READY_MS = 120_000;

/** Registries on this machine, instead of those that a release goes to, and the settings that lead every tool to them. */
export class Registries implements AsyncDisposable {
  readonly env: Record<string, string>;
  /** Where the calls of `gh` are recorded, one a line. */
  readonly calls: string;
  readonly #servers: Server[] = [];
  readonly #processes: ChildProcess[] = [];
  readonly #folder: string;
  readonly #cache: string;

  /**
   * @param folder An empty one. @param cache Keeps the programs of the registries, and what they have got from the real ones.
   */
  constructor(folder: string, cache: string) {
    this.#folder = folder;
    this.#cache = cache;
    this.calls = join(folder, "github", "calls");
    mkdirSync(cache, { recursive: true });
    const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/iu.test(name));
    const temporary = join(folder, "tmp");
    mkdirSync(temporary);
    this.env = { ...Object.fromEntries(inherited.map(([name, value]) => [name, value ?? ""])), TMPDIR: temporary };
  }

  async start(): Promise<void> {
    await this.#npm();
    await this.#python();
    await this.#github();
    await this.#maven();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#processes) child.kill();
    for (const server of this.#servers) server.close();
  }

  async #npm(): Promise<void> {
    const upstream = execFileSync("npm", ["config", "get", "registry"], { cwd: ROOT, encoding: "utf8" }).trim();
    const [programs, storage] = [join(this.#cache, "npm"), join(this.#folder, "npm")];
    const program = join(programs, "node_modules", "verdaccio", "bin", "verdaccio");
    if (!existsSync(program)) {
      mkdirSync(programs, { recursive: true });
      writeFileSync(join(programs, "package.json"), JSON.stringify(VERDACCIO));
      run("npm", ["install", "--prefix", programs, "--no-audit", "--no-fund"], this.env);
    }
    const everybody = { access: "$all", publish: "$all", unpublish: "$all" };
    const config = {
      storage,
      uplinks: { upstream: { url: upstream } },
      packages: { [identity.npmPackage]: everybody, "**": { ...everybody, proxy: "upstream" } },
      max_body_size: "100mb",
      log: { type: "file", path: join(this.#folder, "npm.log"), level: "warn" },
    };
    writeFileSync(join(this.#folder, "verdaccio.yaml"), JSON.stringify(config));
    const url = await this.#serve(process.execPath, (port) => [
      program,
      "--config",
      join(this.#folder, "verdaccio.yaml"),
      "--listen",
      `127.0.0.1:${port}`,
    ]);
    const settings = join(this.#folder, "npmrc");
    writeFileSync(settings, `registry=${url}/\n${url.slice("http:".length)}/:_authToken=rehearsal\n`);
    this.env["npm_config_userconfig"] = settings;
    this.env["npm_config_cache"] = join(this.#cache, "npm-cache");
  }

  async #python(): Promise<void> {
    const [venv, packages] = [join(this.#cache, "python"), join(this.#folder, "python")];
    if (!existsSync(join(venv, "bin", "twine"))) {
      run("python3", ["-m", "venv", venv], this.env);
      run(join(venv, "bin", "pip"), ["install", "--quiet", ...FOR_PYTHON], this.env);
    }
    mkdirSync(packages);
    const url = await this.#serve(join(venv, "bin", "pypi-server"), (port) => [
      "run",
      "--interface",
      "127.0.0.1",
      "--port",
      port,
      "-P",
      ".",
      "-a",
      ".",
      "--disable-fallback",
      packages,
    ]);
    this.#addPath(join(venv, "bin"));
    Object.assign(this.env, { PIP_EXTRA_INDEX_URL: `${url}/simple/`, PYPI_URL: `${url}/` });
    Object.assign(this.env, { TWINE_USERNAME: USER, TWINE_PASSWORD: PASSWORD, TWINE_NON_INTERACTIVE: "1" });
  }

  /** The archives of a release, and the tags of the Go module. */
  async #github(): Promise<void> {
    const folder = join(this.#folder, "github");
    const programs = join(this.#folder, "bin");
    for (const one of [folder, programs]) mkdirSync(one);
    cpSync(join(__dirname, "gh.mjs"), join(programs, "gh"));
    this.#addPath(programs);
    const repository = join(folder, "repository.git");
    run("git", ["clone", "--quiet", "--bare", ROOT, repository], this.env);
    const url = await this.#listen(
      createServer((request, response) => {
        const file = join(folder, "published", request.url ?? "");
        if (!existsSync(file)) return response.writeHead(404).end();
        const content = readFileSync(file);
        return response.writeHead(200, { "content-length": content.length }).end(content);
      }),
    );
    const modules = execFileSync("go", ["env", "GOMODCACHE", "GOPROXY"], { encoding: "utf8" }).trim().split("\n");
    const place = identity.pluginDownloadUrl.replaceAll(".", String.raw`\.`);
    Object.assign(this.env, {
      REHEARSAL_GITHUB: folder,
      GH_REPO: `${identity.githubOwner}/${identity.githubRepository}`,
      COMMIT: execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim(),
      PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^${place}$=${url}`,
      GOPRIVATE: identity.repository,
      // Modules of others come from the machine's cache, and ours never goes into it.
      GOMODCACHE: join(this.#folder, "go"),
      GOPROXY: `file://${modules[0]}/cache/download,${modules[1]}`,
      GOFLAGS: "-modcacherw -buildvcs=false -trimpath",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
      GIT_CONFIG_VALUE_0: identity.repositoryUrl,
    });
  }

  /** A portal, the repository that it publishes to, and a key to sign with. */
  async #maven(): Promise<void> {
    const [home, repository] = [join(this.#folder, "maven-home"), join(this.#folder, "maven")];
    const local = join(this.#cache, "maven");
    rmSync(join(local, ...identity.mavenGroup.split(".")), { recursive: true, force: true });
    mkdirSync(join(home, ".m2"), { recursive: true });
    const published = `<repository><id>rehearsal</id><url>file://${repository}</url></repository>`;
    writeFileSync(
      join(home, ".m2", "settings.xml"),
      `<settings><profiles><profile><id>rehearsal</id><repositories>${published}</repositories></profile></profiles>` +
        "<activeProfiles><activeProfile>rehearsal</activeProfile></activeProfiles></settings>",
    );
    const portal = new Portal(repository, USER, PASSWORD);
    Object.assign(this.env, {
      PORTAL_URL: await this.#listen(portal.server()),
      MAVEN_USERNAME: USER,
      MAVEN_PASSWORD: PASSWORD,
      MAVEN_GPG_PASSPHRASE: PASSWORD,
      MAVEN_GPG_KEY: this.#signingKey(),
      MAVEN_OPTS: `-Duser.home=${home} -Dmaven.repo.local=${local}`,
    });
  }

  #signingKey(): string {
    const home = join(this.#folder, "gnupg");
    mkdirSync(home, { mode: 0o700 });
    const gpg = (...args: readonly string[]): string =>
      execFileSync(
        "gpg",
        ["--homedir", home, "--batch", "--pinentry-mode", "loopback", "--passphrase", PASSWORD, ...args],
        {
          encoding: "utf8",
          stdio: "pipe",
        },
      );
    gpg("--quick-generate-key", "rehearsal@localhost", "rsa3072", "sign", "1d");
    const key = gpg("--armor", "--export-secret-keys");
    execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]);
    return key;
  }

  #addPath(folder: string): void {
    this.env["PATH"] = [folder, this.env["PATH"]].join(delimiter);
  }

  /** Starts a server in a process of its own, and waits until it answers. */
  async #serve(program: string, args: (port: string) => readonly string[]): Promise<string> {
    const port = await freePort();
    const child = spawn(program, args(port), { env: this.env, stdio: ["ignore", "ignore", "inherit"] });
    this.#processes.push(child);
    const url = `http://127.0.0.1:${port}`;
    for (const end = Date.now() + READY_MS; Date.now() < end && child.exitCode === null;) {
      if (
        await fetch(url).then(
          () => true,
          () => false,
        )
      )
        return url;
      await new Promise((settle) => setTimeout(settle, 100));
    }
    throw new Error(`${program} does not answer at ${url}`);
  }

  async #listen(server: Server): Promise<string> {
    this.#servers.push(server);
    return `http://127.0.0.1:${await portOf(server)}`;
  }
}

async function freePort(): Promise<string> {
  const server = createTcpServer();
  const port = await portOf(server);
  server.close();
  return port;
}

async function portOf(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return String(z.object({ port: z.number() }).parse(server.address()).port);
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  execFileSync(program, args, { env, stdio: ["ignore", "ignore", "inherit"] });
}
