import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { delimiter, join } from "node:path";
import { buffer, json } from "node:stream/consumers";
import * as z from "zod";
import { identity } from "../../../tools/release/owner";
import { serveArchives } from "../../packaging/download-server";
import { listen } from "../../support/listen";

const ROOT = join(__dirname, "..", "..", "..");
const [USER, PASSWORD] = ["rehearsal", "a-password-of-the-rehearsal"];
const TWINE = "twine==7.0.0";

/** What stands in for the registries of a release, on this machine, and the settings that lead every tool to it. */
export class Registries implements AsyncDisposable {
  readonly env: Record<string, string>;
  /** Where the calls of `gh` are recorded, one a line. */
  readonly calls: string;
  readonly #servers: AsyncDisposable[] = [];
  readonly #folder: string;

  /** @param folder An empty one. */
  constructor(folder: string) {
    this.#folder = folder;
    this.calls = join(folder, "github", "calls");
    const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/iu.test(name));
    this.env = {
      ...Object.fromEntries(inherited.map(([name, value]) => [name, value ?? ""])),
      TMPDIR: this.#make("tmp"),
    };
  }

  /** @param maven A folder that keeps what Maven has got from the real registry. */
  async start(maven: string): Promise<void> {
    await this.#npm();
    this.#python();
    this.#dotnet();
    await this.#github();
    this.#go();
    await this.#maven(maven);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map((server) => server[Symbol.asyncDispose]()));
  }

  async #npm(): Promise<void> {
    const upstream = capture("npm", "config", "get", "registry");
    const url = await this.#listen(npmRegistry(upstream, PASSWORD));
    const settings = join(this.#folder, "npmrc");
    writeFileSync(settings, `registry=${url}/\n${url.slice("http:".length)}/:_authToken=${PASSWORD}\n`);
    this.env["npm_config_userconfig"] = settings;
  }

  /** A folder, where pip looks as well. */
  #python(): void {
    const venv = join(this.#folder, "venv");
    execFileSync("python3", ["-m", "venv", venv]);
    execFileSync(join(venv, "bin", "pip"), ["install", "--quiet", TWINE], { stdio: "inherit" });
    Object.assign(this.env, { TWINE: join(venv, "bin", "twine"), PIP_FIND_LINKS: this.#make("python") });
  }

  /** A folder, which NuGet takes for a registry. */
  #dotnet(): void {
    const folder = this.#make("nuget");
    Object.assign(this.env, { NUGET_SOURCE: folder, NUGET_API_KEY: PASSWORD, RestoreAdditionalProjectSources: folder });
  }

  /** The archives of a release. */
  async #github(): Promise<void> {
    const [folder, programs] = [this.#make("github"), this.#make("bin")];
    cpSync(join(__dirname, "gh.mjs"), join(programs, "gh"));
    const archives = await serveArchives(join(folder, "published"));
    this.#servers.push(archives);
    const place = identity.pluginDownloadUrl.replaceAll(".", String.raw`\.`);
    Object.assign(this.env, {
      PATH: [programs, this.env["PATH"]].join(delimiter),
      REHEARSAL_GITHUB: folder,
      GH_REPO: `${identity.githubOwner}/${identity.githubRepository}`,
      COMMIT: capture("git", "rev-parse", "HEAD"),
      PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^${place}$=${archives.url}`,
    });
  }

  /** A copy of the repository, which gets the tags of the Go module. */
  #go(): void {
    const repository = join(this.#folder, "github", "repository.git");
    execFileSync("git", ["clone", "--quiet", "--bare", ROOT, repository], { stdio: "inherit" });
    const [cache, proxy] = capture("go", "env", "GOMODCACHE", "GOPROXY").split("\n");
    Object.assign(this.env, {
      GOPRIVATE: identity.repository,
      // Modules of others come from the machine's cache, and ours never goes into it.
      GOMODCACHE: join(this.#folder, "go"),
      GOPROXY: `file://${cache}/cache/download,${proxy}`,
      GOFLAGS: "-modcacherw -buildvcs=false -trimpath",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
      GIT_CONFIG_VALUE_0: identity.repositoryUrl,
    });
  }

  /** A portal that publishes into Maven's own repository, and a key to sign with. */
  async #maven(repository: string): Promise<void> {
    mkdirSync(repository, { recursive: true });
    rmSync(join(repository, ...identity.mavenGroup.split(".")), { recursive: true, force: true });
    Object.assign(this.env, {
      PORTAL_URL: await this.#listen(portal(repository, USER, PASSWORD)),
      MAVEN_USERNAME: USER,
      MAVEN_PASSWORD: PASSWORD,
      MAVEN_GPG_PASSPHRASE: PASSWORD,
      MAVEN_GPG_KEY: this.#signingKey(),
      MAVEN_OPTS: `-Dmaven.repo.local=${repository}`,
    });
  }

  #signingKey(): string {
    const home = join(this.#folder, "gnupg");
    mkdirSync(home, { mode: 0o700 });
    const options = ["--homedir", home, "--batch", "--pinentry-mode", "loopback", "--passphrase", PASSWORD];
    capture("gpg", ...options, "--quick-generate-key", "rehearsal@localhost", "rsa3072", "sign", "1d");
    const key = capture("gpg", ...options, "--armor", "--export-secret-keys");
    capture("gpgconf", "--homedir", home, "--kill", "all");
    return key;
  }

  #make(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    return folder;
  }

  async #listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    this.#servers.push(server);
    return `http://127.0.0.1:${await listen(server)}`;
  }
}

