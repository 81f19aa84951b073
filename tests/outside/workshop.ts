import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Guide } from "./guide";
import { Installer } from "./installer";
import { ROOT } from "./fences";
import { Registries } from "./registries";
import { sopsFolder } from "./sops";
import { surroundings } from "./surroundings";

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
    if (guide.sops) return { ...this.env, PATH: [await sopsFolder(context), this.env["PATH"]].join(delimiter) };
    if (!guide.plugin) return this.env;
    this.#registries ??= await Registries.open(this.empty("registries"), this.env, context);
    return this.#registries.envOf(guide);
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
