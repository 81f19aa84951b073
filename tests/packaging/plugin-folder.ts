import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const ROOT = resolve(__dirname, "..", "..");

/** The name that the engine looks for. */
export const PROGRAM = "pulumi-resource-previewenv";

/** A module of tools/package. It is plain JavaScript, so the caller says which of its functions it uses. */
export async function load<Module>(name: string): Promise<Module> {
  return import(pathToFileURL(join(ROOT, "tools", "package", name)).href);
}

/** A package that the bundle contains. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
}

/** Bundles the plugin of these sources into a folder, and gives what is in it. */
export async function bundleInto(folder: string): Promise<readonly Bundled[]> {
  const { bundlePlugin } = await load<{ bundlePlugin: (folder: string) => Promise<readonly Bundled[]> }>("bundle.mjs");
  return bundlePlugin(folder);
}

/** A folder of its own, with a space in its name. */
export class Scratch implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "previewenv plugin-"));

  /** Makes a folder inside. */
  make(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Starts a plugin as the engine does, with the address of an engine (none is there) as its last argument. */
export function launch(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, [...args, "127.0.0.1:1"], { env, stdio: "pipe" });
  const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const ended = printed.then(([stdout, stderr, [code]]) => ({ stdout, stderr, code: Number(code) }));
  return { child, ended };
}

/** Starts a plugin, and ends it as the engine does as soon as it has printed something. */
export function launchAndEnd(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const { child, ended } = launch(program, args, env);
  child.stdout.once("data", () => child.kill("SIGINT"));
  return ended;
}