/** What a program prints in the checkout. */
function capture(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
}

/** What `npm publish` sends. */
const Published = z.looseObject({ _attachments: z.record(z.string(), z.looseObject({ data: z.base64() })) });

/** Stands in for the registry of npm: it keeps what is published, and leads to another one for all other packages. */
export function npmRegistry(upstream: string, token: string): RequestListener {
  let published: z.output<typeof Published> | undefined;
  const publish = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.authorization !== `Bearer ${token}`) response.writeHead(401).end();
    else if (published !== undefined) response.writeHead(403).end();
    else {
      published = Published.parse(await json(request));
      response.writeHead(201).end("{}");
    }
  };
  return (request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const [name, file] = path.split("/-/");
    if (name !== identity.npmPackage) return response.writeHead(302, { location: upstream + path }).end();
    if (request.method === "PUT") return void publish(request, response);
    if (published === undefined) return response.writeHead(404).end();
    const packed = published._attachments[file ?? ""];
    return response.end(packed === undefined ? JSON.stringify(published) : Buffer.from(packed.data, "base64"));
  };
}

/**
 * Stands in for the portal of Maven Central, as https://central.sonatype.org/publish/publish-portal-api describes it. It unpacks what is published
 * into a repository of this machine.
 */
export function portal(repository: string, user: string, password: string): RequestListener {
  const token = Buffer.from(`${user}:${password}`).toString("base64");
  let problems: readonly string[] = [];
  const upload = async (request: IncomingMessage): Promise<string> => {
    await unpack(request, repository);
    problems = problemsOf(join(repository, ...identity.mavenGroup.split(".")));
    return "28570f16-da32-4c14-bd2e-c1acc0782365";
  };
  return (request, response) => {
    const [path] = (request.url ?? "").split("?");
    // "Bearer" in the documentation, "UserToken" from the Maven plugin.
    if (request.headers.authorization?.split(" ")[1] !== token) return response.writeHead(401).end();
    if (path === "/api/v1/publisher/published") return response.end('{"published":false}');
    if (path === "/api/v1/publisher/upload") return void upload(request).then((id) => response.writeHead(201).end(id));
    if (path !== "/api/v1/publisher/status") return response.writeHead(404).end();
    const deploymentState = problems.length === 0 ? "PUBLISHED" : "FAILED";
    const deployment = { deploymentId: "one", deploymentName: "one", purls: [], errors: { bundle: problems } };
    return response.end(JSON.stringify({ ...deployment, deploymentState }));
  };
}

/** Unpacks the one file of a form. */
async function unpack(request: IncomingMessage, repository: string): Promise<void> {
  const body = await buffer(request);
  const [, boundary = ""] = /boundary=(.+)$/u.exec(request.headers["content-type"] ?? "") ?? [];
  const file = join(repository, "bundle.zip");
  writeFileSync(file, body.subarray(body.indexOf("\r\n\r\n") + 4, body.lastIndexOf(`\r\n--${boundary}`)));
  execFileSync("python3", ["-m", "zipfile", "-e", file, repository]);
}

/** What Central refuses: each file needs its signature and its checksums, and classes need their sources and their documentation. */
function problemsOf(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const project = files.find((file) => file.endsWith(".pom"))?.slice(0, -".pom".length);
  if (project === undefined) return ["there is no .pom"];
  return [".pom", ".jar", "-sources.jar", "-javadoc.jar"].flatMap((part) =>
    ["", ".asc", ".md5", ".sha1"].flatMap((end) =>
      existsSync(join(folder, project + part + end)) ? [] : [`${project}${part}${end} is missing`],
    ),
  );
}
