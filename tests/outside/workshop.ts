import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Guide } from "./guide";
import { Installer } from "./installer";
import { ROOT } from "./pages";
import { surroundings } from "./surroundings";

const PACKAGER = join(ROOT, "tools", "package", "main.mjs");
const ARCHIVE = /\.tar\.gz$/u;
/** The platform whose archive the pages name. */
const ON_PAGES = "linux-amd64";
const PLATFORM = `${process.platform.replace("win32", "windows")}-${process.arch.replace("x64", "amd64")}`;

/** The packed project, and empty folders outside of the checkout for those who use it. */
export class Workshop implements Disposable {
  readonly env: NodeJS.ProcessEnv;
  readonly installer: Installer;
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "previewenv-outside-")));
  #archive: string | undefined;

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
  open({ title, copyOf, plugin }: Guide): string {
    const opened = this.empty(title);
    // Stack files and installed packages are the developer's own, not part of an example.
    const isPart = (file: string): boolean => !/node_modules|Pulumi\..+\.yaml$/u.test(file.slice(ROOT.length));
    if (copyOf !== undefined) cpSync(join(ROOT, copyOf), opened, { recursive: true, filter: isPart });
    if (plugin) this.#copyArchive(opened);
    return opened;
  }

  /** A new empty folder. */
  empty(title: string): string {
    const folder = join(this.#root, title.replaceAll(/[^\w.-]+/gu, "-"));
    mkdirSync(folder);
    return folder;
  }

  /** The native plugin's archive for this platform, under the name that the pages have. */
  #copyArchive(folder: string): void {
    if (this.#archive === undefined) {
      const packages = this.empty("packages");
      execFileSync(process.execPath, [PACKAGER, "--platform", PLATFORM, "--output", packages], { stdio: "pipe" });
      this.#archive = join(packages, readdirSync(packages).find((name) => ARCHIVE.test(name)) ?? "");
    }
    const name = this.#archive.slice(dirname(this.#archive).length + 1).replace(PLATFORM, ON_PAGES);
    cpSync(this.#archive, join(folder, name));
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }
}
