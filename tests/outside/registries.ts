import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { identity } from "../../tools/release/owner";
import { cacheFolder } from "../../tools/setup/cache-folder.mjs";
import { type DownloadServer, serveArchives } from "../packaging/download-server";
import { packedPlugin } from "../packaging/packed-plugin";
import { buildWheel } from "../support/languages";
import type { Guide } from "./guide";
import { ROOT } from "./fences";

/** What GitHub, PyPI, the Go proxy and Maven Central will have of this version, on this machine. npm is the Installer's. */
export class Registries implements AsyncDisposable {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #archives: DownloadServer;
  readonly #maven: string;
  #modules: string | undefined;

  private constructor(folder: string, env: NodeJS.ProcessEnv, archives: DownloadServer, maven: string) {
    this.#folder = folder;
    this.#maven = maven;
    this.#env = env;
    this.#archives = archives;
  }

  /** @param folder An empty one. @param context Is skipped where the plugin cannot be packed. */
  static async open(folder: string, env: NodeJS.ProcessEnv, context: Mocha.Context): Promise<Registries> {
    const archives = await serveArchives(await packedPlugin(context));
    return new Registries(folder, env, archives, join(cacheFolder(), "maven"));
  }

  /** What leads the tools of a guide's language here. Each guide has an empty Pulumi home: it gets the plugin as a user does. */
  envOf({ title, language }: Guide): NodeJS.ProcessEnv {
    const place = identity.pluginDownloadUrl.replaceAll(".", String.raw`\.`);
    return {
      ...this.#env,
      PULUMI_HOME: join(this.#folder, `home of ${title.replaceAll("/", " ")}`),
      PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^${place}$=${this.#archives.url}`,
      ...(language === "python" && this.#python()),
      ...(language === "go" && this.#go()),
      ...(language === "java" && this.#java()),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget();
    await this.#archives[Symbol.asyncDispose]();
  }

  /** A folder with a wheel, where pip looks before it asks PyPI. */
  #python(): NodeJS.ProcessEnv {
    const wheels = buildWheel(join(ROOT, "sdk", "python"), join(this.#folder, "python"));
    return { PIP_FIND_LINKS: [this.#env["PIP_FIND_LINKS"] ?? "", wheels].join(" ").trim() };
  }

  /** A repository with the tag of a release, which Git takes for the one on GitHub. */
  #go(): NodeJS.ProcessEnv {
    const repository = join(this.#folder, "repository");
    cpSync(join(ROOT, "sdk", "go"), join(repository, "sdk", "go"), { recursive: true });
    const author = ["-c", "user.name=release", "-c", "user.email=release@localhost"];
    for (const args of [
      ["init"],
      ["add", "."],
      [...author, "commit", "-m", "release"],
      ["tag", `sdk/go/v${manifest.version}`],
    ])
      execFileSync("git", args, { cwd: repository, env: this.#env, stdio: "pipe" });
    this.#modules = execFileSync("go", ["env", "GOMODCACHE"], { env: this.#env, encoding: "utf8" }).trim();
    this.#forget();
    return {
      // The cache of modules is the machine's: what is ours in it is removed again.
      GOFLAGS: `${this.#env["GOFLAGS"] ?? ""} -modcacherw`.trim(),
      GOPRIVATE: identity.repository,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
      GIT_CONFIG_VALUE_0: identity.repositoryUrl,
    };
  }

  /** Maven's own repository, with the package in it. */
  #java(): NodeJS.ProcessEnv {
    const [project, repository] = [join(this.#folder, "java"), join(this.#folder, "maven")];
    cpSync(join(ROOT, "sdk", "java"), project, { recursive: true });
    // A copy: what is ours in it is no part of the cache.
    if (existsSync(this.#maven)) cpSync(this.#maven, repository, { recursive: true });
    // Each run of Maven ends before optimised code would pay.
    const env = { MAVEN_OPTS: `-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dmaven.repo.local=${repository}` };
    execFileSync("mvn", ["--quiet", "--batch-mode", "install"], {
      cwd: project,
      env: { ...this.#env, ...env },
      stdio: "pipe",
    });
    return env;
  }

  #forget(): void {
    if (this.#modules === undefined) return;
    const { githubOwner } = identity;
    for (const folder of ["github.com", join("cache", "download", "github.com")])
      rmSync(join(this.#modules, folder, githubOwner), { recursive: true, force: true });
  }
}
