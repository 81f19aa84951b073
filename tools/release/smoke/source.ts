import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { identity } from "../owner";
import type { Commands } from "./commands";

const ROOT = join(__dirname, "..", "..", "..");
const PACKAGER = join(ROOT, "tools", "package", "main.mjs");
const PLATFORM = `${process.platform.replace("win32", "windows")}-${process.arch.replace("x64", "amd64")}`;

/** Where what is tried comes from: files that are packed now, or the registries. */
export interface Source {
  /** What a package.json says of the npm package. */
  readonly npm: string;
  /** Makes the plugin available to the engine. */
  readonly installPlugin: (commands: Commands) => void;
}

/** What the registries have, in the version of this checkout. */
export const published: Source = {
  npm: version,
  installPlugin: ({ run }) =>
    run("pulumi", "plugin", "install", "resource", "previewenv", version, "--server", identity.pluginDownloadUrl),
};

/** Packs the npm package, which the set-up has built, into a folder; the plugin's archive for this platform when it is asked for. */
export function pack(folder: string, { npm }: Commands): Source {
  const files = join(folder, "packed");
  mkdirSync(files);
  npm("pack", ROOT, "--ignore-scripts", "--pack-destination", files);
  return {
    npm: `file:${join(files, `${identity.npmPackage}-${version}.tgz`)}`,
    installPlugin: ({ run }) => {
      execFileSync(process.execPath, [PACKAGER, "--platform", PLATFORM, "--output", files], { stdio: "inherit" });
      const archive = readdirSync(files).find((name) => name.endsWith(".tar.gz")) ?? "";
      run("pulumi", "plugin", "install", "resource", "previewenv", version, "--file", join(files, archive));
    },
  };
}
