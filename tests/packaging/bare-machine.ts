import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Sandbox } from "../../provider/src/sandbox";
import { identity } from "../../tools/release/owner";
import { isolated, type Run, startPulumi } from "../engine/harness/cli";
import type { DownloadServer } from "./download-server";
import type { Scratch } from "./packed-plugin";

/** A machine with the Pulumi CLI and a project, and without the plugin: it may download that from one server. */
export class BareMachine {
  readonly folder: string;
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(scratch: Scratch, name: string, sandbox: Sandbox, server: DownloadServer) {
    this.folder = scratch.make(`${name}/project`);
    this.#home = join(scratch.folder, name, "home");
    this.#env = {
      ...isolated(this.#home, scratch.make(`${name}/state`)),
      PREVIEWENV_BASE_URL: sandbox.url,
      PREVIEWENV_API_TOKEN: sandbox.token,
      // Where SDKs say that the archives are.
      PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^${identity.pluginDownloadUrl}$=${server.url}`,
    };
  }

  /** Where its programs are. */
  get path(): string {
    return this.#env["PATH"] ?? "";
  }

  /** Another machine with the same project and the same state: its Pulumi home is empty. */
  renew(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** Calls the CLI with more environment variables. */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
    return startPulumi({ folder: this.folder, env: { ...this.#env, ...env } }, args).done;
  }

  /**
   * `pulumi package add`: an SDK beside the program. Gives its folder when it is not linked: the language hosts that can be had without Pulumi's
   * own installation are older than the CLI, generate an SDK, and do not understand how to link it.
   */
  async add(source: string): Promise<string | undefined> {
    const { code, text } = await this.run(["package", "add", source]);
    if (code === 0) return undefined;
    expect(text)
      .to.contain("Successfully generated an SDK")
      .and.to.contain("linking package: grpc: error unmarshalling");
    return join(this.folder, "sdks", "previewenv");
  }

  /** Calls the CLI, and the call must succeed. */
  async succeed(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
    const run = await this.run(args, env);
    expect(run.code, run.text).to.equal(0);
    return run;
  }
}
